using Microsoft.AspNetCore.Authentication.Cookies;
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
        options.Authority = "{{issuer}}";
        options.ClientId = "{{clientId}}";
        options.ClientSecret = Environment.GetEnvironmentVariable("CLIENT_SECRET");
        options.ResponseType = "code";
        options.Scope.Clear();
{{*scopes}}        options.Scope.Add("{{item}}");
        options.MapInboundClaims = false;
        options.GetClaimsFromUserInfoEndpoint = true;
{{?plainHttp}}        options.RequireHttpsMetadata = false;
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => context.User.Claims.Select(one => new { one.Type, one.Value }))
    .RequireAuthorization();
app.Run();
