using Microsoft.AspNetCore.Authentication.JwtBearer;

var builder = WebApplication.CreateBuilder(args);
builder.Services
    .AddAuthentication(JwtBearerDefaults.AuthenticationScheme)
    .AddJwtBearer(options =>
    {
        options.Authority = "{{issuer}}";
        options.Audience = "{{audience}}";
        options.MapInboundClaims = false;
        options.TokenValidationParameters.ValidTypes = ["at+jwt"];
{{?plainHttp}}        options.RequireHttpsMetadata = false;
    });
builder.Services.AddAuthorization(options => options.AddPolicy("read", policy => policy.RequireAssertion(
    context => (context.User.FindFirst("scope")?.Value ?? "").Split(' ').Contains("{{scope}}"))));

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/", (HttpContext context) => new { hello = context.User.FindFirst("sub")?.Value })
    .RequireAuthorization("read");
app.Run();
