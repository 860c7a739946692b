package claude

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
)

// opened reads and arranges the session in names, or all sessions of a directory, and returns a
// reader for its lines.
func opened(t testing.TB, f files, names ...string) (*session.Tree, session.LineReader) {
	t.Helper()
	unit, err := gatherFiles(f.fs(), names)
	if err != nil {
		t.Fatal(err)
	}
	var header session.Header
	var parts [][]session.Entry
	recorded := map[session.Span][]byte{}
	for k, name := range unit.Names {
		d := newTestFile()
		var part []session.Entry
		n, off := 0, int64(0)
		for line := range strings.Lines(f[name]) {
			n++
			e := d.decode(strings.TrimSuffix(line, "\n"), n)
			e.Span = session.Span{File: int32(k), Line: int32(n), Off: off, Len: int32(len(line) - 1)}
			off += int64(len(line))
			recorded[e.Span] = []byte(strings.TrimSuffix(line, "\n"))
			part = append(part, e)
		}
		if k == 0 {
			header, _ = d.Header()
		}
		parts = append(parts, part)
	}
	tree := session.BuildArranged(header, parts, nil, func(g []*session.Entry) session.Arrangement { return arrangeGroup(unit, g) })
	return tree, func(p session.Pos) ([]byte, error) { return recorded[tree.At(p).Span], nil }
}

// requestMessage is a message in the form in which it is compared: its role, and each block as
// text.
type requestMessage struct {
	Role   string
	Blocks []string
}

func addMessage(all []requestMessage, role string, blocks []string) []requestMessage {
	if len(blocks) == 0 {
		return all
	}
	if len(all) == 0 || all[len(all)-1].Role != role {
		all = append(all, requestMessage{Role: role})
	}
	all[len(all)-1].Blocks = append(all[len(all)-1].Blocks, blocks...)
	return all
}

// sample shortens the long lines that no file records in the same way as those of the samples.
func sample(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		if runes := []rune(line); strings.Contains(taskNoticeHead, line) && len(runes) > 26 {
			lines[i] = fmt.Sprintf("%s… %.4x", string(runes[:16]), sha256.Sum256([]byte(line)))
		}
	}
	return strings.Join(lines, "\n")
}

// inWords returns a block as text. Samples shorten long contents, so contents other than text are
// compared by their type.
func inWords(b session.SentBlock) string {
	switch b.Type {
	case session.SentText:
		return "text " + sample(b.Text)
	case session.SentToolUse:
		var input any
		_ = json.Unmarshal(b.Input, &input)
		return fmt.Sprint("call ", b.CallID, " ", b.Name, " ", input)
	case session.SentToolResult:
		words := fmt.Sprint("result ", b.CallID, " ", b.Failed, " ")
		if b.Content == nil {
			return words + sample(b.Text)
		}
		for _, part := range b.Content {
			words += "[" + inWords(part) + "]"
		}
		return words
	}
	return b.Type + " " + sample(b.Text)
}

func wordsOf(blocks []session.SentBlock) (words []string) {
	for _, b := range blocks {
		if b.Type != session.SentText || strings.TrimSpace(b.Text) != "" {
			words = append(words, inWords(b))
		}
	}
	return words
}

// rebuilt returns the context at p and the entries of each of its messages.
func rebuilt(t testing.TB, tree *session.Tree, read session.LineReader, p session.Pos) (all []requestMessage, entries [][]string) {
	t.Helper()
	for _, item := range tree.Context(p).Items {
		var lines [][]byte
		var ids []string
		for _, at := range append([]session.Pos{item.Pos}, item.MergedEntries...) {
			line, err := read(at)
			if err != nil {
				t.Fatal(err)
			}
			lines, ids = append(lines, line), append(ids, tree.At(at).ID)
		}
		blocks, err := decodeSentBlocks(item, lines)
		if err != nil {
			t.Fatal(err)
		}
		before := len(all)
		if all = addMessage(all, item.Role, wordsOf(blocks)); len(all) > before {
			entries = append(entries, nil)
		}
		entries[len(entries)-1] = append(entries[len(entries)-1], ids...)
	}
	return all, entries
}

