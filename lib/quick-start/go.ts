import { paths } from '../oidc/paths'
import {
  API_PORT,
  type ApiValues,
  type Guide,
  homeOf,
  pathOf,
  portOf,
  quoted,
  SECRET_LINE,
  sample,
  type Values,
} from './guide'

function installed(packages: string): string {
  return `go mod init example && go get ${packages}`
}

const GO_OIDC = 'github.com/coreos/go-oidc/v3/oidc'

export function go(values: Values): Guide {
  return sample({
    label: 'Go',
    settings: SECRET_LINE,
    install: installed(`${GO_OIDC} golang.org/x/oauth2`),
    files: [{ name: 'main.go', text: server(values) }],
    run: 'go run .',
    open: homeOf(values.redirectUri),
    redirectUri: values.redirectUri,
  })
}

function scopesOf(scope: string): string {
  return `[]string{${scope.split(' ').map(quoted).join(', ')}}`
}

function server(values: Values): string {
  return `${configured(values)}${handlers(values)}${helpers(values)}`
}

function configured({ issuer, clientId, redirectUri, scope }: Values): string {
  return `package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Who is signed in, by the cookie "user". A real application keeps this elsewhere.
var users sync.Map

func main() {
	provider, err := oidc.NewProvider(context.Background(), ${quoted(issuer)})
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: ${quoted(clientId)}})
	portal := oauth2.Config{
		ClientID:     ${quoted(clientId)},
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  ${quoted(redirectUri)},
		Scopes:       ${scopesOf(scope)},
	}

`
}

function handlers({ redirectUri }: Values): string {
  return `	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		user, found := users.Load(kept(r, "user"))
		if !found {
			http.Redirect(w, r, "/login", http.StatusFound)
			return
		}
		json.NewEncoder(w).Encode(user)
	})

	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		state, nonce, proof := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
		keep(w, "state", state)
		keep(w, "nonce", nonce)
		keep(w, "proof", proof)
		address := portal.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(proof))
		http.Redirect(w, r, address, http.StatusFound)
	})

	http.HandleFunc(${quoted(pathOf(redirectUri))}, func(w http.ResponseWriter, r *http.Request) {
		sent := r.URL.Query()
		if kept(r, "state") == "" || kept(r, "state") != sent.Get("state") {
			http.Error(w, "start again at /", http.StatusBadRequest)
			return
		}
		proof := oauth2.VerifierOption(kept(r, "proof"))
		token, err := portal.Exchange(r.Context(), sent.Get("code"), proof)
		if err != nil {
			http.Error(w, "the code was refused", http.StatusBadGateway)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil || idToken.Nonce != kept(r, "nonce") {
			http.Error(w, "the ID token is not valid", http.StatusBadGateway)
			return
		}
		// Name and address are in userinfo, not in the ID token.
		info, err := provider.UserInfo(r.Context(), oauth2.StaticTokenSource(token))
		var user map[string]any
		if err != nil || info.Subject != idToken.Subject || info.Claims(&user) != nil {
			http.Error(w, "userinfo is not valid", http.StatusBadGateway)
			return
		}
		id := rand.Text()
		users.Store(id, user)
		keep(w, "user", id)
		http.Redirect(w, r, "/", http.StatusFound)
	})

`
}

function helpers({ redirectUri }: Values): string {
  return `	log.Fatal(http.ListenAndServe(":${portOf(redirectUri)}", nil))
}

// On https, add Secure.
func keep(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: 3600,
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func kept(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
`
}

export function goMachine(values: Values): Guide {
  return sample({
    label: 'Go',
    settings: SECRET_LINE,
    install: installed('golang.org/x/oauth2'),
    files: [{ name: 'main.go', text: token(values) }],
    run: 'go run .',
  })
}

function token({ origin, clientId, scope }: Values): string {
  return `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	portal := clientcredentials.Config{
		ClientID:     ${quoted(clientId)},
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		TokenURL:     ${quoted(`${origin}${paths.token}`)},
		Scopes:       ${scopesOf(scope)},
	}
	token, err := portal.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Granted:", token.Extra("scope"))
	fmt.Println(token.AccessToken)
	// portal.Client(ctx) is an http.Client that sends the token, and gets a new one in time.
}
`
}

export function goApi(values: ApiValues): Guide {
  return sample({
    label: 'Go',
    install: installed(GO_OIDC),
    files: [{ name: 'main.go', text: resourceServer(values) }],
    run: 'go run .',
  })
}

function resourceServer({ issuer, audience, scope }: ApiValues): string {
  return `package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), ${quoted(issuer)})
	if err != nil {
		log.Fatal(err)
	}
	// The package calls the expected audience ClientID.
	verifier := provider.Verifier(&oidc.Config{
		ClientID:             ${quoted(audience)},
		SupportedSigningAlgs: []string{oidc.ES256, oidc.RS256},
	})

	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		sent := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		token, err := verifier.Verify(r.Context(), sent)
		if err != nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "no valid token", http.StatusUnauthorized)
			return
		}
		var claims struct {
			Scope string \`json:"scope"\`
		}
		token.Claims(&claims)
		if !slices.Contains(strings.Fields(claims.Scope), ${quoted(scope)}) {
			http.Error(w, "not allowed", http.StatusForbidden)
			return
		}
		json.NewEncoder(w).Encode(map[string]string{"hello": token.Subject})
	})
	log.Fatal(http.ListenAndServe(":${API_PORT}", nil))
}
`
}
