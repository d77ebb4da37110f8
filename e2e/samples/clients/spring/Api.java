package example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Spring Boot with application.properties, and a rule for the scope. */
@SpringBootApplication
@RestController
public class Api {
    public static void main(String[] args) {
        SpringApplication.run(Api.class, args);
    }

    @GetMapping("/")
    String read(@AuthenticationPrincipal Jwt token) {
        return token.getSubject();
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(
                        all -> all.anyRequest().hasAuthority("SCOPE_orders:read"))
                .oauth2ResourceServer(api -> api.jwt(Customizer.withDefaults()))
                .build();
    }
}
