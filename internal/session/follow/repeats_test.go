package follow

import (
	"os"
	"testing"
)

// A refresh ignores a line that is being written. If nothing else happens, the session is
// refreshed once more and the incomplete line is reported.
func TestPathChanged_LineBeingWritten(t *testing.T) {
	p := newProject(t)
	p.create("one")
	sess := p.open("one")
	f, err := os.OpenFile(p.path("one"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(`{"type":"message","id":"e2"`); err != nil {
		t.Fatal(err)
	}
	p.PathChanged(p.path("one"))
	if e := p.next(SessionTopic(sess.Key())); e.Kind != Appended || e.Entries != 0 || len(sess.Notes()) != 1 {
		t.Errorf("event = %+v, notes %v, want an event without entries and a note about the line", e, sess.Notes())
	}
}

// A session whose state was reported is not refreshed once more.
func TestRefreshPath_Once(t *testing.T) {
	p := newProject(t)
	p.create("one")
	p.open("one")
	p.add("one", "e2", "more")
	p.RefreshPath(p.path("one"))
	p.repeats.mu.Lock()
	defer p.repeats.mu.Unlock()
	if n := len(p.repeats.due); n != 0 {
		t.Errorf("%d refreshes are due, want none", n)
	}
}
