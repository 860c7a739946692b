package hub

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/gorilla/websocket"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
	"sessiontree/internal/testgen/transcript"
	"sessiontree/internal/web/view"
)

// fixture is a hub with people, each with a device.
type fixture struct {
	*testing.T
	dir    string
	hub    *hub.Hub
	server *Server
	http   *httptest.Server
	clock  atomic.Int64 // ns after the start
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{T: t, dir: t.TempDir()}
	f.open()
	return f
}

func (f *fixture) now() time.Time {
	return time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC).Add(time.Duration(f.clock.Load()))
}

// open opens the hub, as a start of the program does.
func (f *fixture) open() {
	f.Helper()
	var err error
	f.hub, err = hub.New(hub.Config{Dir: f.dir, Clock: f.now})
	f.check(err)
	f.http = httptest.NewUnstartedServer(nil)
	f.server, err = New(Config{Hub: f.hub, Formats: format.All, View: view.Config{}, URL: "http://" + f.http.Listener.Addr().String(), Log: slog.New(slog.DiscardHandler), Clock: f.now})
	f.check(err)
	f.http.Config.Handler = f.server.Handler()
	f.http.Start()
	f.Cleanup(f.close)
}

func (f *fixture) close() {
	f.server.Close()
	f.http.Close()
	_ = f.hub.Close() // twice after a restart
}

func (f *fixture) check(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// member is somebody with a browser and a device.
type member struct {
	*fixture
	id     string
	client *http.Client
}

// addMember adds a person who signs in.
func (f *fixture) addMember(name string, role team.Role) *member {
	f.Helper()
	code, err := f.hub.Invite(f.Context(), "", name, role)
	f.check(err)
	jar, err := cookiejar.New(nil)
	f.check(err)
	m := &member{fixture: f, client: &http.Client{Jar: jar}}
	resp, err := m.client.PostForm(f.http.URL+"/signin", url.Values{"code": {code}})
	f.check(err)
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		f.Fatalf("%s cannot sign in: %s", name, resp.Status)
	}
	people, err := f.hub.Registry.ListPeople(f.Context())
	f.check(err)
	m.id = people[len(people)-1].ID
	f.check(f.hub.Registry.AddDevice(f.Context(), team.Device{ID: "pc" + m.id, Person: m.id, Name: name + "-pc", Token: team.HashSecret(m.id), Projects: []string{"atlas"}}))
	return m
}

// push stores a session of the member and returns its path in the archive.
func (m *member) push(file *transcript.File, name string) string {
	m.Helper()
	path := "/pc" + m.id + "/pi/" + name
	m.check(m.hub.Registry.PutFile(m.Context(), team.File{Path: path, Session: path, Device: "pc" + m.id, Person: m.id, Project: "atlas", Format: "pi", Rules: "none"}))
	m.append(path, file.Bytes())
	return path
}

// append stores further bytes of a file.
func (m *member) append(path string, data []byte) {
	m.Helper()
	heads, err := m.hub.Archive.Heads(m.Context(), path)
	m.check(err)
	s := archive.Segment{Path: path, Generation: 1, Before: archive.EmptyChain, Data: data, ModTime: m.now()}
	if len(heads) > 0 {
		s.Off, s.Before = heads[0].End, heads[0].Chain
	}
	_, err = m.hub.Archive.Append(m.Context(), s)
	m.check(err)
	m.hub.FileGrew(path)
}

// get returns the status and the body of a response.
func (m *member) get(path string) (int, string) {
	m.Helper()
	return m.do(http.MethodGet, path, nil)
}

func (m *member) do(method, path string, form url.Values) (int, string) {
	m.Helper()
	r, err := http.NewRequestWithContext(m.Context(), method, m.http.URL+path, strings.NewReader(form.Encode()))
	m.check(err)
	r.Header.Set("Accept", "text/html")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := m.client.Do(r)
	m.check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	m.check(err)
	return resp.StatusCode, string(body)
}

// key returns the key of a session in the explorer of the member, "" if it is not there.
func (m *member) key(path string) string {
	m.Helper()
	m.get("/") // opens the explorer
	a, err := m.server.findApp(team.Person{ID: m.id})
	m.check(err)
	defer a.release()
	a.filling.Wait()
	a.catalog.UpdatePaths(m.Context(), filepath.Join(a.files.Dir(), path))
	if s, ok := a.catalog.FindByPath(filepath.Join(a.files.Dir(), path)); ok {
		return s.Key
	}
	return ""
}

