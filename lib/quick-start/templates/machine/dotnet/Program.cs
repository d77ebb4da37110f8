using System.Net.Http.Json;
using System.Text.Json;

using var http = new HttpClient();
var response = await http.PostAsync("{{tokenUrl}}", new FormUrlEncodedContent(
    new Dictionary<string, string>
    {
        ["grant_type"] = "client_credentials",
        ["client_id"] = "{{clientId}}",
        ["client_secret"] = Environment.GetEnvironmentVariable("CLIENT_SECRET") ?? "",
        ["scope"] = "{{scope}}",
    }));
response.EnsureSuccessStatusCode();
var token = await response.Content.ReadFromJsonAsync<JsonElement>();
Console.WriteLine($"Granted: {token.GetProperty("scope")}");
Console.WriteLine(token.GetProperty("access_token"));
