//go:build e2e

package e2e

import (
	"path/filepath"
	"testing"

	"sessiontree/e2e/harness"
	"sessiontree/internal/web/oidclogin/oidclogintest"
)

// A person signs in at an identity provider of another site, is refused by the hub without a right
// to it, and signs out.
func TestHub_Provider(t *testing.T) {
	provider := oidclogintest.Start(t)
	t.Setenv("EXPLORER_OIDC_SECRET", oidclogintest.Secret)
	hub := harness.StartHub(t, "--store", filepath.Join(t.TempDir(), "store"),
		"--oidc-issuer", provider.URL, "--oidc-client-id", oidclogintest.ClientID, "--oidc-allow", "example.com")
	p := sharedBrowser(t).NewPage(t)
	p.Open(hub.URL)
	p.CheckAccessibility("signing in at a provider")
	p.Click(`a[href="/signin/provider"]`)
	p.WaitForText("#team", "No sessions yet")
	p.Click("#me summary")
	p.WaitForText("#me", "Ada Lovelace")
	p.Click(`form[action="/signout"] button`)
	p.WaitForElement(`a[href="/signin/provider"]`)

	provider.Claims["email"] = "eve@elsewhere.org"
	p.AllowConsole("403")
	p.Click(`a[href="/signin/provider"]`)
	p.WaitForText("[role=alert]", "eve@elsewhere.org may not sign in to this hub")
	p.CheckAccessibility("refused after signing in at a provider")
}
