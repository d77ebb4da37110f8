import { paths } from '../oidc/paths'
import {
  API_PORT,
  type ApiValues,
  type Guide,
  homeOf,
  portOf,
  quoted,
  redirectAt,
  SECRET_LINE,
  sample,
  type Values,
} from './guide'

/** Spring Boot 4 with Maven, and plain Java for a machine. */

const SPRING_BOOT = '4.1.1'
const SPRING_CALLBACK = '/login/oauth2/code/gatehouse'
const RUN = 'mvn spring-boot:run'

export function spring(values: Values): Guide {
  const redirectUri = redirectAt(values, SPRING_CALLBACK)
  return sample({
    label: 'Spring Boot',
    settings: SECRET_LINE,
    files: [
      { name: 'pom.xml', text: pom('spring-boot-starter-security-oauth2-client') },
      {
        name: 'src/main/resources/application.yml',
        text: clientSettings(values, portOf(redirectUri)),
      },
      { name: 'src/main/java/example/App.java', text: CLIENT },
    ],
    run: RUN,
    open: homeOf(redirectUri),
    redirectUri,
    needs: ['pkceSet'],
  })
}

function pom(starter: string): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>org.springframework.boot</groupId>
    <artifactId>spring-boot-starter-parent</artifactId>
    <version>${SPRING_BOOT}</version>
  </parent>
  <groupId>example</groupId>
  <artifactId>example</artifactId>
  <version>1.0</version>
  <dependencies>
    <dependency>
      <groupId>org.springframework.boot</groupId>
      <artifactId>spring-boot-starter-webmvc</artifactId>
    </dependency>
    <dependency>
      <groupId>org.springframework.boot</groupId>
      <artifactId>${starter}</artifactId>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.springframework.boot</groupId>
        <artifactId>spring-boot-maven-plugin</artifactId>
      </plugin>
    </plugins>
  </build>
</project>
`
}

function clientSettings({ issuer, clientId, scope }: Values, port: string): string {
  return `server:
  port: ${port}
spring:
  security:
    oauth2:
      client:
        provider:
          gatehouse:
            issuer-uri: ${quoted(issuer)}
        registration:
          gatehouse:
            client-id: ${quoted(clientId)}
            client-secret: \${CLIENT_SECRET}
            scope: [${scope.split(' ').map(quoted).join(', ')}]
`
}

const CLIENT = `package example;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class App {
    public static void main(String[] args) {
        SpringApplication.run(App.class, args);
    }

    @GetMapping("/")
    Map<String, Object> home(@AuthenticationPrincipal OidcUser user) {
        return user.getClaims();
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository clients)
            throws Exception {
        var requests =
                new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");
        // Spring Boot 3 by itself sends PKCE only without a client secret.
        requests.setAuthorizationRequestCustomizer(
                OAuth2AuthorizationRequestCustomizers.withPkce());
        return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                .oauth2Login(login -> login.authorizationEndpoint(
                        at -> at.authorizationRequestResolver(requests)))
                .build();
    }
}
`

export function springApi(values: ApiValues): Guide {
  return sample({
    label: 'Spring Boot',
    files: [
      { name: 'pom.xml', text: pom('spring-boot-starter-security-oauth2-resource-server') },
      { name: 'src/main/resources/application.yml', text: `server:\n  port: ${API_PORT}\n` },
      { name: 'src/main/java/example/App.java', text: resourceServer(values) },
    ],
    run: RUN,
    needs: ['accessTokenType'],
  })
}

function resourceServer({ issuer, audience, scope }: ApiValues): string {
  return `package example;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtAudienceValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.JwtTypeValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class App {
    static final String ISSUER = ${quoted(issuer)};
    static final String AUDIENCE = ${quoted(audience)};

    public static void main(String[] args) {
        SpringApplication.run(App.class, args);
    }

    @GetMapping("/")
    Map<String, String> read(@AuthenticationPrincipal Jwt token) {
        return Map.of("hello", token.getSubject());
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(
                        all -> all.anyRequest().hasAuthority(${quoted(`SCOPE_${scope}`)}))
                .oauth2ResourceServer(api -> api.jwt(Customizer.withDefaults()))
                .build();
    }

    // Without this, Spring accepts only tokens of the type JWT.
    @Bean
    JwtDecoder tokens() {
        var decoder = NimbusJwtDecoder.withIssuerLocation(ISSUER)
                .validateType(false)
                .build();
        decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
                new JwtTypeValidator("at+jwt"),
                new JwtIssuerValidator(ISSUER),
                new JwtAudienceValidator(AUDIENCE),
                new JwtTimestampValidator()));
        return decoder;
    }
}
`
}

export function javaMachine(values: Values): Guide {
  return sample({
    label: 'Java',
    settings: SECRET_LINE,
    files: [{ name: 'Token.java', text: token(values) }],
    run: 'java Token.java',
  })
}

function token({ origin, clientId, scope }: Values): string {
  return `import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

public class Token {
    public static void main(String[] args) throws Exception {
        var who = ${quoted(`${clientId}:`)} + System.getenv("CLIENT_SECRET");
        var basic = Base64.getEncoder().encodeToString(who.getBytes(StandardCharsets.UTF_8));
        var scope = URLEncoder.encode(${quoted(scope)}, StandardCharsets.UTF_8);
        var request = HttpRequest.newBuilder(URI.create(${quoted(`${origin}${paths.token}`)}))
                .header("Authorization", "Basic " + basic)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "grant_type=client_credentials&scope=" + scope))
                .build();
        var response = HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.body());
    }
}
`
}
