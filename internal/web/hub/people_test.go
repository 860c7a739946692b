package hub

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"sessiontree/internal/session/team"
)

// An admin renames people. A person whose access is removed is signed out at once, also on open
// pages, and is the same person with the same sessions when it is given back.
func TestSetPerson(t *testing.T) {
	f := newFixture(t)
	ada, ben := f.addMember("Admin", team.Admin), f.addMember("Ben", team.Member)
	path := ben.push(newSession("s1", "How large is the atlas?"), "s1.jsonl")
	key := ben.key(path)
	set := func(who *member, name, role string) {
		t.Helper()
		if status, body := ada.do(http.MethodPost, "/team/people/"+who.id, url.Values{"name": {name}, "role": {role}}); status != http.StatusOK {
			t.Fatalf("status %d: %s", status, body)
		}
	}
	set(ada, "Ada Lovelace", "admin")
	if _, body := ada.get("/team/settings"); !strings.Contains(body, `value="Ada Lovelace"`) {
		t.Error("the settings do not have the new name")
	}
	dialer := websocket.Dialer{Jar: ben.client.Jar}
	socket, resp, err := dialer.DialContext(t.Context(), strings.Replace(f.http.URL, "http", "ws", 1)+"/live", nil)
	f.check(err)
	defer resp.Body.Close()
	defer socket.Close()
	set(ben, "Ben", "none")
	for err == nil {
		_, _, err = socket.ReadMessage() // until the hub closes it
	}
	for _, address := range []string{"/", "/sessions/" + key} {
		if _, body := ben.get(address); strings.Contains(body, "atlas") || !strings.Contains(body, "Sign in to") {
			t.Errorf("%s is shown without access", address)
		}
	}
	set(ben, "Ben", "reader")
	f.waitFor("the page with access", func() bool {
		status, body := ben.get("/sessions/" + key)
		return status == http.StatusOK && strings.Contains(body, "atlas?")
	})
	_, audit := ada.get("/team/audit")
	for _, want := range []string{"renamed <b>Admin</b> to Ada Lovelace", "removed the access of <b>Ben</b>", "made <b>Ben</b> a reader"} {
		if !strings.Contains(audit, want) {
			t.Errorf("the audit has no %q", want)
		}
	}
}

// A person whose access is removed cannot sign in at the provider, either.
func TestProvider_noAccess(t *testing.T) {
	f, _ := newProviderFixture(t)
	admin, ada := f.addMember("Admin", team.Admin), f.newBrowser()
	ada.get("/signin/provider")
	people, err := f.hub.Registry.ListPeople(t.Context())
	f.check(err)
	admin.do(http.MethodPost, "/team/people/"+people[1].ID, url.Values{"name": {"Ada"}, "role": {"none"}})
	if status, body := f.newBrowser().get("/signin/provider"); status != http.StatusForbidden || !strings.Contains(body, "removed your access") {
		t.Errorf("status %d: %s", status, body)
	}
	if status, body := ada.get("/"); !strings.Contains(body, "Sign in to") {
		t.Errorf("the browser is still signed in: status %d", status)
	}
}
