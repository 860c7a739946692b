package web

import (
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"sessiontree/internal/session/redact"
)

const aKey = "ghp_1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX"

// newSiteWithSecrets returns a site with a session in which a key was typed.
func newSiteWithSecrets(t *testing.T) (s *site, base, entry string) {
	t.Helper()
	s = newSite(t, func(c *siteConfig) { c.Redactor = redact.New(redact.Options{Home: "/home/dev"}) })
	tr := newTranscript("0c0c0c0c")
	tr.user("<b>Use</b> " + aKey)
	entry = tr.answer(text("In /home/dev/atlas it is."))
	tr.user("And now?")
	tr.answer(text("Nothing."))
	return s, s.open(s.write("leaky.jsonl", tr)), entry
}

func TestExport_File(t *testing.T) {
	s, base, entry := newSiteWithSecrets(t)
	for _, c := range []struct {
		query, kind, name, has, hasNot string
	}{
		{"scope=path&as=md", "text/markdown; charset=utf-8", "md", "&lt;b>Use", aKey},
		{"scope=tree&as=jsonl", "application/x-ndjson", "jsonl", "And now?", "/home/dev"},
		{"scope=path&as=jsonl&entry=" + entry, "application/x-ndjson", entry + ".jsonl", "it is.", "And now?"},
		{"scope=subtree&bare=1&as=jsonl&entry=" + entry, "application/x-ndjson", entry + ".jsonl", "And now?", "Use"},
		{"scope=tree&as=jsonl&redact=none", "application/x-ndjson", "jsonl", aKey, "[github"},
		{"scope=tree&as=jsonl&chosen=1&redact=personal", "application/x-ndjson", "jsonl", aKey, "/home/dev/atlas"},
		{"scope=tree&as=jsonl&redact=keys", "application/x-ndjson", "jsonl", "/home/dev/atlas", aKey},
	} {
		a := s.getOK(base + "/export?" + c.query)
		if !strings.Contains(a.body, c.has) || strings.Contains(a.body, c.hasNot) {
			t.Errorf("%s: want %q and not %q:\n%s", c.query, c.has, c.hasNot, a.body)
		}
		h := a.Header
		if got := h.Get("Content-Disposition"); h.Get("Content-Type") != c.kind || !strings.HasPrefix(got, "attachment") || !strings.HasSuffix(strings.Trim(got, `"`), c.name) {
			t.Errorf("%s: %s, %s", c.query, h.Get("Content-Type"), got)
		}
		if h.Get("Cache-Control") != cacheNever {
			t.Errorf("%s: kept: %s", c.query, h.Get("Cache-Control"))
		}
	}
}

func TestExport_Refused(t *testing.T) {
	s, base, _ := newSiteWithSecrets(t)
	for query, want := range map[string]int{
		"as=md&entry=gone": http.StatusNotFound, "as=pdf": http.StatusUnprocessableEntity, "as=md&scope=half": http.StatusUnprocessableEntity,
		"entry=gone": http.StatusNotFound, "ask=1&as=md&scope=half": http.StatusUnprocessableEntity,
	} {
		if a := s.get(base + "/export?" + query); a.StatusCode != want || a.Header.Get("Content-Disposition") != "" {
			t.Errorf("%s: status %d, want %d", query, a.StatusCode, want)
		}
	}
}

// The menu and the dialogs work as pages too. Findings come first.
func TestExport_Dialogs(t *testing.T) {
	s, base, entry := newSiteWithSecrets(t)
	menu := s.getOK(base + "/export?entry=" + entry + "&part=dialog")
	for _, want := range []string{"This path, 2 entries", "Whole tree, 4 entries", "From this entry on", "Copy path as Markdown"} {
		if !strings.Contains(menu.body, want) {
			t.Errorf("the menu lacks %q:\n%s", want, menu.body)
		}
	}
	if page := s.getOK(base + "/export"); !strings.Contains(page.body, "<!doctype html>") {
		t.Error("the menu is no page")
	}
	dialog := s.getOK(base + "/export?ask=1&scope=tree&as=jsonl&part=dialog")
	for _, want := range []string{"github", "home path", `name="redact" value="keys" checked`, `name="chosen" value="1"`, "Whole tree, 4 entries"} {
		if !strings.Contains(dialog.body, want) {
			t.Errorf("the dialog lacks %q:\n%s", want, dialog.body)
		}
	}
	if strings.Contains(dialog.body, "<!doctype") || !strings.Contains(s.getOK(base+"/export?ask=1&scope=path&as=md").body, "<!doctype html>") {
		t.Error("the dialog is not a fragment, or no page")
	}
}

// failing is a Redactor that fails after some lines.
type failing struct{ left atomic.Int32 }

