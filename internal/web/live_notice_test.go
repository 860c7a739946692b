package web

import (
	"os"
	"strings"
	"testing"

	"sessiontree/internal/session/follow"
)

// refreshTwice refreshes the session of a file as the watcher makes the follower do: when it
// changes, and again when it stays unchanged. Nothing else refreshes the session then: neither
// the catalog nor the follower's timer sees the file while the test changes it.
func (s *site) refreshTwice(path string) {
	s.t.Helper()
	for _, sess := range s.library.SessionsWithFile(path) {
		for range 2 {
			if _, err := sess.RefreshPath(s.t.Context(), path); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

// setText sets a file's content in one step: one text is a prefix of the other.
func (s *site) setText(path, text string) {
	s.t.Helper()
	old, err := os.ReadFile(path)
	if err == nil && len(text) < len(old) {
		err = os.Truncate(path, int64(len(text)))
	} else if err == nil {
		more := &transcript{}
		more.b.WriteString(text[len(old):])
		s.append(path, more)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// Viewers are notified of every size at which the file rests, even if it adds no entry: the
// watcher reports such a state twice. Each notice has a revision of its own.
func TestSocket_EverySize(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	path := s.write("one.jsonl", tr)
	s.open(path)
	key, rev := s.revision(path)
	b := s.browse()
	b.following(follow.SessionTopic(key), rev.String())
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tr.user("more")
	line := string(tr.take())
	told := map[string]bool{rev.String(): true}
	for _, step := range []struct {
		name, text, kind string
		entries          int
	}{
		{"a line that is begun", string(whole) + line[:20], "append", 0},
		{"more of it", string(whole) + line[:40], "append", 0},
		{"the line whole", string(whole) + line, "append", 1},
		{"a blank line", string(whole) + line + "\n", "append", 0},
		{"shorter", string(whole), "rewrite", 5 - 1},
		{"shorter still", string(whole[:len(whole)-20]), "rewrite", 3},
		{"empty", "", "remove", 0},
		{"a session again", string(whole), "rewrite", 4},
	} {
		s.setText(path, step.text)
		s.refreshTwice(path)
		n := b.next()
		if n.Topic != follow.SessionTopic(key) || n.Kind != step.kind || n.Entries != step.entries {
			t.Errorf("%s: notice %+v, want %s with %d entries", step.name, n, step.kind, step.entries)
		}
		if step.kind != "remove" && told[n.Rev] {
			t.Errorf("%s: revision %s was told before", step.name, n.Rev)
		}
		told[n.Rev] = true
	}
}

// After such a notice the page shows that the last line is unfinished.
func TestSocket_UnfinishedLine(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(2)
	path := s.write("one.jsonl", tr)
	base := s.open(path)
	key, rev := s.revision(path)
	b := s.browse()
	b.following(follow.SessionTopic(key), rev.String())
	before := s.getOK(base + "/facts").body
	tr.user("more")
	line := string(tr.take())
	tr.b.WriteString(line[:20])
	s.append(path, tr)
	s.refreshTwice(path)
	n := b.next()
	if after := s.getOK(base + "/facts").body; after == before || !strings.Contains(after, "not finished") {
		t.Errorf("facts after %+v:\n%s", n, after)
	}
	tr.b.WriteString(line[20:])
	s.append(path, tr)
	s.PathChanged(path)
	b.next()
	if news := s.getOK(base + "/news?since=" + n.Rev).body; !strings.Contains(news, "more") {
		t.Errorf("news since then:\n%s", news)
	}
}
