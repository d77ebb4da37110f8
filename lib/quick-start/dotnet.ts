import { paths } from '../oidc/paths'
import {
  API_PORT,
  type ApiValues,
  type Guide,
  homeOf,
  isPlainHttp,
  quoted,
  redirectAt,
  SECRET_LINE,
  sample,
  type Values,
} from './guide'

/** ASP.NET Core. */

const DOTNET_CALLBACK = '/signin-oidc'
const NEW_WEB = 'dotnet new web --name Example --output . && dotnet add package'

/** The handlers refuse plain http by default. */
function insecure(values: Pick<Values, 'issuer'>, before: string): string {
  return isPlainHttp(values) ? `${before}options.RequireHttpsMetadata = false;\n` : ''
}

export function dotnet(values: Values): Guide {
  const redirectUri = redirectAt(values, DOTNET_CALLBACK)
  const { origin } = new URL(redirectUri)
  return sample({
    label: '.NET',
    settings: SECRET_LINE,
    install: `${NEW_WEB} Microsoft.AspNetCore.Authentication.OpenIdConnect`,
    files: [{ name: 'Program.cs', text: server(values) }],
    run: `dotnet run --urls ${origin}`,
    open: homeOf(redirectUri),
    redirectUri,
    tested: false,
  })
}

function server(values: Values): string {
  const { issuer, clientId, scope } = values
  const scopes = scope.split(' ').map((one) => `        options.Scope.Add(${quoted(one)});\n`)
  return `using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = ${quoted(issuer)};
        options.ClientId = ${quoted(clientId)};
        options.ClientSecret = Environment.GetEnvironmentVariable("CLIENT_SECRET");
        options.ResponseType = "code";
        options.Scope.Clear();
${scopes.join('')}        options.MapInboundClaims = false;
        options.GetClaimsFromUserInfoEndpoint = true;
${insecure(values, '        ')}    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => context.User.Claims.Select(one => new { one.Type, one.Value }))
    .RequireAuthorization();
app.Run();
`
}

export function dotnetMachine(values: Values): Guide {
  return sample({
    label: '.NET',
    settings: SECRET_LINE,
    install: 'dotnet new console --name Example --output .',
    files: [{ name: 'Program.cs', text: token(values) }],
    run: 'dotnet run',
    tested: false,
  })
}

function token({ origin, clientId, scope }: Values): string {
  return `using System.Net.Http.Json;
using System.Text.Json;

using var http = new HttpClient();
var response = await http.PostAsync(${quoted(`${origin}${paths.token}`)}, new FormUrlEncodedContent(
    new Dictionary<string, string>
    {
        ["grant_type"] = "client_credentials",
        ["client_id"] = ${quoted(clientId)},
        ["client_secret"] = Environment.GetEnvironmentVariable("CLIENT_SECRET") ?? "",
        ["scope"] = ${quoted(scope)},
    }));
response.EnsureSuccessStatusCode();
var token = await response.Content.ReadFromJsonAsync<JsonElement>();
Console.WriteLine($"Granted: {token.GetProperty("scope")}");
Console.WriteLine(token.GetProperty("access_token"));
`
}

export function dotnetApi(values: ApiValues): Guide {
  return sample({
    label: '.NET',
    install: `${NEW_WEB} Microsoft.AspNetCore.Authentication.JwtBearer`,
    files: [{ name: 'Program.cs', text: resourceServer(values) }],
    run: `dotnet run --urls http://localhost:${API_PORT}`,
    tested: false,
  })
}

function resourceServer(values: ApiValues): string {
  const { issuer, audience, scope } = values
  return `using Microsoft.AspNetCore.Authentication.JwtBearer;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(JwtBearerDefaults.AuthenticationScheme)
    .AddJwtBearer(options =>
    {
        options.Authority = ${quoted(issuer)};
        options.Audience = ${quoted(audience)};
        options.MapInboundClaims = false;
        options.TokenValidationParameters.ValidTypes = ["at+jwt"];
${insecure(values, '        ')}    });
builder.Services.AddAuthorization(options => options.AddPolicy("read", policy => policy.RequireAssertion(
    context => (context.User.FindFirst("scope")?.Value ?? "").Split(' ').Contains(${quoted(scope)}))));

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => new { hello = context.User.FindFirst("sub")?.Value })
    .RequireAuthorization("read");
app.Run();
`
}
