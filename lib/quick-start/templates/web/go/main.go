package main

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
	provider, err := oidc.NewProvider(context.Background(), "{{issuer}}")
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: "{{clientId}}"})
	portal := oauth2.Config{
		ClientID:     "{{clientId}}",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "{{redirectUri}}",
		Scopes:       []string{"{{scopes}}"},
	}

	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
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

	http.HandleFunc("{{callbackPath}}", func(w http.ResponseWriter, r *http.Request) {
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
		// Name and address are in userinfo in any case; an ID token may lack them.
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

	log.Fatal(http.ListenAndServe(":{{port}}", nil))
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