func newSession(id, text string) *transcript.File {
	f := transcript.New(transcript.Pi, id, "/home/dev/atlas", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	f.AddPrompt(text)
	f.AddReply("An answer to " + text)
	return f
}

// waitFor waits until a condition is true.
func (f *fixture) waitFor(what string, is func() bool) {
	f.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			f.Fatalf("%s did not happen", what)
		}
	}
}

// A session is shown to its owner, also after a new start, and grows as its device pushes.
func TestServePerson(t *testing.T) {
	f := newFixture(t)
	ada := f.addMember("Ada", team.Admin)
	file := newSession("s1", "How large is the atlas?")
	path := ada.push(file, "s1.jsonl")
	f.waitFor("the session in the list", func() bool { _, body := ada.get("/"); return strings.Contains(body, "How large is the atlas?") })
	file.AddPrompt("And the index?")
	ada.append(path, file.LastLines(1))
	key := ada.key(path)
	f.waitFor("the new entry on the page", func() bool { _, body := ada.get("/sessions/" + key); return strings.Contains(body, "And the index?") })

	f.close()
	f.open()
	jar := ada.client.Jar
	old, err := url.Parse("http://127.0.0.1")
	f.check(err)
	jar.SetCookies(old, jar.Cookies(old)) // the same host, another port
	f.waitFor("the session in the list after a new start", func() bool { _, body := ada.get("/"); return strings.Contains(body, "How large is the atlas?") })
}

// The pages that show a session are notified of what a device pushes.
func TestServePerson_Live(t *testing.T) {
	f := newFixture(t)
	ada := f.addMember("Ada", team.Admin)
	file := newSession("s1", "How large is the atlas?")
	path := ada.push(file, "s1.jsonl")
	key := ada.key(path)
	if status, _ := ada.get("/sessions/" + key); status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	dialer := websocket.Dialer{Jar: ada.client.Jar}
	socket, resp, err := dialer.DialContext(t.Context(), strings.Replace(f.http.URL, "http", "ws", 1)+"/live", nil)
	f.check(err)
	defer resp.Body.Close()
	defer socket.Close()
	f.check(socket.WriteJSON(map[string]any{"sub": []map[string]string{{"topic": "session:" + key, "rev": ""}}}))
	for range 3 {
		file.AddPrompt("And the index?")
		ada.append(path, file.LastLines(1))
		f.check(socket.SetReadDeadline(time.Now().Add(20 * time.Second)))
		for {
			var notice struct{ Topic, Kind, Leaf string }
			f.check(socket.ReadJSON(&notice))
			t.Logf("%+v", notice)
			if notice.Leaf == file.LastID {
				break
			}
		}
	}
}

// Nothing of a private session of somebody else is in any response to others.
func TestServePerson_Isolation(t *testing.T) {
	f := newFixture(t)
	ada, ben, reader := f.addMember("Ada", team.Admin), f.addMember("Ben", team.Admin), f.addMember("Rea", team.Reader)
	const marker = "ada-private-marker"
	file := newSession("s1", marker)
	call := file.AddToolCall("", "bash", transcript.Object{"command", "make"})
	path := ada.push(file, "s1.jsonl")
	key := ada.key(path)
	if key == "" || ben.key(path) != "" {
		t.Fatalf("the key for the owner is %q, for others %q", key, ben.key(path))
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // at the page that signs in
	stranger := &member{fixture: f, client: &http.Client{CheckRedirect: stay}}
	device := &member{fixture: f, client: &http.Client{CheckRedirect: stay, Transport: bearer(ben.id)}}
	replace := strings.NewReplacer("{key}", key, "{id}", call, "{line}", "2", "{n}", "0", "*", "x")
	routes := 0
	for _, viewer := range []*member{ben, reader, stranger, device} {
		viewer.eachRoute(func(method, pattern string) {
			if pattern == "/signout" {
				return
			}
			routes++
			for _, query := range []string{"", "?q=" + marker, "?q=Ada", "?person=" + ada.id, "?path=" + url.QueryEscape(path)} {
				status, body := viewer.do(method, replace.Replace(pattern)+query, url.Values{})
				if body = strings.ReplaceAll(body, "q="+marker, ""); pattern != "/search" && strings.Contains(body, marker) {
					t.Errorf("%s %s%s: %d, and the response has the text of the session", method, pattern, query, status)
				}
				if strings.Contains(pattern, "{key}") && status == http.StatusOK && !strings.Contains(pattern, "/search/") {
					t.Errorf("%s %s%s: status %d", method, pattern, query, status)
				}
			}
		})
	}
	if routes < 100 {
		t.Errorf("only %d routes were walked", routes)
	}
	if _, body := ada.get("/sessions/" + key); !strings.Contains(body, marker) {
		t.Error("the owner does not see the session")
	}
}

// bearer sends the token of the device of a person with each request.
type bearer string

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// eachRoute calls fn for each route of the explorer that the member would get.
func (m *member) eachRoute(fn func(method, pattern string)) {
	m.Helper()
	a, err := m.server.findApp(team.Person{ID: m.id})
	m.check(err)
	defer a.release()
	m.check(chi.Walk(a.web.Routes(), func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		fn(method, pattern)
		return nil
	}))
}

