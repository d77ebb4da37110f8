// The browser comes back to a port of this machine (RFC 8252).
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreProviderMetadata, CoreUserInfoClaims,
};
use openidconnect::reqwest::{blocking::Client, redirect::Policy, Url};
use openidconnect::*;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

fn main() -> Result<(), Box<dyn Error>> {
    let http = Client::builder().redirect(Policy::none()).build()?;
    let metadata = CoreProviderMetadata::discover(&IssuerUrl::new("{{issuer}}".into())?, &http)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let origin = format!("http://{}", listener.local_addr()?);
    let portal =
        CoreClient::from_provider_metadata(metadata, ClientId::new("{{clientId}}".into()), None)
            .set_redirect_uri(RedirectUrl::new(format!("{origin}{{callbackPath}}"))?);

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (address, state, nonce) = portal
        .authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            CsrfToken::new_random,
            Nonce::new_random,
        )
{{*otherScopes}}        .add_scope(Scope::new("{{item}}".into()))
        .set_pkce_challenge(challenge)
        .url();
    println!("Open {address}");

    let answer = answer_to(&listener, &origin)?;
    let sent = |name: &str| answer.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    if sent("state").as_ref() != Some(state.secret()) {
        return Err("the answer belongs to another sign-in".into());
    }
    let code = AuthorizationCode::new(sent("code").ok_or("there is no code")?);
    let tokens = portal.exchange_code(code)?.set_pkce_verifier(verifier).request(&http)?;
    let id_token = tokens.extra_fields().id_token().ok_or("there is no ID token")?;
    let claims = id_token.claims(&portal.id_token_verifier(), &nonce)?;
    let user: CoreUserInfoClaims = portal
        .user_info(tokens.access_token().clone(), Some(claims.subject().clone()))?
        .request(&http)?;
    println!("{} {:?}", user.subject().as_str(), user.email());
    Ok(())
}

fn answer_to(listener: &TcpListener, origin: &str) -> Result<Url, Box<dyn Error>> {
    let (mut stream, _) = listener.accept()?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nDone: go back to the terminal.")?;
    let path = line.split(' ').nth(1).ok_or("no request")?;
    Ok(Url::parse(&format!("{origin}{path}"))?)
}
