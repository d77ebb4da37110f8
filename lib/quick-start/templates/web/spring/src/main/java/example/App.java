package example;

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
