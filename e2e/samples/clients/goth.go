// goth on net/http, with its provider for OpenID Connect.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/gorilla/sessions"
	"github.com/markbates/goth"
	"github.com/markbates/goth/gothic"
	"github.com/markbates/goth/providers/openidConnect"
)

func main() {
	portal, err := openidConnect.New(
		os.Getenv("CLIENT_ID"),
		os.Getenv("CLIENT_SECRET"),
		os.Getenv("REDIRECT_URI"),
		os.Getenv("ISSUER")+"/.well-known/openid-configuration",
		"openid", "profile", "email",
	)
	if err != nil {
		log.Fatal(err)
	}
	goth.UseProviders(portal)
	gothic.Store = sessions.NewCookieStore([]byte("only for this test"))
	gothic.GetProviderName = func(*http.Request) (string, error) { return portal.Name(), nil }
	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		user, err := gothic.CompleteUserAuth(w, r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, user.UserID, user.Name, user.Email)
	})
	http.HandleFunc("/", gothic.BeginAuthHandler)
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
