package pi

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/outline"
)

func seeds(f *testing.F, add func(text []byte)) {
	f.Helper()
	inputs, err := filepath.Glob(filepath.Join(testdata, "*.jsonl"))
	if err != nil || len(inputs) == 0 {
		f.Fatalf("no test sessions: %v", err)
	}
	for _, input := range inputs {
		text, err := os.ReadFile(input)
		if err != nil {
			f.Fatal(err)
		}
		add(text)
	}
}

// FuzzScan compares the scan of a line with encoding/json.
func FuzzScan(f *testing.F) {
	seeds(f, func(text []byte) {
		for l := range jsonl.Lines(text) {
			f.Add(l.Data)
		}
	})
	for _, s := range []string{
		`{"type":"message","type":"label","id":"a","id":"b","message":{"role":"user","content":"x"},"message":{"content":[{"text":"y","type":"text"}]},"label":7}`,
		`{"type":"message","id":1.50,"parentId":"\ud800","message":{"role":"assistant","content":[{"type":"toolCall","id":2,"name":"read","arguments":{"path":7,"limit":0}}],"usage":{"cost":{"total":"1"}}}}`,
		"{\"type\":\"service_tier_change\",\"serviceTier\":{\"\xff\":\"flex\"}}",
		`[1]`, `null`, `{}`, `{"type":5}`, `{"type":"compaction","firstKeptEntryIndex":1e9,"tokensBefore":-1,"summary":5}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := scanLine(text, home)
		var want map[string]any
		isObject := json.Valid(text) && json.Unmarshal(text, &want) == nil && want != nil
		if inRange := json.Unmarshal(text, new(any)) == nil; !inRange && json.Valid(text) {
			t.Skip("a number that no float64 holds")
		}
		if (err == nil) != isObject {
			t.Fatalf("scan: %v, an object: %v", err, isObject)
		}
		if err != nil {
			return
		}
		if r.Header == nil && !r.Ignored {
			sameEntry(t, &r.Entry, want)
		}
		soundStrings(t, r)
		apart(t, text, r)
		if _, err := decodeBody(text); err != nil {
			t.Fatalf("body: %v", err)
		}
	})
}

// sameEntry compares an entry with the line as decoded by encoding/json.
func sameEntry(t *testing.T, e *session.Entry, o map[string]any) {
	t.Helper()
	m, _ := o["message"].(map[string]any)
	typ, _ := o["type"].(string)
	same := func(what, got string, value any) {
		t.Helper()
		if want, _ := value.(string); got != want && !strings.Contains(want, "\uFFFD") && len(want) < 80 {
			t.Fatalf("%s %q, want %q", what, got, want)
		}
	}
	if id, ok := o["id"].(string); ok {
		same("id", e.ID, id)
	}
	if _, isText := o["parentId"].(string); isText != e.HasFlag(session.FlagHasParent) && o["uuid"] == nil && o["parentUuid"] == nil {
		if _, isNumber := o["parentId"].(float64); !isNumber {
			t.Fatalf("has a parent: %v, recorded %v", !isText, o["parentId"])
		}
	}
	switch typ {
	case "message":
		if role, ok := m["role"].(string); ok && role != "" {
			same("role", e.Role, role)
		}
		sameMessage(t, e, m)
	case "custom", "custom_message":
		same("name", e.Name, o["customType"])
	case "label":
		if text, ok := o["label"].(string); ok {
			same("label", e.Preview, text)
		}
	case "session_info":
		name, _ := o["name"].(string)
		same("name", e.Name, strings.TrimFunc(name, jsonl.IsSpace))
	}
}

func sameMessage(t *testing.T, e *session.Entry, m map[string]any) {
	t.Helper()
	switch e.Kind {
	case session.KindUser, session.KindAssistant, session.KindToolResult, session.KindSystem:
		if want := rowOf(contentOf(m["content"])); e.Preview != want && !strings.Contains(want, "\uFFFD") {
			t.Fatalf("preview %q, want %q", e.Preview, want)
		}
	}
	if e.Kind == session.KindAssistant {
		calls := 0
		blocks, _ := m["content"].([]any)
		for _, b := range blocks {
			if b, _ := b.(map[string]any); b["type"] == "toolCall" {
				calls++
			}
		}
		if calls != len(e.Calls()) {
			t.Fatalf("%d calls, want %d", len(e.Calls()), calls)
		}
	}
}

// contentOf returns the text of a content in the most direct way.
func contentOf(content any) string {
	if s, ok := content.(string); ok {
		return s
	}
	blocks, _ := content.([]any)
	var b strings.Builder
	for _, block := range blocks {
		if o, _ := block.(map[string]any); o["type"] == "text" {
			s, _ := o["text"].(string)
			b.WriteString(s)
		}
	}
	return b.String()
}

// rowOf cuts a text and puts it on one line.
func rowOf(text string) string {
	n := 0
	for i, r := range text {
		if n++; r > 0xFFFF {
			n++
		}
		if n > maxPreview {
			text = text[:i]
			break
		}
	}
	return strings.TrimFunc(strings.NewReplacer("\n", " ", "\t", " ").Replace(text), jsonl.IsSpace)
}

// soundStrings checks that all strings of a record are UTF-8 and bounded.
func soundStrings(t *testing.T, r session.Record) {
	t.Helper()
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if !utf8.ValidString(v.String()) {
				t.Fatalf("%q is no UTF-8", v.String())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(r.Entry))
	if r.Header != nil {
		walk(reflect.ValueOf(*r.Header))
	}
}

// apart checks that a record does not alias its line.
func apart(t *testing.T, text []byte, want session.Record) {
	t.Helper()
	line := bytes.Clone(text)
	got, err := scanLine(line, home)
	if err != nil {
		t.Fatal(err)
	}
	for i := range line {
		line[i] = 0xAA
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("the record changed with its line:\n%+v\n%+v", got, want)
	}
}

// FuzzDecode checks that every line that is not blank is counted, and that a file cut at a line end
// decodes to a prefix of the whole.
func FuzzDecode(f *testing.F) {
	seeds(f, func(text []byte) {
		if len(text) < 2000 {
			f.Add(text, len(text)/2)
		}
	})
	f.Add([]byte("\xef\xbb\xbf\u00a0\r\n{\"type\":\"session\",\"id\":\"s\"}\r\nnull\n{}\n{\"type\":\"session\"}\n{\"type\":\"title\",\"v\":1}\n{\"type\":\"label\"}"), 40)
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		for _, format := range []*session.Format{&OMP, &Format} {
			whole := decode(t, format, text)
			lines := 0
			for range jsonl.Lines(text) {
				lines++
			}
			if n := len(whole.entries) + len(whole.bad) + whole.skipped; n != lines {
				t.Fatalf("%d lines accounted for, the text has %d", n, lines)
			}
			cut := bytes.IndexByte(text[min(max(at, 0), len(text)):], '\n')
			if cut < 0 {
				return
			}
			part := decode(t, format, text[:min(max(at, 0), len(text))+cut+1])
			if len(part.entries) > len(whole.entries) || !reflect.DeepEqual(part.entries, whole.entries[:len(part.entries):len(part.entries)]) && len(part.entries) > 0 {
				t.Fatalf("the beginning decodes otherwise than the whole")
			}
			outline.Build(session.BuildTree(whole.header, whole.entries, nil), outline.View{Leaf: session.NoPos, Entry: session.NoPos, Layout: outline.LayoutOutline})
		}
		Format.Sniff(text)
	})
}
