"""social-auth in a Django project of one file."""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line
from django.http import HttpResponse
from django.urls import include, path, reverse

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
        "social_django",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    AUTHENTICATION_BACKENDS=["social_core.backends.open_id_connect.OpenIdConnectAuth"],
    SOCIAL_AUTH_OIDC_OIDC_ENDPOINT=os.environ["ISSUER"],
    SOCIAL_AUTH_OIDC_KEY=os.environ["CLIENT_ID"],
    SOCIAL_AUTH_OIDC_SECRET=os.environ["CLIENT_SECRET"],
    LOGIN_REDIRECT_URL="/",
    **({"SOCIAL_AUTH_OIDC_USE_PKCE": True} if os.environ.get("PKCE") else {}),
)
django.setup()


def home(request):
    if request.user.is_authenticated:
        return HttpResponse(f"{request.user.get_full_name()} {request.user.email}")
    return HttpResponse(f'<form method="post" action="{reverse("social:begin", args=["oidc"])}"><button>Sign in')


urlpatterns = [path("", home), path("", include("social_django.urls", namespace="social"))]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", sys.argv[1]])
