// HashiCorp cap: prints where to sign in, and reads the address that the browser is sent to.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/cap/oidc"
)

func main() {
	ctx := context.Background()
	config, err := oidc.NewConfig(
		os.Getenv("ISSUER"),
		os.Getenv("CLIENT_ID"),
		oidc.ClientSecret(os.Getenv("CLIENT_SECRET")),
		[]oidc.Alg{oidc.RS256},
		[]string{os.Getenv("REDIRECT_URI")},
	)
	check(err)
	portal, err := oidc.NewProvider(config)
	check(err)
	defer portal.Done()
	options := []oidc.Option{oidc.WithScopes("profile", "email")}
	if os.Getenv("PKCE") != "" {
		verifier, err := oidc.NewCodeVerifier()
		check(err)
		options = append(options, oidc.WithPKCE(verifier))
	}
	request, err := oidc.NewRequest(time.Minute, os.Getenv("REDIRECT_URI"), options...)
	check(err)
	address, err := portal.AuthURL(ctx, request)
	check(err)
	fmt.Println("Open", address)
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	answer, err := url.Parse(strings.TrimSpace(line))
	check(err)
	query := answer.Query()
	token, err := portal.Exchange(ctx, request, query.Get("state"), query.Get("code"))
	check(err)
	claims := map[string]any{}
	check(token.IDToken().Claims(&claims))
	fmt.Println(claims)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
