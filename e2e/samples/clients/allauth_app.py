"""django-allauth in a project of one file."""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command, execute_from_command_line
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import include, path

portal = {
    "provider_id": "portal",
    "name": "the portal",
    "client_id": os.environ["CLIENT_ID"],
    "secret": os.environ["CLIENT_SECRET"],
    "settings": {
        "server_url": os.environ["ISSUER"],
        **({"oauth_pkce_enabled": True} if os.environ.get("PKCE") else {}),
    },
}
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
        "django.contrib.messages",
        "django.contrib.sessions",
        "allauth",
        "allauth.account",
        "allauth.socialaccount",
        "allauth.socialaccount.providers.openid_connect",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "allauth.account.middleware.AccountMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend",
    LOGIN_REDIRECT_URL="/",
    SOCIALACCOUNT_PROVIDERS={"openid_connect": {"APPS": [portal]}},
)
django.setup()


def home(request):
    if request.user.is_authenticated:
        return HttpResponse(f"{request.user.get_full_name()} {request.user.email}")
    return redirect("openid_connect_login", provider_id="portal")


urlpatterns = [path("", home), path("accounts/", include("allauth.urls"))]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", sys.argv[1]])
