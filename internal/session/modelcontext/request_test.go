package modelcontext_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/modelcontext"
	"sessiontree/internal/session/store"
)

func openSession(t *testing.T, dir, file string) *store.Session {
	t.Helper()
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(t.Context(), file)
	if err != nil {
		t.Skip(err) // a sample of a file that is no session
	}
	return s
}

// checkSums checks that rows and parts of a request sum to its total.
func checkSums(t *testing.T, r *modelcontext.Request) {
	t.Helper()
	var rows modelcontext.Tokens
	for i := range r.Rows {
		rows.Add(&r.Rows[i].Tokens)
	}
	for _, part := range []modelcontext.Part{modelcontext.Unrecorded, modelcontext.Tools, modelcontext.System} {
		if part != modelcontext.System || r.Recorded {
			rows[part] = r.Parts[part]
		}
	}
	if rows != r.Parts || r.Parts.Sum() != r.Total {
		t.Errorf("rows %v, parts %v, total %d", rows, r.Parts, r.Total)
	}
	if n := r.Usage.InputTokens(); n > 0 && (r.Total != n || !r.Counted) {
		t.Errorf("total %d, recorded %d", r.Total, n)
	}
	for _, n := range r.Parts {
		if n < 0 {
			t.Errorf("parts %v", r.Parts)
		}
	}
}

