package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	portal := clientcredentials.Config{
		ClientID:     "{{clientId}}",
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		TokenURL:     "{{tokenUrl}}",
		Scopes:       []string{"{{scopes}}"},
	}
	token, err := portal.Token(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Granted:", token.Extra("scope"))
	fmt.Println(token.AccessToken)
	// portal.Client(ctx) is an http.Client that sends the token, and gets a new one in time.
}
