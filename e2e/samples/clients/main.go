// go-oidc: prints where to sign in, and reads the address that the browser is sent to.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net/url"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	portal := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	asking, proving := []oauth2.AuthCodeOption{}, []oauth2.AuthCodeOption{}
	if os.Getenv("PKCE") != "" {
		verifier := oauth2.GenerateVerifier()
		asking = append(asking, oauth2.S256ChallengeOption(verifier))
		proving = append(proving, oauth2.VerifierOption(verifier))
	}
	fmt.Println("Open", portal.AuthCodeURL("state", asking...))
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	answer, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		log.Fatal(err)
	}
	token, err := portal.Exchange(ctx, answer.Query().Get("code"), proving...)
	if err != nil {
		log.Fatal(err)
	}
	raw, _ := token.Extra("id_token").(string)
	checked, err := provider.Verifier(&oidc.Config{ClientID: portal.ClientID}).Verify(ctx, raw)
	if err != nil {
		log.Fatal(err)
	}
	claims := map[string]any{}
	if err := checked.Claims(&claims); err != nil {
		log.Fatal(err)
	}
	fmt.Println(claims)
}
