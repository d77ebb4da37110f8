import { paths } from '../oidc/paths'
import { type Guide, pathOf, portOf, quoted, type Values } from './guide'

export function go(values: Values): Guide {
  return {
    label: 'Go',
    install: 'go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
    files: [{ name: 'main.go', text: server(values) }],
    run: 'CLIENT_SECRET=… go run .',
    redirectUri: values.redirectUri,
  }
}

function scopesOf(scope: string): string {
  return `[]string{${scope.split(' ').map(quoted).join(', ')}}`
}

function server(values: Values): string {
  return `${configured(values)}${handlers(values)}${listening(values)}`
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

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, ${quoted(issuer)})
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
  return `	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		state, proof := rand.Text(), oauth2.GenerateVerifier()
		keep(w, "state", state)
		keep(w, "proof", proof)
		http.Redirect(w, r, portal.AuthCodeURL(state, oauth2.S256ChallengeOption(proof)), http.StatusFound)
	})

	http.HandleFunc(${quoted(pathOf(redirectUri))}, func(w http.ResponseWriter, r *http.Request) {
		state, _ := r.Cookie("state")
		proof, _ := r.Cookie("proof")
		if state == nil || proof == nil || state.Value != r.URL.Query().Get("state") {
			http.Error(w, "start again at /login", http.StatusBadRequest)
			return
		}
		token, err := portal.Exchange(r.Context(), r.URL.Query().Get("code"), oauth2.VerifierOption(proof.Value))
		if err != nil {
			http.Error(w, "the code was refused", http.StatusBadGateway)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), raw)
		if err != nil {
			http.Error(w, "the ID token is not valid", http.StatusBadGateway)
			return
		}
		var claims map[string]any
		if err := idToken.Claims(&claims); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		json.NewEncoder(w).Encode(claims)
	})

`
}

function listening({ redirectUri }: Values): string {
  return `	log.Fatal(http.ListenAndServe(":${portOf(redirectUri)}", nil))
}

// For the few minutes of a sign-in. On https, add Secure.
func keep(w http.ResponseWriter, name, value string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: 600,
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
`
}

export function goMachine(values: Values): Guide {
  return {
    label: 'Go',
    install: 'go get golang.org/x/oauth2',
    files: [{ name: 'main.go', text: token(values) }],
    run: 'CLIENT_SECRET=… go run .',
    redirectUri: null,
  }
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
