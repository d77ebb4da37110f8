import { paths } from '../oidc/paths'
import {
  API_PORT,
  type ApiValues,
  type Guide,
  pathOf,
  quoted,
  SECRET_LINE,
  sample,
  type Values,
} from './guide'
import { jwksOf } from './hono'

/** openidconnect 4 for a command line and a machine, axum with jsonwebtoken for an API. */

function installed(packages: string): string {
  return `cargo init --name example . && cargo add ${packages}`
}

const OPENIDCONNECT = 'openidconnect@4 --features reqwest-blocking'

export function rustNative(values: Values): Guide {
  return sample({
    label: 'Rust',
    install: installed(OPENIDCONNECT),
    files: [{ name: 'src/main.rs', text: `${signIn(values)}${WAITING}` }],
    run: 'cargo run',
  })
}

function signIn({ issuer, clientId, redirectUri, scope }: Values): string {
  const asked = scope
    .split(' ')
    .filter((one) => one !== 'openid') // the crate adds it
    .map((one) => `        .add_scope(Scope::new(${quoted(one)}.into()))\n`)
    .join('')
  return `// The browser comes back to a port of this machine (RFC 8252).
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
    let metadata = CoreProviderMetadata::discover(&IssuerUrl::new(${quoted(issuer)}.into())?, &http)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let origin = format!("http://{}", listener.local_addr()?);
    let portal =
        CoreClient::from_provider_metadata(metadata, ClientId::new(${quoted(clientId)}.into()), None)
            .set_redirect_uri(RedirectUrl::new(format!("{origin}${pathOf(redirectUri)}"))?);

    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let (address, state, nonce) = portal
        .authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            CsrfToken::new_random,
            Nonce::new_random,
        )
${asked}        .set_pkce_challenge(challenge)
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
`
}

const WAITING = `
fn answer_to(listener: &TcpListener, origin: &str) -> Result<Url, Box<dyn Error>> {
    let (mut stream, _) = listener.accept()?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    stream.write_all(b"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\n\\r\\nDone: go back to the terminal.")?;
    let path = line.split(' ').nth(1).ok_or("no request")?;
    Ok(Url::parse(&format!("{origin}{path}"))?)
}
`

export function rustMachine(values: Values): Guide {
  return sample({
    label: 'Rust',
    settings: SECRET_LINE,
    install: installed('oauth2@5 --features reqwest-blocking'),
    files: [{ name: 'src/main.rs', text: token(values) }],
    run: 'cargo run',
  })
}

function token({ origin, clientId, scope }: Values): string {
  const asked = scope
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => `        .add_scope(Scope::new(${quoted(one)}.into()))\n`)
    .join('')
  return `use oauth2::basic::BasicClient;
use oauth2::reqwest::{blocking::Client, redirect::Policy};
use oauth2::{ClientId, ClientSecret, Scope, TokenResponse, TokenUrl};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let http = Client::builder().redirect(Policy::none()).build()?;
    let token = BasicClient::new(ClientId::new(${quoted(clientId)}.into()))
        .set_client_secret(ClientSecret::new(std::env::var("CLIENT_SECRET")?))
        .set_token_uri(TokenUrl::new(${quoted(`${origin}${paths.token}`)}.into())?)
        .exchange_client_credentials()
${asked}        .request(&http)?;
    println!("Granted: {:?}", token.scopes());
    println!("{}", token.access_token().secret());
    Ok(())
}
`
}

export function rustApi(values: ApiValues): Guide {
  return sample({
    label: 'Rust',
    install: `${installed('axum')}
cargo add jsonwebtoken --features rust_crypto
cargo add tokio --features rt-multi-thread,macros,net
cargo add reqwest --features json
cargo add serde --features derive`,
    files: [{ name: 'src/main.rs', text: resourceServer(values) }],
    run: 'cargo run',
  })
}

function resourceServer({ issuer, audience, scope }: ApiValues): string {
  return `use axum::{extract::State, http::HeaderMap, http::StatusCode, routing::get, Router};
use jsonwebtoken::{decode, decode_header, jwk::JwkSet, Algorithm, DecodingKey, Validation};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
    scope: String,
}

// Read once: a server that runs for months reads the keys again when it meets an unknown one.
async fn keys() -> reqwest::Result<JwkSet> {
    reqwest::get(${quoted(jwksOf(issuer))}).await?.json().await
}

fn claims(keys: &JwkSet, headers: &HeaderMap) -> Option<Claims> {
    let token = headers.get("authorization")?.to_str().ok()?.strip_prefix("Bearer ")?;
    let header = decode_header(token).ok()?;
    let key = DecodingKey::from_jwk(keys.find(&header.kid?)?).ok()?;
    if !matches!(header.alg, Algorithm::ES256 | Algorithm::RS256) {
        return None;
    }
    let mut expected = Validation::new(header.alg);
    expected.set_issuer(&[${quoted(issuer)}]);
    expected.set_audience(&[${quoted(audience)}]);
    decode::<Claims>(token, &key, &expected).ok().map(|token| token.claims)
}

async fn read(State(keys): State<JwkSet>, headers: HeaderMap) -> Result<String, StatusCode> {
    let claims = claims(&keys, &headers).ok_or(StatusCode::UNAUTHORIZED)?;
    if !claims.scope.split(' ').any(|one| one == ${quoted(scope)}) {
        return Err(StatusCode::FORBIDDEN);
    }
    Ok(format!("Hello {}", claims.sub))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let app = Router::new().route("/", get(read)).with_state(keys().await?);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:${API_PORT}").await?;
    axum::serve(listener, app).await?;
    Ok(())
}
`
}
