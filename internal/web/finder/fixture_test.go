package finder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
)

const header = `{"type":"session","version":3,"id":"s1","timestamp":"2026-11-20T10:00:00.000Z","cwd":"/src/shop"}`

// entry returns the line of a message.
func entry(id, parent string, minute int, message string) string {
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"2026-11-20T10:%02d:00.000Z","message":%s}`, id, up, minute, message)
}

func prompt(id, parent string, minute int, text string) string {
	return entry(id, parent, minute, fmt.Sprintf(`{"role":"user","content":%q}`, text))
}

func label(id, parent, target, text string) string {
	return fmt.Sprintf(`{"type":"label","id":%q,"parentId":%q,"timestamp":"2026-11-20T11:00:00.000Z","targetId":%q,"label":%q}`, id, parent, target, text)
}

// branched is a session with an abandoned branch, a failed call and a label.
func branched() []string {
	return []string{
		header,
		prompt("u1", "", 1, "Add a file\n  watcher, please"),
		entry("a1", "u1", 2, `{"role":"assistant","model":"m","content":[{"type":"thinking","thinking":"the watcher is easy"},{"type":"text","text":"Use fs.watch()"},{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"npm test"}}]}`),
		entry("r1", "a1", 3, `{"role":"toolResult","toolCallId":"c1","toolName":"bash","isError":true,"content":[{"type":"text","text":"ENOSPC: too many file watchers"}]}`),
		prompt("u2", "u1", 4, `A file WATCHER <b>from npm</b>`),
		entry("a2", "u2", 5, `{"role":"assistant","model":"m","content":[{"type":"text","text":"chokidar"},{"type":"toolCall","id":"c2","name":"read","arguments":{"path":"/src/shop/watcher.go"}}]}`),
		label("l1", "a2", "a2", "good one"),
	}
}

type fixture struct {
	t    *testing.T
	path string
	sess *store.Session
}

// open opens a session of lines.
func open(t *testing.T, lines ...string) *fixture {
	t.Helper()
	f := &fixture{t: t, path: filepath.Join(t.TempDir(), "one.jsonl")}
	f.write(lines...)
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(f.path)}})
	if err != nil {
		t.Fatal(err)
	}
	if f.sess, err = lib.Open(t.Context(), f.path); err != nil {
		t.Fatal(err)
	}
	return f
}

// write replaces the file.
func (f *fixture) write(lines ...string) {
	f.t.Helper()
	if err := os.WriteFile(f.path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		f.t.Fatal(err)
	}
	f.refresh()
}

// append adds lines to the file.
func (f *fixture) append(lines ...string) {
	f.t.Helper()
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		f.t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
		f.t.Fatal(err)
	}
	f.refresh()
}

func (f *fixture) refresh() {
	f.t.Helper()
	if f.sess == nil {
		return
	}
	if _, err := f.sess.Refresh(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
}

// found is what a stream contains.
type found struct {
	startLine
	partLine
	lines int
}

// search returns the hits of a request.
func (f *fixture) search(c *Cache, r Request) found {
	f.t.Helper()
	var out bytes.Buffer
	r.Session, r.Config = f.sess, view.Config{}
	if err := c.WriteHits(f.t.Context(), &out, func() {}, r); err != nil {
		f.t.Fatal(err)
	}
	var all found
	for d := json.NewDecoder(&out); d.More(); all.lines++ {
		var line found
		if err := d.Decode(&line); err != nil {
			f.t.Fatal(err)
		}
		if all.lines == 0 {
			all.startLine = line.startLine
		}
		all.Branches = append(all.Branches, line.Branches...)
		all.Hits = append(all.Hits, line.Hits...)
		all.Done, all.Error = line.Done, line.Error
	}
	return all
}

// describe returns a line for each hit: branch, role, entry, the snippet with marks, tool.
func (f found) describe() (lines []string) {
	for _, h := range f.Hits {
		var text strings.Builder
		for i, part := range h.Text {
			if i%2 == 1 {
				part = "[" + part + "]"
			}
			text.WriteString(part)
		}
		lines = append(lines, strings.TrimRight(strings.Join([]string{h.Branch + ":", h.Role, h.Entry, text.String(), "|", h.Tool, h.Arg, h.Status}, " "), " |"))
	}
	return lines
}