// In all samples, the parts of the request of every entry sum to its total, which is the same
// for the leaf at which the request was made.
func TestReadRequest_samples(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "..", "testdata")
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".jsonl") {
			return err
		}
		t.Run(strings.TrimPrefix(file, dir), func(t *testing.T) {
			t.Parallel()
			full, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			checkEveryEntry(t, openSession(t, filepath.Dir(full), full))
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkEveryEntry(t *testing.T, s *store.Session) {
	t.Helper()
	n := 0
	s.ReadTree(func(tree *session.Tree, _ store.Revision) { n = tree.Len() })
	for p := range session.Pos(min(n, 300)) {
		read := func(locate func(*session.Tree) (modelcontext.Place, error)) *modelcontext.Request {
			r, err := modelcontext.ReadRequest(t.Context(), s, locate)
			if err != nil {
				t.Fatalf("entry %d: %v", p, err)
			}
			checkSums(t, r)
			return r
		}
		r := read(func(tree *session.Tree) (modelcontext.Place, error) { return modelcontext.PlaceOf(tree, p, p), nil })
		if r.Answer != p || r.Recorded {
			continue
		}
		read(func(tree *session.Tree) (modelcontext.Place, error) { return modelcontext.PlaceAtLeaf(tree, p), nil })
		at := read(func(tree *session.Tree) (modelcontext.Place, error) {
			return modelcontext.PlaceAtLeaf(tree, r.Leaf), nil
		})
		if at.Answer == r.Answer && at.Total != r.Total {
			t.Errorf("entry %d: %d tokens, %d at its leaf", p, r.Total, at.Total)
		}
	}
}

// piLine returns a line of pi.
func piLine(kind, id, parent, rest string) string {
	return fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%s,"timestamp":"2026-02-03T09:00:01.000Z",%s}`+"\n", kind, id, map[bool]string{true: "null", false: fmt.Sprintf("%q", parent)}[parent == ""], rest)
}

func piMessage(id, parent, role, text string, more string) string {
	return piLine("message", id, parent, fmt.Sprintf(`"message":{"role":%q,"content":[{"type":"text","text":%q}]%s}`, role, text, more))
}

func usage(input, cached int) string {
	return fmt.Sprintf(`,"provider":"x","model":"claude-opus-4-5","usage":{"input":%d,"output":5,"cacheRead":%d,"cacheWrite":0,"totalTokens":%d}`, input, cached, input+cached+5)
}

const piHeader = `{"type":"session","version":3,"id":"s","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/proj"}` + "\n"

func readPi(t *testing.T, content, entry string) *modelcontext.Request {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "s.jsonl")
	if err := os.WriteFile(file, []byte(piHeader+content), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := modelcontext.ReadRequest(t.Context(), openSession(t, dir, file), func(tree *session.Tree) (modelcontext.Place, error) {
		return modelcontext.PlaceOf(tree, tree.FindID(entry), tree.Leaf()), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, r)
	return r
}

// What the first request has besides its messages is the system prompt and the tools, which
// later requests have as well.
func TestReadRequest_rebuilt(t *testing.T) {
	t.Parallel()
	content := piMessage("u1", "", "user", strings.Repeat("abcd", 100), "") + piMessage("a1", "u1", "assistant", "ok", usage(100, 1000)) +
		piMessage("u2", "a1", "user", strings.Repeat("abcd", 300), "") + piMessage("a2", "u2", "assistant", "done", usage(10, 1601))
	first := readPi(t, content, "a1")
	if first.Total != 1100 || first.Parts[modelcontext.Unrecorded] != 1000 || first.Parts[modelcontext.Prompts] != 100 || first.Previous != session.NoPos {
		t.Errorf("first request: %+v", first)
	}
	second := readPi(t, content, "a2")
	if second.Answer != first.Next || second.Total != 1611 || second.Parts[modelcontext.Unrecorded] != 1000 || second.Change != 511 || second.Usage.CacheRead != 1601 {
		t.Errorf("second request: %+v", second)
	}
	if len(second.Rows) != 3 || second.Rows[0].New || !second.Rows[1].New || !second.Rows[2].New || second.Recorded || !second.Counted {
		t.Errorf("rows: %+v", second.Rows)
	}
}

// If a later request is smaller than the system prompt and the tools of the first, all its
// parts shrink. If it is much larger than its texts, they do not take it all.
func TestReadRequest_inconsistent(t *testing.T) {
	t.Parallel()
	content := func(total int) string {
		return piMessage("u1", "", "user", strings.Repeat("abcd", 100), "") + piMessage("a1", "u1", "assistant", "ok", usage(1100, 0)) +
			piMessage("u2", "a1", "user", strings.Repeat("abcd", 899), "") + piMessage("a2", "u2", "assistant", "done", usage(total, 0))
	}
	if r := readPi(t, content(200), "a2"); r.Parts[modelcontext.Unrecorded] != 100 || r.Parts[modelcontext.Prompts] != 100 || r.Total != 200 {
		t.Errorf("small: %v", r.Parts)
	}
	if r := readPi(t, content(9000), "a2"); r.Parts[modelcontext.Unrecorded] != 7000 || r.Parts[modelcontext.Prompts] != 1998 || r.Total != 9000 {
		t.Errorf("large: %v", r.Parts)
	}
}

// Without recorded tokens there are only estimates.
func TestReadRequest_uncounted(t *testing.T) {
	t.Parallel()
	r := readPi(t, piMessage("u1", "", "user", strings.Repeat("abcd", 100), "")+piMessage("a1", "u1", "assistant", "ok", ""), "a1")
	if r.Counted || r.Total != 100 || len(r.Rows) != 1 {
		t.Errorf("%+v", r)
	}
}

// A message without content is listed as what it is.
func TestReadRequest_empty(t *testing.T) {
	t.Parallel()
	content := piMessage("u1", "", "user", "hello", "") + piMessage("a1", "u1", "assistant", "", "") +
		piMessage("u2", "a1", "user", "again", "") + piMessage("a2", "u2", "assistant", "done", usage(10, 30))
	r := readPi(t, content, "a2")
	if len(r.Rows) != 3 || r.Rows[1].Part != modelcontext.Answers {
		t.Errorf("rows %+v, want an answer as the second", r.Rows)
	}
}

// A compaction leaves out entries, and keeps others. They count as neither new nor removed.
func TestReadRequest_compaction(t *testing.T) {
	t.Parallel()
	content := piMessage("u1", "", "user", "one", "") + piMessage("a1", "u1", "assistant", "ok", usage(100, 0)) +
		piMessage("u2", "a1", "user", "two", "") + piMessage("a2", "u2", "assistant", "ok", usage(200, 0)) +
		piLine("compaction", "c", "a2", `"summary":"what was","firstKeptEntryId":"u2","tokensBefore":205`) +
		piMessage("u3", "c", "user", "three", "") + piMessage("a3", "u3", "assistant", "ok", usage(150, 0))
	r := readPi(t, content, "a3")
	if len(r.LeftOut) != 2 || r.LeftOutTokens != 205 || len(r.Removed) != 0 || r.Change != -50 {
		t.Errorf("left out %v, %d tokens, removed %v, change %d", r.LeftOut, r.LeftOutTokens, r.Removed, r.Change)
	}
	var marks []string
	for i := range r.Rows {
		marks = append(marks, fmt.Sprint(r.Rows[i].Part.Name(), " kept ", r.Rows[i].Kept, " new ", r.Rows[i].New))
	}
	want := "summary kept false new true|prompts kept true new false|answers kept true new true|prompts kept false new true"
	if got := strings.Join(marks, "|"); got != want {
		t.Errorf("rows\n got %s\nwant %s", got, want)
	}
}

// A recorded request has its system prompt, its tools and the blocks of its messages.
func TestReadRequest_recorded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "11111111-0000-4000-8000-00000000000a.jsonl")
	if err := os.WriteFile(file, []byte(recordedSession), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openSession(t, dir, file)
	r, err := modelcontext.ReadRequest(t.Context(), s, func(tree *session.Tree) (modelcontext.Place, error) {
		return modelcontext.PlaceOf(tree, tree.Leaf(), tree.Leaf()), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	checkSums(t, r)
	if !r.Recorded || r.Total != 900 || r.Text.System != "Be brief." || len(r.Text.Tools) != 2 || r.Text.Tools[1] != "Edit" || r.Parts[modelcontext.Tools] == 0 {
		t.Errorf("%+v", r)
	}
	var rows []string
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for i := range r.Rows {
			id := "-"
			if p := r.Rows[i].Item.Pos; p != session.NoPos {
				id = tree.At(p).ID
			}
			rows = append(rows, fmt.Sprint(id, " ", r.Rows[i].Part.Name(), " ", r.Rows[i].New))
		}
	})
	if got, want := strings.Join(rows, "|"), "u1 prompts false|a1 answers true|u2 results true"; got != want {
		t.Errorf("rows\n got %s\nwant %s", got, want)
	}
}

const recordedSession = `{"type":"api-request-shape","sessionId":"s","shapeHash":"sh","shape":{"system":[{"type":"text","text":"Be brief."}],"tools":[{"name":"Bash"},{"name":"Edit"}]}}
{"parentUuid":null,"isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.330","type":"user","message":{"role":"user","content":"list files"},"uuid":"u1","timestamp":"2026-03-01T10:00:00.000Z"}
{"type":"api-request-blob","sessionId":"s","hash":"h1","message":{"role":"user","content":"list files"}}
{"type":"api-request","sessionId":"s","id":"r1","keep":0,"tail":["h1"],"shapeHash":"sh","timestamp":"2026-03-01T10:00:01.000Z"}
{"parentUuid":"u1","isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.330","type":"assistant","requestRef":"r1","requestId":"q1","message":{"id":"m1","type":"message","role":"assistant","model":"claude-opus-4-5","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}],"usage":{"input_tokens":500,"output_tokens":20}},"uuid":"a1","timestamp":"2026-03-01T10:00:02.000Z"}
{"parentUuid":"a1","isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.330","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a.go"}]},"uuid":"u2","timestamp":"2026-03-01T10:00:03.000Z"}
{"type":"api-request-blob","sessionId":"s","hash":"h3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a.go"}]}}
{"type":"api-request","sessionId":"s","id":"r2","base":"r1","keep":1,"tail":["h2","h3"],"shapeHash":"sh","timestamp":"2026-03-01T10:00:04.000Z"}
{"parentUuid":"u2","isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.330","type":"assistant","requestRef":"r2","requestId":"q2","message":{"id":"m2","type":"message","role":"assistant","model":"claude-opus-4-5","content":[{"type":"text","text":"One file."}],"usage":{"input_tokens":100,"cache_read_input_tokens":800,"output_tokens":5}},"uuid":"a2","timestamp":"2026-03-01T10:00:05.000Z"}
`

// Equal blocks are counted: both of two new ones are new, and one of two is removed. Each call of
// an answer has its own index.
func TestReadRequest_equalBlocks(t *testing.T) {
	t.Parallel()
	read := func(first, second []string) *modelcontext.Request {
		dir := t.TempDir()
		file := filepath.Join(dir, "11111111-0000-4000-8000-00000000000b.jsonl")
		blob := func(hash, text string) string {
			return fmt.Sprintf(`{"type":"api-request-blob","sessionId":"s","hash":%q,"message":{"role":"user","content":%q}}`+"\n", hash, text)
		}
		content := recordedSession[:strings.Index(recordedSession, "{\"type\":\"api-request-blob")] + blob("x", "same") + blob("y", "other") +
			`{"type":"api-request-blob","sessionId":"s","hash":"calls","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"pwd"}}]}}` + "\n"
		for i, tail := range [][]string{first, second} {
			parent := []string{"u1", "a1"}[i]
			content += fmt.Sprintf(`{"type":"api-request","sessionId":"s","id":"r%d","keep":0,"tail":["%s"],"shapeHash":"sh","timestamp":"2026-03-01T10:00:0%d.000Z"}`+"\n", i+1, strings.Join(tail, `","`), i+1) +
				fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"cwd":"/p","sessionId":"s","version":"2.1.330","type":"assistant","requestRef":"r%d","requestId":"q%d","message":{"id":"m%d","type":"message","role":"assistant","model":"claude-opus-4-5","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"ls"}},{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"pwd"}}],"usage":{"input_tokens":500,"output_tokens":20}},"uuid":"a%d","timestamp":"2026-03-01T10:00:0%d.000Z"}`+"\n", parent, i+1, i+1, i+1, 2*i+1, 2*i+2, i+1, i+2)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := modelcontext.ReadRequest(t.Context(), openSession(t, dir, file), func(tree *session.Tree) (modelcontext.Place, error) {
			return modelcontext.PlaceOf(tree, tree.Leaf(), tree.Leaf()), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := read([]string{"y"}, []string{"y", "x", "x"}); len(r.Rows) != 3 || r.Rows[0].New || !r.Rows[1].New || !r.Rows[2].New || r.RemovedCount != 0 {
		t.Errorf("two new blocks: %+v, %d removed", r.Rows, r.RemovedCount)
	}
	if r := read([]string{"x", "x", "y"}, []string{"x", "y"}); len(r.Removed) != 1 || r.RemovedCount != 1 {
		t.Errorf("one of two blocks: %+v, %d removed", r.Removed, r.RemovedCount)
	}
	if r := read(slices.Repeat([]string{"x"}, 62), []string{"x", "calls"}); len(r.Removed) != 50 || r.RemovedCount != 61 || len(r.Rows) != 3 || r.Rows[1].Item.Call != 0 || r.Rows[2].Item.Call != 1 {
		t.Errorf("%d listed, %d removed, rows %+v", len(r.Removed), r.RemovedCount, r.Rows)
	}
}
