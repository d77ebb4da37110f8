use oauth2::basic::BasicClient;
use oauth2::reqwest::{blocking::Client, redirect::Policy};
use oauth2::{ClientId, ClientSecret, Scope, TokenResponse, TokenUrl};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let http = Client::builder().redirect(Policy::none()).build()?;
    let token = BasicClient::new(ClientId::new("{{clientId}}".into()))
        .set_client_secret(ClientSecret::new(std::env::var("CLIENT_SECRET")?))
        .set_token_uri(TokenUrl::new("{{tokenUrl}}".into())?)
        .exchange_client_credentials()
{{*scopes}}        .add_scope(Scope::new("{{item}}".into()))
        .request(&http)?;
    println!("Granted: {:?}", token.scopes());
    println!("{}", token.access_token().secret());
    Ok(())
}
