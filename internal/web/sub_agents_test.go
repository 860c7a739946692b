package web

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ompLines returns the lines of an oh-my-pi file.
func ompLines(id, parent string, entries ...string) string {
	if parent != "" {
		parent = fmt.Sprintf(`,"parentSession":"/x/%s.jsonl"`, parent)
	}
	text := fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/atlas"%s}`+"\n", id, parent)
	above := "null"
	for i, e := range entries {
		id := fmt.Sprintf(`"%08x"`, i+1)
		text += fmt.Sprintf(`{"id":%s,"parentId":%s,"timestamp":"2026-02-03T09:00:%02d.000Z",%s}`+"\n", id, above, i, e)
		above = id
	}
	return text
}

// A sub-agent of oh-my-pi is folded where it was started, and its entries have pages. One
// that starts while the session is open appears without a reload.
func TestSubAgents(t *testing.T) {
	s := newSite(t)
	put := func(name, text string) string {
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	initial := `"type":"model_change","model":"mock/mock-1"`
	task := func(names string) string {
		return `"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"task","arguments":{"tasks":[` + names + `]}}],"stopReason":"toolUse"}`
	}
	prompt := func(text string) string {
		return fmt.Sprintf(`"type":"message","message":{"role":"user","content":%q}`, text)
	}
	base := s.open(put("main.jsonl", ompLines("m", "", initial, prompt("start"), task(`{"name":"Looker"},{"name":"Second"}`))))
	page := s.getOK(base + "?entry=00000002")
	if strings.Contains(page.body, "Looker:") {
		t.Fatal("there is an agent already")
	}
	put("main/Looker.jsonl", ompLines("l", "main", initial, prompt("look around"), task(`{"name":"Sub"}`)))
	s.PathChanged(filepath.Join(s.dir, "main")) // only the new directory is reported
	eventually(t, "the agent", func() bool {
		return strings.Contains(s.getOK(base).body, `<span class="kind">agent</span>`) || strings.Contains(s.getOK(base).body, "Looker")
	})
	nested := put("main/Looker/Looker.Sub.jsonl", ompLines("n", "Looker", initial, prompt("look closer")))
	s.PathChanged(nested)
	id := "Looker/Looker.Sub:00000002"
	eventually(t, "its own agent", func() bool {
		return s.get(base+"/entries/"+url.PathEscape(id)).StatusCode == 200
	})
	if a := s.getOK(base + "/entries/" + url.PathEscape(id) + "?raw=1"); !strings.Contains(a.body, "look closer") {
		t.Errorf("the line: %s", a.body)
	}
	a := s.getOK(base + "?entry=" + url.QueryEscape(id))
	for _, word := range []string{"look closer", "Looker.Sub", "started at"} {
		if !strings.Contains(a.body, word) {
			t.Errorf("the page of an agent's entry does not say %q", word)
		}
	}
	if list := s.getOK("/"); strings.Contains(list.body, "look closer") || strings.Contains(list.body, "look around") {
		t.Error("an agent is listed as a session")
	}
	put("main/Stray.jsonl", ompLines("s", "main", initial, prompt("who called me")))
	s.PathChanged(filepath.Join(s.dir, "main/Stray.jsonl"))
	eventually(t, "the agent that nobody started", func() bool { return strings.Contains(s.getOK(base).body, "parent unknown") })
}
