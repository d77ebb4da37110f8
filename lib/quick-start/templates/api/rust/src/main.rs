use axum::{extract::State, http::HeaderMap, http::StatusCode, routing::get, Router};
use jsonwebtoken::{decode, decode_header, jwk::JwkSet, Algorithm, DecodingKey, Validation};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
    scope: String,
}

// Read once: a server that runs for months reads the keys again when it meets an unknown one.
async fn keys() -> reqwest::Result<JwkSet> {
    reqwest::get("{{jwksUrl}}").await?.json().await
}

fn claims(keys: &JwkSet, headers: &HeaderMap) -> Option<Claims> {
    let token = headers.get("authorization")?.to_str().ok()?.strip_prefix("Bearer ")?;
    let header = decode_header(token).ok()?;
    let key = DecodingKey::from_jwk(keys.find(&header.kid?)?).ok()?;
    if !matches!(header.alg, Algorithm::ES256 | Algorithm::RS256) {
        return None;
    }
    let mut expected = Validation::new(header.alg);
    expected.set_issuer(&["{{issuer}}"]);
    expected.set_audience(&["{{audience}}"]);
    decode::<Claims>(token, &key, &expected).ok().map(|token| token.claims)
}

async fn read(State(keys): State<JwkSet>, headers: HeaderMap) -> Result<String, StatusCode> {
    let claims = claims(&keys, &headers).ok_or(StatusCode::UNAUTHORIZED)?;
    if !claims.scope.split(' ').any(|one| one == "{{scope}}") {
        return Err(StatusCode::FORBIDDEN);
    }
    Ok(format!("Hello {}", claims.sub))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let app = Router::new().route("/", get(read)).with_state(keys().await?);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:{{apiPort}}").await?;
    axum::serve(listener, app).await?;
    Ok(())
}