// requested returns the messages of a recorded request.
func requested(t testing.TB, r *session.Request) (all []requestMessage) {
	t.Helper()
	for _, m := range r.Messages {
		if m.Missing != "" {
			t.Fatalf("a message of request %s is missing", r.ID)
		}
		line, _ := json.Marshal(map[string]any{"type": "user", "message": map[string]any{"content": m.Content}})
		blocks, err := decodeSentBlocks(session.ContextItem{}, [][]byte{line})
		if err != nil {
			t.Fatal(err)
		}
		all = addMessage(all, m.Role, wordsOf(blocks))
	}
	return all
}

// withoutRequests removes the lines that record requests.
func withoutRequests(f files) files {
	out := maps.Clone(f)
	for name, text := range f {
		var kept strings.Builder
		for line := range strings.Lines(text) {
			var typ struct{ Type string }
			if json.Unmarshal([]byte(line), &typ) != nil || !strings.HasPrefix(typ.Type, "api-request") {
				kept.WriteString(line)
			}
		}
		out[name] = kept.String()
	}
	return out
}

// checkContexts compares the context before each answer with the recorded request of the answer. It
// returns the number of comparisons.
func checkContexts(t *testing.T, f files) (answers int) {
	tree, read := opened(t, f)
	bare, readBare := opened(t, withoutRequests(f))
	seen := map[string]bool{}
	for p := range session.Pos(tree.Len()) {
		e, x := tree.At(p), tree.At(p).Extra.(*facts)
		if e.Kind != session.KindAssistant || x.request == "" || seen[x.request] {
			continue
		}
		seen[x.request] = true
		answers++
		resolve, err := findRequest(tree, p)
		if err != nil {
			t.Errorf("%s: %v", e.ID, err)
			continue
		}
		r, err := resolve(read)
		if err != nil {
			t.Errorf("%s: %v", e.ID, err)
			continue
		}
		want := requested(t, r)
		got, entries := rebuilt(t, bare, readBare, bare.FindID(e.Parent))
		if !reflect.DeepEqual(want, got) {
			t.Errorf("context before %s: %s", e.ID, firstDifference(want, got))
			continue
		}
		i := 0
		for _, m := range r.Messages {
			if string(m.Content) == "[]" {
				continue
			}
			if !slices.Equal(m.Entries, entries[i]) {
				t.Errorf("message %d of the request of %s came from %v, want %v", i, e.ID, m.Entries, entries[i])
			}
			i++
		}
		if len(r.System) == 0 || len(r.Tools) == 0 {
			t.Errorf("the request of %s has no system prompt or no tools", e.ID)
		}
	}
	return answers
}

// firstDifference describes the first difference between a context and its request.
func firstDifference(want, got []requestMessage) string {
	flat := func(all []requestMessage) (lines []string) {
		for i, m := range all {
			for _, b := range m.Blocks {
				lines = append(lines, fmt.Sprintf("message %d %s %q", i, m.Role, b))
			}
		}
		return append(lines, "the end")
	}
	w, g := flat(want), flat(got)
	for i := range w {
		if i >= len(g) || w[i] != g[i] {
			return fmt.Sprintf("got\n%s\nwant\n%s", g[min(i, len(g)-1)], w[i])
		}
	}
	return "got more messages"
}

// project reads the files of a project directory.
func project(t testing.TB, dir string) files {
	t.Helper()
	f := files{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		f[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestContext_corpus(t *testing.T) {
	t.Parallel()
	dirs, _ := filepath.Glob("../../../../shared/corpus/claude-2.1.330/*")
	if len(dirs) == 0 {
		t.Skip("the samples are not beside the clone")
	}
	total := 0
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			answers := checkContexts(t, project(t, dir))
			t.Logf("%d answers compared", answers)
			total += answers
		})
	}
	if total == 0 {
		t.Error("no answer has a recorded request")
	}
}
