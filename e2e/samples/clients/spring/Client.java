package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
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

/** Spring Boot with application.properties; with PKCE there is one bean more. */
@SpringBootApplication
@RestController
public class Client {
    public static void main(String[] args) {
        SpringApplication.run(Client.class, args);
    }

    @GetMapping("/")
    String home(@AuthenticationPrincipal OidcUser user) {
        return user.getFullName() + " " + user.getEmail();
    }

    @Bean
    @ConditionalOnProperty("PKCE")
    SecurityFilterChain withPkce(HttpSecurity http, ClientRegistrationRepository registrations)
            throws Exception {
        var resolver =
                new DefaultOAuth2AuthorizationRequestResolver(
                        registrations, "/oauth2/authorization");
        resolver.setAuthorizationRequestCustomizer(
                OAuth2AuthorizationRequestCustomizers.withPkce());
        return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                .oauth2Login(
                        login ->
                                login.authorizationEndpoint(
                                        at -> at.authorizationRequestResolver(resolver)))
                .build();
    }
}