// A session is seen by others while it is shared, that is on record, and afterwards it is gone
// from the memory of their explorers.
func TestSetVisibility(t *testing.T) {
	f := newFixture(t)
	ada, ben := f.addMember("Ada", team.Member), f.addMember("Ben", team.Member)
	path := ada.push(newSession("s1", "How large is the atlas?"), "s1.jsonl")
	key := ada.key(path)
	ben.get("/")
	set := func(who *member, to string) int {
		status, _ := who.do(http.MethodPost, "/team/sessions/"+key+"/visibility", url.Values{"to": {to}})
		return status
	}
	if status := set(ben, "team"); status != http.StatusNotFound {
		t.Errorf("somebody else shares it: status %d", status)
	}
	if status := set(ada, "everybody"); status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown visibility: status %d", status)
	}
	set(ada, "team")
	if got := ben.key(path); got != key {
		t.Fatalf("the key for others is %q, want %q", got, key)
	}
	for range 3 {
		if status, body := ben.get("/sessions/" + key); status != http.StatusOK || !strings.Contains(body, "atlas?") {
			t.Fatalf("status %d", status)
		}
	}
	ada.get("/sessions/" + key)
	if got := reads(f, ada.id); got != 1 {
		t.Errorf("%d reads are on record, want 1", got)
	}
	f.clock.Store(int64(2 * time.Hour))
	ben.get("/sessions/" + key)
	if got := reads(f, ada.id); got != 2 {
		t.Errorf("%d reads are on record after two hours, want 2", got)
	}
	if status := set(ben, "private"); status != http.StatusNotFound {
		t.Errorf("somebody else makes it private: status %d", status)
	}
	set(ada, "private")
	if status, body := ben.get("/sessions/" + key); status != http.StatusNotFound || strings.Contains(body, "atlas?") {
		t.Errorf("after it was made private: status %d", status)
	}
}

// reads returns how many reads of sessions of a person by others are on record.
func reads(f *fixture, viewer string) (n int) {
	events, err := f.hub.Registry.ListEvents(f.Context(), team.EventFilter{Viewer: viewer})
	f.check(err)
	for _, e := range events {
		if e.Action == team.Read {
			n++
		}
	}
	return n
}

// A deleted session is gone for everybody, with its bytes.
func TestDeleteSession(t *testing.T) {
	f := newFixture(t)
	ada, ben := f.addMember("Ada", team.Member), f.addMember("Ben", team.Admin)
	path := ada.push(newSession("s1", "How large is the atlas?"), "s1.jsonl")
	key := ada.key(path)
	if status, _ := ben.do(http.MethodPost, "/team/sessions/"+key+"/delete", url.Values{}); status != http.StatusNotFound {
		t.Errorf("an admin deletes a private session of somebody else: status %d", status)
	}
	if status, body := ada.get("/team/sessions/" + key + "/delete"); status != http.StatusOK || !strings.Contains(body, "How large is the atlas?") {
		t.Errorf("the question: status %d", status)
	}
	ada.do(http.MethodPost, "/team/sessions/"+key+"/delete", url.Values{})
	if status, _ := ada.get("/sessions/" + key); status != http.StatusNotFound {
		t.Errorf("afterwards: status %d", status)
	}
	if _, err := f.hub.Archive.OpenFile(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its bytes: %v", err)
	}
	_, body := ada.get("/team/audit")
	for _, want := range []string{"deleted", "purged"} {
		if !strings.Contains(body, want) {
			t.Errorf("the audit has no %q", want)
		}
	}
}

