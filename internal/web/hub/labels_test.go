package hub

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sessiontree/internal/session/hub"
	"sessiontree/internal/session/team"
	"sessiontree/internal/testgen/transcript"
)

// setLabel labels an entry in the browser of the member.
func (m *member) setLabel(key, entry, was, label string) (status int, body string) {
	return m.do(http.MethodPost, "/sessions/"+key+"/label", url.Values{"entry": {entry}, "label": {label}, "seen-label": {was}})
}

// shows reports whether a page of the member contains a text.
func (m *member) shows(path, text string) bool {
	_, body := m.get(path)
	return strings.Contains(body, text)
}

// Labels are those of the hub: all who can read a session see them, members set them, and nothing
// else of a session changes.
func TestSetLabel(t *testing.T) {
	f := newFixture(t)
	ada, ben, rae := f.addMember("Ada", team.Member), f.addMember("Ben", team.Member), f.addMember("Rae", team.Reader)
	session := newSession("s1", "How large is the atlas?")
	entry := session.AddPrompt("And the index?")
	path := ada.push(session, "s1.jsonl")
	key := ada.key(path)
	if status, _ := ben.setLabel(key, entry, "", "spying"); status != http.StatusNotFound {
		t.Errorf("a private session of somebody else: status %d", status)
	}
	ada.do(http.MethodPost, "/team/sessions/"+key+"/visibility", url.Values{"to": {"team"}})
	if ben.key(path) != key {
		t.Fatal("the session is not shared")
	}
	if !ben.shows("/sessions/"+key+"/label?entry="+entry, "Visible to everyone") {
		t.Error("the dialog does not say where the label is stored")
	}
	if status, body := ben.setLabel(key, entry, "", "index <size>"); status != http.StatusOK || strings.Contains(body, "state directory") {
		t.Fatalf("status %d: %s", status, body)
	}
	for _, who := range []*member{ada, ben, rae} {
		who.key(path)
		f.waitFor("the label for all", func() bool { return who.shows("/sessions/"+key, "index &lt;size&gt;") })
		if !who.shows("/search/stream?q=label:size", key) {
			t.Error("a search does not find the label")
		}
	}
	if status, _ := ben.setLabel(key, entry, "index <size>", strings.Repeat("long", 1000)); status != http.StatusUnprocessableEntity {
		t.Errorf("a label of 4,000 bytes: status %d", status)
	}
	if status, body := rae.setLabel(key, entry, "index <size>", "mine"); status != http.StatusForbidden || !strings.Contains(body, "Readers cannot label") {
		t.Errorf("a reader sets a label: status %d", status)
	}
	if status, body := ben.do(http.MethodPost, "/sessions/"+key+"/rename", url.Values{"name": {"mine"}}); status != http.StatusForbidden || !strings.Contains(body, "Sessions on a hub cannot be changed.") {
		t.Errorf("somebody renames it: status %d", status)
	}
	events, err := f.hub.Registry.ListEvents(t.Context(), team.EventFilter{Viewer: ada.id})
	f.check(err)
	if e := events[0]; e.Action != team.AddLabel && events[1].Action != team.AddLabel || e.Session != path {
		t.Errorf("on record are %+v", events[:2])
	}

	if _, err := hub.New(hub.Config{Dir: f.dir}); err != nil || !ada.shows("/sessions/"+key, "index &lt;size&gt;") {
		t.Errorf("explorer hub invite removes the label: %v", err)
	}
	f.close()
	f.open()
	if !ada.shows("/sessions/"+key, "index &lt;size&gt;") {
		t.Error("after a new start the label is gone")
	}
	ada.setLabel(key, entry, "index <size>", "")
	f.waitFor("the removal for all", func() bool { return !ben.shows("/sessions/"+key, "index &lt;size&gt;") })
	if !ada.shows("/team/audit", "removed a label from") {
		t.Error("the removal is not on record")
	}
}

// The label of a session is not that of another one with the same id, which anybody can push.
func TestSetLabel_SameID(t *testing.T) {
	f := newFixture(t)
	ada, eve := f.addMember("Ada", team.Member), f.addMember("Eve", team.Member)
	same := func() (*transcript.File, string) {
		s := newSession("s1", "How large is the atlas?")
		return s, s.AddPrompt("And the index?")
	}
	hers, entry := same()
	his, other := same()
	if other != entry {
		t.Fatal("the entries have other ids")
	}
	private, public := ada.push(hers, "s1.jsonl"), eve.push(his, "s1.jsonl")
	if status, _ := ada.setLabel(ada.key(private), entry, "", "secret plan"); status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	eve.append(public, []byte(`{"type":"message","id":"ffffffff","parentId":"`+entry+`","timestamp":"2026-11-20T10:00:00.000Z","message":{"role":"user","content":"More"}}`+"\n"))
	key := eve.key(public)
	f.waitFor("the new entry", func() bool { return eve.shows("/sessions/"+key, "More") })
	if eve.shows("/sessions/"+key, "secret plan") || eve.shows("/search/stream?q=label:secret", key) {
		t.Error("a private label is shown in another session")
	}
}