func (f *failing) RedactText(text string, _ map[string]bool) (string, map[string]int) {
	return text, nil
}

func (f *failing) RedactJSON(line []byte, _ map[string]bool) ([]byte, bool, map[string]int, error) {
	if f.left.Add(-1) < 0 {
		return nil, false, nil, errors.New("given up")
	}
	return line, false, nil, nil
}

func (f *failing) FindValues([]byte) ([]redact.Value, error) { return nil, nil }

// An error during the export aborts the response, so that half a file does not look
// complete. Before the first byte it is an ordinary error.
func TestExport_AbortsOnError(t *testing.T) {
	for left, begun := range map[int32]bool{2: false, 30: true} {
		s := newSite(t, func(c *siteConfig) {
			give := &failing{}
			give.left.Store(left)
			c.Redactor = give
		})
		tr := newTranscript("0d0d0d0d")
		tr.user("long")
		random := rand.NewChaCha8([32]byte{}) // compressed, it is long enough to be sent at once
		for range 40 {
			answer := make([]byte, 6000)
			_, _ = random.Read(answer) // never fails
			tr.answer(text(hex.EncodeToString(answer)))
		}
		base := s.open(s.write("long.jsonl", tr))
		a, err := s.http.Client().Get(s.http.URL + base + "/export?scope=tree&as=jsonl")
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, a.Body)
		a.Body.Close()
		if begun != (err != nil) || !begun && a.StatusCode != http.StatusInternalServerError {
			t.Errorf("after %d lines: status %d, %v", left, a.StatusCode, err)
		}
	}
}

// An unchecked value stays in the file; all others are redacted.
func TestExport_KeepsUncheckedValue(t *testing.T) {
	s := newSite(t, func(c *siteConfig) { c.Redactor = redact.New(redact.Options{Home: "/home/dev"}) })
	key := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	tr := newTranscript("0e0e0e0e")
	tr.user("use " + key + " in /home/dev/atlas")
	tr.answer(text("Used in /home/dev/atlas."))
	base := s.open(s.write("values.jsonl", tr))

	dialog := s.getOK(base + "/export?ask=1&scope=tree&as=jsonl&part=dialog").body
	for _, want := range []string{"ghp_16C7e4••••••••B4a", "/home/dev", "2 places", `name="value" value="` + redact.ValueID(key) + `" checked`} {
		if !strings.Contains(dialog, want) {
			t.Errorf("the dialog lacks %q:\n%s", want, dialog)
		}
	}
	if strings.Contains(dialog, key) {
		t.Error("the dialog shows the whole key")
	}
	form := url.Values{"scope": {"tree"}, "as": {"jsonl"}, "chosen": {"1"}, "redact": {"keys", "personal"},
		"offered": {redact.ValueID(key), redact.ValueID("/home/dev")}, "value": {redact.ValueID("/home/dev")}}
	file := s.getOK(base + "/export?" + form.Encode()).body
	if !strings.Contains(file, key) || strings.Contains(file, "/home/dev/atlas") {
		t.Errorf("the key should stay, the home directory go:\n%s", file)
	}
	form.Set("value", redact.ValueID(key))
	if file = s.getOK(base + "/export?" + form.Encode()).body; strings.Contains(file, key) || !strings.Contains(file, "/home/dev/atlas") {
		t.Errorf("the home directory should stay, the key go:\n%s", file)
	}
}

// Unchecked kinds of content are left out of the file.
func TestExport_Includes(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("0f0f0f0f")
	tr.user("Go on.")
	tr.answer(map[string]any{"type": "thinking", "thinking": "A thought."}, text("A word."), call("c1", "bash"))
	tr.result("c1", "An output.")
	base := s.open(s.write("holds.jsonl", tr))
	if body := s.getOK(base + "/export?ask=1&scope=tree&as=jsonl&part=dialog").body; strings.Count(body, `name="hold"`) != 3 || strings.Count(body, "checked") < 3 {
		t.Errorf("the dialog:\n%s", body)
	}
	for hold, want := range map[string][]bool{"": {false, false}, "output": {true, false}, "thinking": {false, true}} {
		form := url.Values{"scope": {"tree"}, "as": {"jsonl"}, "chosen": {"1"}, "hold": {hold}}
		file := s.getOK(base + "/export?" + form.Encode()).body
		if strings.Contains(file, "An output.") != want[0] || strings.Contains(file, "A thought.") != want[1] || !strings.Contains(file, "A word.") {
			t.Errorf("hold %q:\n%s", hold, file)
		}
	}
	if file := s.getOK(base + "/export?scope=tree&as=jsonl").body; !strings.Contains(file, "A thought.") {
		t.Error("an address without a form leaves something out")
	}
}
