import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

public class Token {
    public static void main(String[] args) throws Exception {
        var who = "{{clientId}}:" + System.getenv("CLIENT_SECRET");
        var basic = Base64.getEncoder().encodeToString(who.getBytes(StandardCharsets.UTF_8));
        var scope = URLEncoder.encode("{{scope}}", StandardCharsets.UTF_8);
        var request = HttpRequest.newBuilder(URI.create("{{tokenUrl}}"))
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