// Only an admin manages people and projects; the last one stays an admin.
func TestSettings(t *testing.T) {
	f := newFixture(t)
	ada, ben := f.addMember("Ada", team.Admin), f.addMember("Ben", team.Member)
	ben.push(newSession("s1", "private by default"), "s1.jsonl")
	for path, form := range map[string]url.Values{
		"/team/people": {"name": {"Eve"}, "role": {"admin"}}, "/team/people/" + ben.id: {"name": {"Ben"}, "role": {"admin"}},
		"/team/people/" + ada.id + "/link": {}, "/team/projects": {"name": {"atlas"}, "visibility": {"team"}, "days": {"1"}},
	} {
		if status, _ := ben.do(http.MethodPost, path, form); status != http.StatusForbidden {
			t.Errorf("%s as a member: status %d", path, status)
		}
	}
	if status, body := ada.do(http.MethodPost, "/team/people/"+ada.id, url.Values{"name": {"Ada"}, "role": {"reader"}}); status != http.StatusUnprocessableEntity || !strings.Contains(body, "needs an admin") {
		t.Errorf("the last admin: status %d", status)
	}
	if status, body := ada.do(http.MethodPost, "/team/people", url.Values{"name": {"Cy"}, "role": {"reader"}}); status != http.StatusOK || !strings.Contains(body, "/signin?code=") {
		t.Errorf("inviting: status %d", status)
	}
	if _, body := ada.get("/"); strings.Contains(body, "private by default</b>") {
		t.Error("a private session is in the list of an admin")
	}
	ada.do(http.MethodPost, "/team/projects", url.Values{"name": {"atlas"}, "visibility": {"team"}, "days": {"30"}})
	f.waitFor("the session of the project in the list", func() bool { _, body := ada.get("/"); return strings.Contains(body, "private by default</b>") })

	f.clock.Store(int64(40 * 24 * time.Hour))
	f.check(f.hub.DeleteExpired(t.Context()))
	if files, err := f.hub.ListFiles(t.Context(), ""); err != nil || len(files) > 0 {
		t.Errorf("after 40 days the hub has %v, %v", files, err)
	}
}

// Codes sign in once; signing out forgets the browser.
func TestSignIn(t *testing.T) {
	f := newFixture(t)
	ada := f.addMember("Ada", team.Admin)
	code, err := f.hub.NewSignInCode(t.Context(), ada.id)
	f.check(err)
	stranger := &member{fixture: f, client: &http.Client{}}
	if _, body := stranger.get("/sessions/x"); !strings.Contains(body, "Sign in to") {
		t.Error("a stranger is not led to the page that signs in")
	}
	for range 2 { // a preview of the link does not use the code
		if _, body := stranger.get("/signin?code=" + code); !strings.Contains(body, code) {
			t.Error("the page has no code")
		}
	}
	if _, err := f.hub.SignIn(t.Context(), code); err != nil {
		t.Errorf("the code: %v", err)
	}
	if status, _ := stranger.do(http.MethodPost, "/signin", url.Values{"code": {code}}); status != http.StatusForbidden {
		t.Errorf("a used code: status %d", status)
	}
	device, err := f.hub.NewDeviceCode(t.Context(), ada.id, []string{"atlas"})
	f.check(err)
	if status, _ := stranger.do(http.MethodPost, "/signin", url.Values{"code": {device}}); status != http.StatusForbidden {
		t.Errorf("the code of a device: status %d", status)
	}
	ada.do(http.MethodPost, "/signout", url.Values{})
	if _, body := ada.get("/"); !strings.Contains(body, "Sign in to") {
		t.Error("the browser is still signed in")
	}
}

// The header of a proxy counts only if the request came from it.
func TestIdentifyPerson_Proxy(t *testing.T) {
	f := newFixture(t)
	s, err := New(Config{Hub: f.hub, Formats: format.All, URL: "https://hub.example", ProxyHeader: "X-User", Proxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, Clock: f.now})
	f.check(err)
	defer s.Close()
	for from, want := range map[string]string{"10.1.2.3:80": "jonas@example.com", "192.168.0.1:80": "", "[::1]:80": ""} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = from
		r.Header.Set("X-User", "jonas@example.com")
		if p, err := s.identifyPerson(r); err != nil || p.Name != want {
			t.Errorf("from %s: %+v, %v", from, p, err)
		}
	}
}
