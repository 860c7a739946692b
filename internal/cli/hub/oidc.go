package hub

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"sessiontree/internal/web/oidclogin"
	"sessiontree/internal/web/teampage"
)

// secretVariable is the environment variable with the secret of the hub at the identity provider:
// everybody on the computer can read the arguments of a program.
const secretVariable = "EXPLORER_OIDC_SECRET"

// oidcOptions say at which identity provider people sign in.
type oidcOptions struct {
	issuer, clientID string
	allowed          []string
}

func (o *oidcOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.issuer, "oidc-issuer", "", "people sign in at the OpenID Connect provider at `URL`; "+secretVariable+" has the secret of the hub, if it has one")
	f.StringVar(&o.clientID, "oidc-client-id", "", "the `ID` of the hub at the provider")
	f.StringArrayVar(&o.allowed, "oidc-allow", nil, "`DOMAIN` or e-mail address of people who may sign in, or * for all whom the provider signs in; repeatable")
}

// check returns an error for invalid combinations of flags.
func (o *oidcOptions) check() error {
	if o.issuer == "" && o.clientID == "" && len(o.allowed) == 0 {
		return nil
	}
	u, err := url.Parse(o.issuer)
	switch {
	case o.issuer == "" || o.clientID == "":
		return errors.New("--oidc-issuer and --oidc-client-id go together")
	case err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && isLoopback(u.Hostname())):
		return fmt.Errorf("--oidc-issuer %s: want a URL like https://login.example.com", o.issuer)
	case len(o.allowed) == 0:
		return errors.New("say who may sign in: --oidc-allow example.com, or --oidc-allow '*' for all whom the provider signs in")
	}
	return nil
}

// newProvider returns the identity provider of a hub with an address, nil if there is none.
func (o *oidcOptions) newProvider(address string) *oidclogin.Provider {
	if o.issuer == "" {
		return nil
	}
	return oidclogin.New(oidclogin.Config{
		Issuer: o.issuer, ClientID: o.clientID, ClientSecret: os.Getenv(secretVariable), RedirectURL: address + teampage.CallbackPath,
		Allowed: o.allowed, Secure: strings.HasPrefix(address, "https:"),
	})
}
