package store_test

import (
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// slotTalk returns ompTalk as oh-my-pi 18 writes it.
func slotTalk(title string) []string {
	return append([]string{slot(title)}, ompTalk()...)
}

// titles returns the last entry of a file and its slot.
func titles(t *testing.T, text string) (entry, first struct {
	Type, ParentID, Timestamp, Title, Source, UpdatedAt, PreviousTitle string
}) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if err := errors.Join(json.Unmarshal([]byte(lines[0]), &first), json.Unmarshal([]byte(lines[len(lines)-1]), &entry)); err != nil {
		t.Fatal(err)
	}
	return entry, first
}

func rename(name string) session.Change { return session.Change{Op: session.OpName, Text: name} }

// A name is written where the agent reads it: an entry is appended and the slot
// overwritten, and no other byte changes.
func TestSlot(t *testing.T) {
	long := strings.Repeat("名前", 100)
	for _, c := range []struct{ name, entry, first, source string }{
		{"A new name", "A new name", "A new name", "user"},
		{"  many   spaces ", "many spaces", "many spaces", "user"},
		{`"quoted" \ <b> 🎈`, `"quoted" \ <b> 🎈`, `"quoted" \ <b> 🎈`, "user"},
		{long, long, strings.Repeat("名前", 26), "user"},
		{"", "", "", ""},
	} {
		_, s, path := changed(t, slotTalk("Old name")...)
		before := content(t, path)
		shown, err := s.PreviewChange(ctx, rename(c.name))
		if err != nil || len(shown) != 2 || shown[0].ReplacesSlot || !shown[1].ReplacesSlot {
			t.Fatalf("%q: would write %v, %v", c.name, shown, err)
		}
		w := apply(t, s, rename(c.name))
		after := content(t, path)
		if len(w.Lines) != 2 || after != string(w.Lines[1].Text)+"\n"+before[256:]+string(w.Lines[0].Text)+"\n" {
			t.Errorf("%q: written %s", c.name, after)
		}
		entry, first := titles(t, after)
		if entry.Type != "title_change" || entry.Title != c.entry || entry.Source != "user" || entry.PreviousTitle != "Old name" || entry.ParentID != "a1" {
			t.Errorf("%q: the entry %+v", c.name, entry)
		}
		if first.Title != c.first || first.Source != c.source || first.UpdatedAt != entry.Timestamp {
			t.Errorf("%q: the slot %+v", c.name, first)
		}
		if nameOf(s) != c.first || leafOf(s) != w.Lines[0].ID {
			t.Errorf("%q: the session is called %q and ends at %s", c.name, nameOf(s), leafOf(s))
		}
		if again := open(t, path); nameOf(again) != c.first {
			t.Errorf("%q: read again it is called %q", c.name, nameOf(again))
		}
	}
}

// The keys of the slot are in the agent's order.
func TestSlot_Keys(t *testing.T) {
	_, s, path := changed(t, slotTalk("")...)
	apply(t, s, rename("x"))
	if got := content(t, path); !strings.HasPrefix(got, `{"type":"title","v":1,"title":"x","source":"user","updatedAt":"`) || strings.Index(got, "\n") != 255 {
		t.Errorf("the slot %s", got[:256])
	}
	if entry, _ := titles(t, content(t, path)); entry.PreviousTitle != "" {
		t.Errorf("the entry %+v", entry)
	}
}

// A name in the sidecar from before is not shown instead.
func TestSlot_Sidecar(t *testing.T) {
	lib, s, path := changed(t, ompTalk()...)
	if w := apply(t, s, rename("kept aside")); !w.InSidecar || nameOf(s) != "kept aside" {
		t.Fatalf("%+v, called %q", w, nameOf(s))
	}
	write(t, path, slotTalk("A title")...)
	refresh(t, s, store.Rewritten)
	if nameOf(s) != "kept aside" {
		t.Fatalf("called %q", nameOf(s))
	}
	apply(t, s, rename("in the file"))
	if nameOf(s) != "in the file" {
		t.Errorf("called %q", nameOf(s))
	}
	if kept, _ := lib.Sidecars().Find("omp", "Vq3xT9_aZk-1LmNoPqRsT", ""); kept.Name != nil {
		t.Errorf("still kept: %+v", kept.Name)
	}
}

// A first line that is not a slot of the agent is not overwritten.
func TestSlot_Odd(t *testing.T) {
	for name, first := range map[string]string{
		"too short":   strings.Replace(slot("x"), "  ", " ", 1),
		"too long":    strings.Replace(slot("x"), "  ", "   ", 1),
		"other form":  strings.Replace(slot("x"), `"v":1`, `"v":2`, 1),
		"carriage":    strings.Replace(slot("x"), "  \"}\n", "\"}\r\n", 1) + "\n",
		"second line": "\n" + slot("x"),
	} {
		_, s, path := changed(t, append([]string{first}, ompTalk()...)...)
		before := content(t, path)
		if w := apply(t, s, rename("mine")); !w.InSidecar || content(t, path) != before {
			t.Errorf("%s: %+v, the file begins %q", name, w, content(t, path)[:300])
		}
	}
}

// A rename by the agent at the same time is not overwritten.
func TestSlot_Between(t *testing.T) {
	overwrite := func(path, title string) {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt([]byte(slot(title)), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("before the append", func(t *testing.T) {
		lib, s, path := changed(t, slotTalk("Old")...)
		lib.Pause(once("encoded", func() { overwrite(path, "The agent's") }))
		apply(t, s, rename("mine"))
		if entry, _ := titles(t, content(t, path)); entry.PreviousTitle != "The agent's" || nameOf(s) != "mine" {
			t.Errorf("%+v, called %q", entry, nameOf(s))
		}
	})
	t.Run("after it", func(t *testing.T) {
		lib, s, path := changed(t, slotTalk("Old")...)
		lib.Pause(once("appended", func() { overwrite(path, "The agent's") }))
		_, err := s.ApplyChange(ctx, rename("mine"), store.Precondition{})
		var late *store.Refusal
		if !errors.As(err, &late) || !late.Written || !strings.Contains(err.Error(), "was appended") {
			t.Errorf("%v", err)
		}
		if _, err := s.Refresh(ctx); err != nil || nameOf(s) != "The agent's" {
			t.Errorf("called %q", nameOf(s))
		}
		entry, first := titles(t, content(t, path))
		if entry.Title != "mine" || first.Title != "The agent's" {
			t.Errorf("%+v %+v", entry, first)
		}
	})
}

// A crash between the two writes leaves the old name, and the next rename works.
func TestSlot_Crash(t *testing.T) {
	lib, s, path := changed(t, slotTalk("Old")...)
	lib.Pause(once("appended", runtime.Goexit))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.ApplyChange(ctx, rename("lost"), store.Precondition{})
	}()
	<-done
	if got := open(t, path); nameOf(got) != "Old" {
		t.Errorf("called %q", nameOf(got))
	}
	apply(t, s, rename("mine"))
	if nameOf(s) != "mine" || nameOf(open(t, path)) != "mine" {
		t.Errorf("called %q", nameOf(s))
	}
}
