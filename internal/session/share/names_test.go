package share_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
)

// A share that hides names contains neither the session's names, past or future, nor the
// project's directory.
func TestHiddenNames(t *testing.T) {
	for _, scope := range []export.Scope{export.Tree, export.Subtree} {
		for _, showNames := range []bool{false, true} {
			a := newAgent(t, t.TempDir())
			a.say("", "user", "look at /home/tester/work/a.go, not /home/tester/workbench")
			a.entry(a.leaf, "session_info", `"name":"An <old> name"`)
			a.entry(a.leaf, "session_info", `"name":"Zebra crossing"`)
			a.say(a.leaf, "user", "what is Zebra crossing?")
			dir, src, c := t.TempDir(), openSource(t, a.path), newClock()
			s := openShares(t, dir, c)
			q := share.Request{Session: src, ShowNames: showNames, Live: true, Options: export.Options{Part: export.Part{Scope: scope, Entry: a.ids[0]}, Classes: everything}}
			if scope == export.Tree {
				q.Options.Part.Entry = ""
			}
			token, made := createShare(t, s, q)
			a.entry(a.leaf, "session_info", `"name":"A third name"`)
			a.say(a.leaf, "user", "more")
			s.UpdateLive(t.Context(), src)
			text := snapshotText(t, dir, made.ID)
			for _, name := range []string{`"An <old> name"`, `"Zebra crossing"`, `"A third name"`, `work"`, "/work/a.go"} {
				if strings.Contains(text, name) && !showNames {
					t.Errorf("%s: the snapshot holds %s", scope, name)
				}
			}
			if !strings.Contains(text, "what is Zebra crossing?") || !strings.Contains(text, "workbench") || !strings.Contains(text, `"more"`) {
				t.Errorf("%s: the conversation was changed: %s", scope, text)
			}
			if strings.Contains(made.Title, "Zebra") != showNames {
				t.Errorf("%s: the title is %q", scope, made.Title)
			}
			if _, now, err := s.OpenSnapshot(t.Context(), token); err != nil || now.ShowNames != showNames {
				t.Errorf("%s: %+v, %v", scope, now, err)
			}
			if showNames && scope == export.Tree && !strings.Contains(text, "Zebra crossing\"") {
				t.Errorf("a name that is shown is not in %s", text)
			}
		}
	}
}

// snapshotText returns the content of a share's snapshot.
func snapshotText(t *testing.T, dir, id string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, id, "*.jsonl"))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	b, err := os.ReadFile(all[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
