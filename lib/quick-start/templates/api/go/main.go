package main

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
	provider, err := oidc.NewProvider(context.Background(), "{{issuer}}")
	if err != nil {
		log.Fatal(err)
	}
	// The package calls the expected audience ClientID.
	verifier := provider.Verifier(&oidc.Config{
		ClientID:             "{{audience}}",
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
			Scope string `json:"scope"`
		}
		token.Claims(&claims)
		if !slices.Contains(strings.Fields(claims.Scope), "{{scope}}") {
			http.Error(w, "not allowed", http.StatusForbidden)
			return
		}
		json.NewEncoder(w).Encode(map[string]string{"hello": token.Subject})
	})
	log.Fatal(http.ListenAndServe(":{{apiPort}}", nil))
}
