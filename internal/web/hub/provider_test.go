package hub

import (
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/team"
	"sessiontree/internal/web/oidclogin"
	"sessiontree/internal/web/oidclogin/oidclogintest"
	"sessiontree/internal/web/teampage"
)

// newProviderFixture is a hub at which people of example.com sign in at a provider.
func newProviderFixture(t *testing.T) (*fixture, *oidclogintest.Provider) {
	t.Helper()
	f, p := newFixture(t), oidclogintest.Start(t)
	f.server.config.Provider = oidclogin.New(oidclogin.Config{
		Issuer: p.URL, ClientID: oidclogintest.ClientID, ClientSecret: oidclogintest.Secret, RedirectURL: f.http.URL + teampage.CallbackPath, Allowed: []string{"example.com", "guest@elsewhere.org"},
	})
	return f, p
}

// newBrowser returns a person who has not signed in.
func (f *fixture) newBrowser() *member {
	jar, err := cookiejar.New(nil)
	f.check(err)
	return &member{fixture: f, client: &http.Client{Jar: jar}}
}

// A person whom the provider signs in is a reader with the name from there, and the same person
// when signing in again.
func TestProvider(t *testing.T) {
	f, p := newProviderFixture(t)
	f.addMember("Admin", team.Admin)
	for range 2 {
		ada := f.newBrowser()
		if _, body := ada.get("/"); !strings.Contains(body, `href="/signin/provider"`) || !strings.Contains(body, "Sign in with "+p.Host()) {
			t.Fatalf("the page that signs in does not name the provider: %s", body)
		}
		if status, body := ada.get(teampage.ProviderPath); status != http.StatusOK || !strings.Contains(body, "Ada Lovelace") {
			t.Fatalf("status %d: %s", status, body)
		}
		if status, body := ada.get("/"); status != http.StatusOK || strings.Contains(body, "/signin/provider") {
			t.Errorf("the browser is not signed in: status %d", status)
		}
		f.clock.Add(int64(25 * time.Hour))
		if _, body := ada.get("/"); !strings.Contains(body, `href="/signin/provider"`) {
			t.Error("the browser is signed in after a day")
		}
		p.Claims["name"] = "Ada King"
	}
	people, err := f.hub.Registry.ListPeople(t.Context())
	f.check(err)
	if len(people) != 2 || people[1].Name != "Ada Lovelace" || people[1].Email != "ada@example.com" || people[1].Role != team.Reader || people[1].Subject != p.URL+" ada-1" {
		t.Errorf("the people are %+v", people)
	}
}

// Nobody is signed in whom the provider does not vouch for, or the hub does not accept.
func TestProvider_refused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*oidclogintest.Provider)
		status int
		want   string
	}{
		"denied":                {func(p *oidclogintest.Provider) { p.Denied = "access_denied" }, http.StatusForbidden, "access_denied"},
		"of another domain":     {func(p *oidclogintest.Provider) { p.Claims["email"] = "eve@evil.com" }, http.StatusForbidden, "eve@evil.com may not sign in"},
		"of a longer domain":    {func(p *oidclogintest.Provider) { p.Claims["email"] = "eve@notexample.com" }, http.StatusForbidden, "may not sign in"},
		"of a domain below":     {func(p *oidclogintest.Provider) { p.Claims["email"] = "eve@example.com.evil.com" }, http.StatusForbidden, "may not sign in"},
		"a domain in the name":  {func(p *oidclogintest.Provider) { p.Claims["email"] = `"@example.com"@evil.com` }, http.StatusForbidden, "may not sign in"},
		"not verified":          {func(p *oidclogintest.Provider) { p.Claims["email_verified"] = false }, http.StatusForbidden, "does not confirm an e-mail address"},
		"no address":            {func(p *oidclogintest.Provider) { delete(p.Claims, "email") }, http.StatusForbidden, "does not confirm an e-mail address"},
		"for another program":   {func(p *oidclogintest.Provider) { p.Claims["aud"] = "another" }, http.StatusBadGateway, "is not valid"},
		"of another issuer":     {func(p *oidclogintest.Provider) { p.Claims["iss"] = "https://evil.com" }, http.StatusBadGateway, "is not valid"},
		"expired":               {func(p *oidclogintest.Provider) { p.Claims["exp"] = time.Now().Add(-time.Hour).Unix() }, http.StatusBadGateway, "is not valid"},
		"of another attempt":    {func(p *oidclogintest.Provider) { p.Claims["nonce"] = "replayed" }, http.StatusBadGateway, "is not valid"},
		"signed by another key": {func(p *oidclogintest.Provider) { p.Key = oidclogintest.Start(t).Key }, http.StatusBadGateway, "is not valid"},
		"not there":             {func(p *oidclogintest.Provider) { p.Stop() }, http.StatusBadGateway, "cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			f, p := newProviderFixture(t)
			test.change(p)
			eve := f.newBrowser()
			if status, body := eve.get(teampage.ProviderPath); status != test.status || !strings.Contains(body, test.want) {
				t.Errorf("status %d: %s", status, body)
			}
			f.wantStranger(eve)
		})
	}
}

// wantStranger fails if somebody was signed in.
func (f *fixture) wantStranger(m *member) {
	f.Helper()
	if _, body := m.get("/"); !strings.Contains(body, "/signin/provider") {
		f.Error("the browser is signed in")
	}
	people, err := f.hub.Registry.ListPeople(f.Context())
	f.check(err)
	if len(people) > 0 {
		f.Errorf("somebody was added: %+v", people)
	}
}

// A code is of use only in the browser that began, and once.
func TestProvider_otherBrowser(t *testing.T) {
	f, p := newProviderFixture(t)
	ada, eve := f.newBrowser(), f.newBrowser()
	back := ""
	ada.client.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == teampage.CallbackPath {
			back = r.URL.RequestURI()
			return http.ErrUseLastResponse
		}
		return nil
	}
	ada.get(teampage.ProviderPath)
	if back == "" {
		t.Fatal("the provider did not send the browser back")
	}
	for name, path := range map[string]string{"the code of somebody else": back, "no state": teampage.CallbackPath + "?code=c0de", "nothing": teampage.CallbackPath} {
		if status, body := eve.get(path); status != http.StatusForbidden || !strings.Contains(body, "was not started in this browser") {
			t.Errorf("%s: status %d: %s", name, status, body)
		}
	}
	f.wantStranger(eve)
	p.Claims["email"] = "GUEST@elsewhere.org"
	ada.client.CheckRedirect = nil
	if status, _ := ada.get(back); status != http.StatusOK {
		t.Errorf("status %d in the browser that began", status)
	}
	if status, _ := ada.get(back); status != http.StatusForbidden {
		t.Errorf("status %d for the same code again", status)
	}
}
