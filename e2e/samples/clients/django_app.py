"""mozilla-django-oidc in a project of one file."""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import include, path

ISSUER = os.environ["ISSUER"]
settings.configure(
    DEBUG=True,
    SECRET_KEY="only for this test",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "db.sqlite3"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "mozilla_django_oidc",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    OIDC_RP_CLIENT_ID=os.environ["CLIENT_ID"],
    OIDC_RP_CLIENT_SECRET=os.environ["CLIENT_SECRET"],
    OIDC_RP_SIGN_ALGO="RS256",
    OIDC_OP_AUTHORIZATION_ENDPOINT=ISSUER + "/oidc/auth",
    OIDC_OP_TOKEN_ENDPOINT=ISSUER + "/oidc/token",
    OIDC_OP_USER_ENDPOINT=ISSUER + "/oidc/me",
    OIDC_OP_JWKS_ENDPOINT=ISSUER + "/oidc/.well-known/jwks.json",
    LOGIN_REDIRECT_URL="/",
    LOGIN_REDIRECT_URL_FAILURE="/failed",
    **({"OIDC_USE_PKCE": True} if os.environ.get("PKCE") else {}),
)
django.setup()


def home(request):
    if request.user.is_authenticated:
        return HttpResponse(request.user.email)
    return redirect("oidc_authentication_init")


def failed(_request):
    return HttpResponse("mozilla-django-oidc signed nobody in")


urlpatterns = [
    path("", home),
    path("failed", failed),
    path("oidc/", include("mozilla_django_oidc.urls")),
]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", sys.argv[1]])
