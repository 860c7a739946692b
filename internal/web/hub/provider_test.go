package hub

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"golang.org/x/oauth2"

	"sessiontree/internal/session/team"
	"sessiontree/internal/web/oidclogin"
	"sessiontree/internal/web/teampage"
)

// provider is an identity provider that signs everybody in as the person of its claims.
type provider struct {
	*testing.T
	http   *httptest.Server
	key    *rsa.PrivateKey
	claims map[string]any
	denied string
	// The following belong to the code that was given last.
	nonce, challenge string
}

const hubClient, hubSecret = "the-hub", "the secret of the hub"

func newProvider(t *testing.T) *provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{T: t, key: key}
	published := &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "k", Algorithm: "RS256"}}}
	mux := http.NewServeMux()
	mux.Handle("/", published)
	mux.HandleFunc("/auth", p.authorize)
	mux.HandleFunc("/token", p.exchange)
	p.http = httptest.NewServer(mux)
	t.Cleanup(p.http.Close)
	published.SetIssuer(p.http.URL)
	p.claims = map[string]any{
		"iss": p.http.URL, "aud": hubClient, "sub": "ada-1", "exp": time.Now().Add(time.Hour).Unix(),
		"name": "Ada Lovelace", "email": "ada@example.com", "email_verified": true,
	}
	return p
}

// authorize sends the browser back with a code.
func (p *provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("client_id") != hubClient || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || !strings.Contains(q.Get("scope"), "openid") {
		p.Errorf("the browser was sent with %v", q)
	}
	p.nonce, p.challenge = q.Get("nonce"), q.Get("code_challenge")
	back := url.Values{"state": {q.Get("state")}, "code": {"c0de"}}
	if p.denied != "" {
		back = url.Values{"state": {q.Get("state")}, "error": {p.denied}}
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

// exchange gives the token for the code to who has the secret and began the attempt.
func (p *provider) exchange(w http.ResponseWriter, r *http.Request) {
	_, secret, _ := r.BasicAuth()
	if secret, _ = url.QueryUnescape(secret); secret == "" {
		secret = r.FormValue("client_secret")
	}
	if secret != hubSecret || r.FormValue("code") != "c0de" || oauth2.S256ChallengeFromVerifier(r.FormValue("code_verifier")) != p.challenge {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	claims := maps.Clone(p.claims)
	if claims["nonce"] == nil {
		claims["nonce"] = p.nonce
	}
	text, err := json.Marshal(claims)
	if err != nil {
		p.Error(err)
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": oidctest.SignIDToken(p.key, "k", "RS256", string(text))}); err != nil {
		p.Error(err)
	}
}

// newProviderFixture is a hub at which people of example.com sign in at a provider.
func newProviderFixture(t *testing.T) (*fixture, *provider) {
	t.Helper()
	f, p := newFixture(t), newProvider(t)
	f.server.config.Provider = oidclogin.New(oidclogin.Config{
		Issuer: p.http.URL, ClientID: hubClient, ClientSecret: hubSecret, RedirectURL: f.http.URL + teampage.CallbackPath, Allowed: []string{"example.com", "guest@elsewhere.org"},
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
		if _, body := ada.get("/"); !strings.Contains(body, `href="/signin/provider"`) || !strings.Contains(body, "Sign in with "+strings.TrimPrefix(p.http.URL, "http://")) {
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
		p.claims["name"] = "Ada King"
	}
	people, err := f.hub.Registry.ListPeople(t.Context())
	f.check(err)
	if len(people) != 2 || people[1].Name != "Ada Lovelace" || people[1].Email != "ada@example.com" || people[1].Role != team.Reader || people[1].Subject != p.http.URL+" ada-1" {
		t.Errorf("the people are %+v", people)
	}
}

// Nobody is signed in whom the provider does not vouch for, or the hub does not accept.
func TestProvider_refused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*provider)
		status int
		want   string
	}{
		"denied":                {func(p *provider) { p.denied = "access_denied" }, http.StatusForbidden, "access_denied"},
		"of another domain":     {func(p *provider) { p.claims["email"] = "eve@evil.com" }, http.StatusForbidden, "eve@evil.com may not sign in"},
		"of a longer domain":    {func(p *provider) { p.claims["email"] = "eve@notexample.com" }, http.StatusForbidden, "may not sign in"},
		"of a domain below":     {func(p *provider) { p.claims["email"] = "eve@example.com.evil.com" }, http.StatusForbidden, "may not sign in"},
		"a domain in the name":  {func(p *provider) { p.claims["email"] = `"@example.com"@evil.com` }, http.StatusForbidden, "may not sign in"},
		"not verified":          {func(p *provider) { p.claims["email_verified"] = false }, http.StatusForbidden, "does not confirm an e-mail address"},
		"no address":            {func(p *provider) { delete(p.claims, "email") }, http.StatusForbidden, "does not confirm an e-mail address"},
		"for another program":   {func(p *provider) { p.claims["aud"] = "another" }, http.StatusBadGateway, "is not valid"},
		"of another issuer":     {func(p *provider) { p.claims["iss"] = "https://evil.com" }, http.StatusBadGateway, "is not valid"},
		"expired":               {func(p *provider) { p.claims["exp"] = time.Now().Add(-time.Hour).Unix() }, http.StatusBadGateway, "is not valid"},
		"of another attempt":    {func(p *provider) { p.claims["nonce"] = "replayed" }, http.StatusBadGateway, "is not valid"},
		"signed by another key": {func(p *provider) { p.key = newProvider(p.T).key }, http.StatusBadGateway, "is not valid"},
		"not there":             {func(p *provider) { p.http.Close() }, http.StatusBadGateway, "cannot be reached"},
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
	p.claims["email"] = "GUEST@elsewhere.org"
	ada.client.CheckRedirect = nil
	if status, _ := ada.get(back); status != http.StatusOK {
		t.Errorf("status %d in the browser that began", status)
	}
	if status, _ := ada.get(back); status != http.StatusForbidden {
		t.Errorf("status %d for the same code again", status)
	}
}
