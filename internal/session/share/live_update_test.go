package share_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// agent writes a session file like pi.
type agent struct {
	t    failer
	path string
	ids  []string // of all entries
	leaf string
	n    int
}

func newAgent(t failer, dir string) *agent {
	a := &agent{t: t, path: filepath.Join(dir, "session.jsonl")}
	a.write(`{"type":"session","version":3,"id":"0190f5a2-0000-7000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/home/tester/work"}`)
	return a
}

func (a *agent) write(lines ...string) {
	f, err := os.OpenFile(a.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	}
	if err = errors.Join(err, f.Close()); err != nil {
		a.t.Fatal(err)
	}
}

// entry writes an entry below parent. It becomes the leaf.
func (a *agent) entry(parent, typ, rest string) string {
	a.n++
	id := fmt.Sprintf("e%07d", a.n)
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	a.write(fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%s,"timestamp":"2026-01-01T00:%02d:%02d.%03dZ",%s}`, typ, id, up, a.n/60%60, a.n%60, a.n/3600, rest))
	a.ids, a.leaf = append(a.ids, id), id
	return id
}

func (a *agent) say(parent, role, text string) string {
	return a.entry(parent, "message", fmt.Sprintf(`"message":{"role":%q,"content":[{"type":"text","text":%q}]}`, role, text))
}

func (a *agent) label(target, text string) {
	rest := fmt.Sprintf(`"targetId":%q`, target)
	if text != "" {
		rest += fmt.Sprintf(`,"label":%q`, text)
	}
	a.entry(a.leaf, "label", rest)
}

// snapshotState is the visible content of a session: messages with their parents, name,
// labels and leaf. Lines that only record these are not entries here.
type snapshotState struct {
	Up, Said, Labels map[string]string
	Name, Leaf       string
}

func readSnapshot(t failer, s *store.Session) snapshotState {
	x := snapshotState{Up: map[string]string{}, Said: map[string]string{}, Labels: map[string]string{}}
	var all []session.Pos
	s.ReadTree(func(tr *session.Tree, _ store.Revision) {
		counts := func(p session.Pos) bool {
			e := tr.At(p)
			return e.Kind != session.KindLabel && e.Kind != session.KindName && !e.HasFlag(session.FlagBranchMark) && e.ID != fmt.Sprint("L", e.Span.Line)
		}
		above := func(p session.Pos) string {
			for p != session.NoPos && !counts(p) {
				p = tr.Parent(p)
			}
			if p == session.NoPos {
				return ""
			}
			return tr.At(p).ID
		}
		for p := range session.Pos(tr.Len()) {
			if counts(p) {
				x.Up[tr.At(p).ID] = above(tr.Parent(p))
				all = append(all, p)
			}
		}
		for _, l := range tr.Labels() {
			if counts(l.Target) {
				x.Labels[tr.At(l.Target).ID] = fmt.Sprint(l.Text, l.Time)
			}
		}
		h := tr.Header()
		x.Name, x.Leaf = h.Name, above(tr.Leaf())
	})
	err := s.ReadRawLines(ctx, all, func(i int, line []byte) error {
		s.ReadTree(func(tr *session.Tree, _ store.Revision) { x.Said[tr.At(all[i]).ID] = string(line) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// createFresh creates a new snapshot of the current session and returns it with the
// result of the export.
func createFresh(t failer, dir string, src *store.Session, made share.Share, part export.Part) (*store.Session, export.Result) {
	job, err := export.Prepare(ctx, src, export.Options{Part: part, Kind: export.JSONL, Redactor: rules, Classes: made.Classes, Omit: made.Without,
		SidecarAnnotations: true, Origin: export.Origin{Seed: made.ID, Made: made.Created, OmitSource: true}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	result, err := job.Write(ctx, &b)
	if err != nil {
		t.Fatal(err)
	}
	result.Entries = job.WrittenEntries()
	if dir, err = os.MkdirTemp(dir, ""); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, job.AgentFileName())
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := src.OpenCopy(ctx, path, job.SessionID(), job.Annotations())
	if err != nil {
		t.Fatal(err)
	}
	return s, result
}

// pathIDs returns the path to the leaf without labels and added lines. A snapshot has no
// label lines, and a line that records its leaf is its leaf.
func (a *agent) pathIDs(s *store.Session, snapshot bool) (way []string) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		for _, p := range t.Path(t.Leaf()) {
			e, own := t.At(p), slices.Contains(a.ids, t.At(p).ID)
			if snapshot && (e.Kind == session.KindLabel || e.HasFlag(session.FlagBranchMark) && !own && p != t.Leaf()) {
				a.t.Fatal(e.ID, " is on the path of the snapshot")
			}
			if own && e.Kind != session.KindLabel {
				way = append(way, e.ID)
			}
		}
	})
	return way
}

// passes reports whether the path to the leaf contains an entry, and whether the entry
// exists.
func passes(s *store.Session, id string) (is, known bool) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		p := t.FindID(id)
		is, known = p != session.NoPos && slices.Contains(t.Path(t.Leaf()), p), p != session.NoPos
	})
	return is, known
}

// leafOf returns the leaf of a session.
func leafOf(s *store.Session) (id string) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) { id = t.At(t.Leaf()).ID })
	return id
}

var ctx = context.Background()

// secrets must not occur in any file of a share.
var secrets = []string{"ghp_" + "x7Kq2mN9pR4tV6wY8zB1cD3fG5hJ0kL2nP4q", "/home/tester", "tester@example.org"}

// randomStep changes the session in a random way.
func (a *agent) randomStep(r *rapid.T) {
	anyone := func() string { return rapid.SampledFrom(a.ids).Draw(r, "entry") }
	text := func() string {
		return rapid.SampledFrom(append([]string{"yes", "no\n\ttab \u2028", "日本"}, secrets...)).Draw(r, "text") + fmt.Sprint(" ", a.n)
	}
	switch rapid.SampledFrom([]string{"say", "say", "say", "answer", "elsewhere", "label", "label", "clear", "stay", "name", "model", "compaction",
		"nameless", "orphan", "rewrite"}).Draw(r, "what") {
	case "say":
		a.say(a.leaf, "user", text())
	case "answer":
		a.say(a.leaf, "assistant", text())
	case "elsewhere":
		a.say(anyone(), "user", text())
	case "label":
		a.label(anyone(), text())
	case "clear":
		a.label(anyone(), "")
	case "stay":
		a.entry(anyone(), "custom", `"customType":"session-explorer.branch"`)
	case "name":
		a.entry(a.leaf, "session_info", fmt.Sprintf(`"name":%q`, text()))
	case "model":
		a.entry(a.leaf, "model_change", `"provider":"p","modelId":"m"`)
	case "compaction":
		a.entry(a.leaf, "compaction", fmt.Sprintf(`"summary":"so far","tokensBefore":1,"firstKeptEntryId":%q`, anyone()))
	case "nameless":
		a.write(fmt.Sprintf(`{"type":"message","parentId":%q,"message":{"role":"user","content":"who"}}`, a.leaf))
	case "orphan":
		a.say(fmt.Sprintf("e%07d", a.n+2), "user", text()) // its parent is the next entry
	case "rewrite":
		text, err := os.ReadFile(a.path)
		if err == nil {
			err = os.WriteFile(a.path, bytes.Replace(text, []byte("yes"), []byte("YES"), 1), 0o600)
		}
		if err != nil {
			r.Fatal(err)
		}
	}
}

func randomPart(a *agent, r *rapid.T) export.Part {
	entry := rapid.SampledFrom(a.ids).Draw(r, "of")
	return rapid.SampledFrom([]export.Part{{Scope: export.Tree}, {Scope: export.Path}, {Scope: export.Path, Entry: entry}, {Scope: export.Subtree, Entry: entry},
		{Scope: export.Subtree, Entry: entry, Bare: true}, {Scope: export.Subtree, Entry: entry, To: entry}}).Draw(r, "part")
}

// After any change of a session, and whichever process updates it, the snapshot of a live
// share equals a new export. It never contains replaced values.
func TestUpdateLive_EqualsNewExport(t *testing.T) {
	top, n := t.TempDir(), 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		dir := filepath.Join(top, fmt.Sprint(n))
		shareDir, c := filepath.Join(dir, "shares"), newClock()
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, "agent"), 0o700), os.MkdirAll(filepath.Join(dir, "again"), 0o700)); err != nil {
			r.Fatal(err)
		}
		defer os.RemoveAll(dir)
		a := newAgent(r, filepath.Join(dir, "agent"))
		a.say("", "user", "hello")
		for range rapid.IntRange(0, 12).Draw(r, "before") {
			a.randomStep(r)
		}
		src := openSource(r, a.path)
		q := wholeRequest(src)
		q.Live, q.Options.Part = true, randomPart(a, r)
		all := []*share.Shares{openShares(r, shareDir, c), openShares(r, shareDir, c)}
		token, made, err := all[0].Create(ctx, q)
		if errors.Is(err, session.ErrInvalid) {
			r.Skip("there is nothing to share")
		} else if err != nil {
			r.Fatal(err)
		}
		part := q.Options.Part
		if part.Scope == export.Path && part.Entry == "" {
			src.ReadTree(func(t *session.Tree, _ store.Revision) { part.Entry = t.At(t.Leaf()).ID })
		}
		part = extendPart(r, src, part)
		reader, _, err := all[1].OpenSnapshot(ctx, token)
		if err != nil {
			r.Fatal(err)
		}
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			leaf, readerLeaf := leafOf(src), leafOf(reader)
			for range rapid.IntRange(0, 3).Draw(r, "at once") {
				a.randomStep(r)
			}
			if rapid.IntRange(0, 9).Draw(r, "restart") == 0 {
				all[0] = openShares(r, shareDir, c)
			}
			all[rapid.IntRange(0, 1).Draw(r, "who")].UpdateLive(ctx, src)
			part = extendPart(r, src, part)
			if _, err := reader.Refresh(ctx); err != nil {
				r.Fatal(err)
			}
			now, err := all[1].FindByToken(token)
			if err != nil {
				r.Fatal(err, now.RevokeReason)
			}
			fresh, result := createFresh(r, filepath.Join(dir, "again"), src, made, part)
			if diff := cmp.Diff(readSnapshot(r, fresh), readSnapshot(r, reader)); diff != "" {
				r.Fatalf("the snapshot is not what it would be now:\n%s", diff)
			}
			if diff := cmp.Diff(a.pathIDs(src, false), a.pathIDs(reader, true)); part.Scope == export.Tree && diff != "" {
				r.Fatalf("the snapshot has another path:\n%s", diff)
			}
			continues, _ := passes(src, leaf)
			if keeps, known := passes(reader, readerLeaf); part.Scope == export.Tree && continues && known && !keeps {
				r.Fatal("a reader at the leaf reads another branch now")
			}
			entryCount := 0 // duplicates in the session are duplicates here
			reader.ReadTree(func(t *session.Tree, _ store.Revision) { entryCount = t.Len() })
			if now.Entries != entryCount || entryCount < result.Entries || hasFewerCounts(now.Redacted, result.Redacted) {
				r.Fatalf("%d entries of %d, %v of %v", now.Entries, entryCount, now.Redacted, result.Redacted)
			}
			checkNoSecrets(r, shareDir)
		}
	})
}

// extendPart returns the part extended to the end of its branch.
func extendPart(t failer, src *store.Session, part export.Part) export.Part {
	var err error
	src.ReadTree(func(tr *session.Tree, _ store.Revision) { part, err = part.ExtendToTip(tr) })
	if err != nil {
		t.Fatal(err)
	}
	return part
}

// hasFewerCounts reports whether a kind is missing in counted or has a smaller count
// there. An earlier name of the session may have counted too.
func hasFewerCounts(counted, is []export.Count) bool {
	return slices.ContainsFunc(is, func(want export.Count) bool {
		return !slices.ContainsFunc(counted, func(c export.Count) bool { return c.Kind == want.Kind && c.Count >= want.Count })
	})
}

// checkNoSecrets checks that no file below a directory contains a secret.
func checkNoSecrets(t failer, dir string) {
	for _, file := range listFiles(t, dir) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range secrets {
			if bytes.Contains(text, []byte(s)) {
				t.Fatal(file, " holds ", s)
			}
		}
	}
}