// The label of a private session is not shown in a shared one that continues it, with its entries.
func TestSetLabel_RelatedSession(t *testing.T) {
	f := newFixture(t)
	ada, ben := f.addMember("Ada", team.Member), f.addMember("Ben", team.Member)
	const first, second = "0aa00000-0000-4000-8000-000000000001", "0aa00000-0000-4000-8000-000000000002"
	push := func(id, text string) string {
		path := "/pc" + ada.id + "/claude/atlas/" + id + ".jsonl"
		f.check(f.hub.Registry.PutFile(t.Context(), team.File{Path: path, Session: path, Device: "pc" + ada.id, Person: ada.id, Project: "atlas", Format: "claude", Rules: "none"}))
		ada.append(path, []byte(text))
		return path
	}
	line := func(id, uuid, parent, role, text string) string {
		return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/home/dev/atlas","sessionId":%q,"uuid":%q,"type":%q,"timestamp":"2026-11-20T10:00:00.000Z","message":{"role":%q,"content":%q}}`+"\n", parent, id, uuid, role, role, text)
	}
	text := line(first, "u1", "null", "user", "How large is the atlas?") + line(first, "a2", `"u1"`, "assistant", "Large.")
	private, shared := push(first, text), push(second, text+line(second, "u3", `"a2"`, "user", "And the index?"))
	if status, _ := ada.setLabel(ada.key(private), "a2", "", "secret plan"); status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	ada.do(http.MethodPost, "/team/sessions/"+ada.key(shared)+"/visibility", url.Values{"to": {"team"}})
	key := ben.key(shared)
	if !ben.shows("/sessions/"+key, "And the index?") {
		t.Fatal("the session is not shared")
	}
	if ben.shows("/sessions/"+key, "secret plan") || ben.shows("/search/stream?q=label:secret", key) {
		t.Error("a label of a private session is shown in a shared one")
	}
}

// The labels of a deleted session are deleted.
func TestSetLabel_DeletedSession(t *testing.T) {
	f := newFixture(t)
	ada := f.addMember("Ada", team.Member)
	session := newSession("s1", "How large is the atlas?")
	entry := session.AddPrompt("And the index?")
	path := ada.push(session, "s1.jsonl")
	key := ada.key(path)
	ada.setLabel(key, entry, "", "gone soon")
	f.check(f.hub.DeleteSession(t.Context(), ada.id, path, ""))
	labels, err := f.hub.Registry.ListLabels(t.Context())
	f.check(err)
	if len(labels) > 0 {
		t.Errorf("labels are left: %q", labels)
	}
	if status, _ := ada.setLabel(key, entry, "gone soon", "late"); status != http.StatusNotFound {
		t.Errorf("a label of a deleted session: status %d", status)
	}
}

// Nobody changes anything else of a session, its owner included.
func TestSessions_cannotChange(t *testing.T) {
	f := newFixture(t)
	ada := f.addMember("Ada", team.Member)
	session := newSession("s1", "How large is the atlas?")
	entry := session.AddPrompt("And the index?")
	session.AddReply("Small.")
	path := ada.push(session, "s1.jsonl")
	key := ada.key(path)
	ada.eachRoute(func(method, pattern string) {
		if method != http.MethodPost || !strings.HasPrefix(pattern, "/sessions/{key}/") {
			return
		}
		for _, part := range []string{"", "dialog", "lines", "stream"} {
			action := strings.TrimPrefix(pattern, "/sessions/{key}/")
			status, _ := ada.do(method, "/sessions/"+key+"/"+action, url.Values{"entry": {entry}, "name": {"Mine"}, "part": {part}})
			switch action {
			case "label", "visit", "star", "unread", "restore", "shares": // is of the hub, of the viewer, or has nothing to do
			default:
				if status < 400 || status >= 500 {
					t.Errorf("%s %s: status %d", action, part, status)
				}
			}
		}
	})
	heads, err := f.hub.Archive.Heads(t.Context(), path)
	f.check(err)
	if len(heads) != 1 || heads[0].End != int64(len(session.Bytes())) {
		t.Errorf("the file on the hub is another one: %+v", heads)
	}
}
