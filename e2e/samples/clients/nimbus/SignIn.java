import com.nimbusds.oauth2.sdk.*;
import com.nimbusds.oauth2.sdk.auth.*;
import com.nimbusds.oauth2.sdk.id.*;
import com.nimbusds.oauth2.sdk.pkce.*;
import com.nimbusds.openid.connect.sdk.*;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.net.URI;
import java.util.Scanner;

/** Nimbus: prints where to sign in, and reads the address that the browser is sent to. */
class SignIn {
    public static void main(String[] args) throws Exception {
        var env = System.getenv();
        var portal = OIDCProviderMetadata.resolve(new Issuer(env.get("ISSUER")));
        var id = new ClientID(env.get("CLIENT_ID"));
        var redirectUri = new URI(env.get("REDIRECT_URI"));
        var verifier = env.containsKey("PKCE") ? new CodeVerifier() : null;
        var nonce = new Nonce();
        var request =
                new AuthenticationRequest.Builder(
                                ResponseType.CODE,
                                new Scope("openid", "profile", "email"),
                                id,
                                redirectUri)
                        .endpointURI(portal.getAuthorizationEndpointURI())
                        .state(new State())
                        .nonce(nonce);
        if (verifier != null) request.codeChallenge(verifier, CodeChallengeMethod.S256);
        System.out.println("Open " + request.build().toURI());
        var answer = AuthenticationResponseParser.parse(new URI(new Scanner(System.in).nextLine()));
        var code = answer.toSuccessResponse().getAuthorizationCode();
        var secret = new ClientSecretBasic(id, new Secret(env.get("CLIENT_SECRET")));
        var grant = new AuthorizationCodeGrant(code, redirectUri, verifier);
        var exchange = new TokenRequest(portal.getTokenEndpointURI(), secret, grant);
        var told = OIDCTokenResponseParser.parse(exchange.toHTTPRequest().send());
        if (!told.indicatesSuccess()) throw new Exception(told.toErrorResponse().toJSONObject() + "");
        var token = ((OIDCTokenResponse) told.toSuccessResponse()).getOIDCTokens().getIDToken();
        var validator =
                new IDTokenValidator(
                        portal.getIssuer(),
                        id,
                        com.nimbusds.jose.JWSAlgorithm.RS256,
                        portal.getJWKSetURI().toURL());
        System.out.println(validator.validate(token, nonce).toJSONObject());
    }
}
