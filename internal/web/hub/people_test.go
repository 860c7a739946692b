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
	waitForClose := ben.openSocket()
	set(ben, "Ben", "none")
	waitForClose()
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

// openSocket opens a socket as a page does. The returned function waits until the hub closes it.
func (m *member) openSocket() (waitForClose func()) {
	m.Helper()
	dialer := websocket.Dialer{Jar: m.client.Jar}
	socket, resp, err := dialer.DialContext(m.Context(), strings.Replace(m.http.URL, "http", "ws", 1)+"/live", nil)
	m.check(err)
	m.Cleanup(func() { resp.Body.Close(); socket.Close() })
	return func() {
		for err == nil {
			_, _, err = socket.ReadMessage()
		}
	}
}

// The open pages of a person whose access another process of the hub has removed are closed.
func TestCloseWithoutAccess(t *testing.T) {
	f := newFixture(t)
	ada, ben := f.addMember("Ada", team.Admin), f.addMember("Ben", team.Member)
	ada.get("/")
	isOpen := func(m *member) bool {
		f.server.mu.Lock()
		defer f.server.mu.Unlock()
		return f.server.apps[m.id] != nil
	}
	waitForClose := ben.openSocket()
	f.server.closeWithoutAccess()
	if !isOpen(ada) || !isOpen(ben) {
		t.Error("the explorer of somebody with access is closed")
	}
	f.check(f.hub.Registry.SetPerson(t.Context(), ben.id, "Ben", team.None))
	f.server.closeWithoutAccess()
	waitForClose()
	if !isOpen(ada) || isOpen(ben) {
		t.Error("not only the explorer of Ada is open")
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
