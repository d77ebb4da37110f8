package example;

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
    static final String ISSUER = "{{issuer}}";
    static final String AUDIENCE = "{{audience}}";

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
                        all -> all.anyRequest().hasAuthority("SCOPE_{{scope}}"))
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
