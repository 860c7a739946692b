package export_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// Exports of Claude Code and Wave contain every message below its original parent. Parts
// that the formats cannot hold are refused with a reason.
func TestRoundTrip_OtherFormats(t *testing.T) {
	slowtest.SkipIfShort(t)
	for _, c := range []struct {
		file string
		made int // minimum number of parts that can be exported
	}{
		{"claude/project/11111111-0000-4000-8000-000000000001.jsonl", 20},
		{"claude/project/22222222-0000-4000-8000-000000000002.jsonl", 20},
		{"wave/project/0aa11111-1111-4111-8111-111111111111.jsonl", 25},
		{"wave/project/0bb22222-2222-4222-8222-222222222222.jsonl", 1},
		{"wave/forms/compaction.jsonl", 40},
	} {
		t.Run(c.file, func(t *testing.T) {
			s, made := openFile(t, testdata+filepath.FromSlash(c.file)), 0
			for _, part := range samplePartsOf(readTree(s), 25) {
				if checkSameConversation(t, s, part, nil) {
					made++
				}
			}
			if made < c.made {
				t.Errorf("%d parts could be exported", made)
			}
		})
	}
}

// checkSameConversation checks that an exported part is the same conversation when it is
// opened. It returns false if the part cannot be exported. astray, unless nil, counts the
// entries with another parent; then sessions may be joined.
func checkSameConversation(t *testing.T, s *store.Session, part export.Part, astray *int) bool {
	t.Helper()
	path, err := exportText(t, s, export.Options{Part: part, Kind: export.JSONL})
	if errors.Is(err, session.ErrInvalid) {
		return false
	}
	if err != nil {
		t.Errorf("%+v: %v", part, err)
		return false
	}
	again := openFile(t, path)
	from, to := readTree(s), readTree(again)
	in, copied := partEntries(from, part), map[string]bool{}
	for p := range session.Pos(to.Len()) {
		e := to.At(p)
		if e.Role == "custom-title" || e.Role == "ai-title" || e.Role == "last-prompt" {
			continue // written for this file
		}
		if nameless.MatchString(e.ID) {
			continue // id made from the line number
		}
		was := from.FindID(e.ID)
		if was == session.NoPos {
			t.Errorf("%+v: %s was added", part, e.ID)
			continue
		}
		copied[e.ID] = true
		up, above := from.Parent(was), to.Parent(p)
		for up != session.NoPos && (!in[up] || to.FindID(from.At(up).ID) == session.NoPos) {
			up = from.Parent(up)
		}
		if part.Bare && e.Kind == session.KindToolResult && isInAgent(from, was) {
			continue // results of parallel calls: an agent's are distinguished from a session's
		}
		if above != session.NoPos && nameless.MatchString(to.At(above).ID) || up != session.NoPos && nameless.MatchString(from.At(up).ID) {
			continue
		}
		if (up == session.NoPos) != (above == session.NoPos) || up != session.NoPos && from.At(up).ID != to.At(above).ID {
			if astray == nil {
				t.Errorf("%+v: %s hangs on %s, hung on %s", part, e.ID, idOrNone(to, above), idOrNone(from, up))
			} else {
				*astray++
			}
		}
		if part.Scope == export.Tree && e.Flags&session.FlagAgent != from.At(was).Flags&session.FlagAgent {
			t.Errorf("%+v: an agent begins at %s, or does not any more", part, e.ID)
		}
		if part.Scope == export.Subtree {
			continue // its lines are made like those of the tree
		}
		if diff := diffBodies(readBody(t, s, was), readBody(t, again, p)); diff != "" && e.Kind != session.KindEvent && e.Kind != session.KindUnknown { // those are shown as recorded
			t.Errorf("%+v: %s (-was +is):\n%s", part, e.ID, diff)
		}
	}
	for p := range in {
		e := from.At(p)
		if (e.Kind == session.KindUser || e.Kind == session.KindAssistant) && !copied[e.ID] && !nameless.MatchString(e.ID) && (s.Format().Name != "wave" || !isInAgent(from, p)) {
			t.Errorf("%+v: %s is left out", part, e.ID)
		}
	}
	if part.Scope == export.Tree && s.Format().RelatesSessions() && astray == nil {
		checkSeparateSessions(t, from, to)
	}
	if end := partEnd(from, part); end != session.NoPos && !nameless.MatchString(idOrNone(from, end)) {
		orphan := astray != nil && isInAgent(from, from.Path(end)[0]) // with agents, which may end elsewhere
		if want, got := pathEndID(from, to, end), idOrNone(to, to.Leaf()); !orphan && want != got && got != idOrNone(from, end) && !(nameless.MatchString(got) && endsNameless(from, end)) {
			t.Errorf("%+v: the file ends at %s, want %s", part, got, want)
		}
	}
	if leaf := idOrNone(from, from.Leaf()); part.Scope == export.Tree && !nameless.MatchString(leaf) && to.FindID(leaf) != session.NoPos && idOrNone(to, to.Leaf()) != leaf {
		t.Errorf("%+v: the agent stands at %s, stood at %s", part, idOrNone(to, to.Leaf()), leaf)
	}
	if was, is := from.Header().Name, to.Header().Name; was != is && !(was == "" && isSummaryName(from, is)) {
		t.Errorf("%+v: %q is called %q", part, was, is)
	}
	return true
}

// sessionsByID maps the entries of a tree to their sessions, and the sessions to their
// leaves.
func sessionsByID(tr *session.Tree) (of, leaf map[string]string) {
	of, leaf = map[string]string{}, map[string]string{}
	for _, l := range tr.Threads().All() {
		for _, p := range l.Entries {
			of[idOrNone(tr, p)] = l.Session
		}
		if l.Leaf != session.NoPos {
			leaf[l.Session] = idOrNone(tr, l.Leaf)
		}
	}
	return of, leaf
}

// checkSeparateSessions checks that an exported tree has as many sessions as its source,
// each with a new id and the same leaf.
func checkSeparateSessions(t *testing.T, from, to *session.Tree) {
	t.Helper()
	sessionsBefore, leavesBefore := sessionsByID(from)
	sessionsAfter, leavesAfter := sessionsByID(to)
	is, was := map[string]string{}, map[string]string{}
	for id, now := range sessionsAfter {
		before := sessionsBefore[id]
		if now == before {
			t.Errorf("%s is of session %s still", id, before)
		}
		if other, ok := is[before]; ok && other != now {
			t.Errorf("session %s became %s and %s", before, other, now)
		}
		if other, ok := was[now]; ok && other != before {
			t.Errorf("sessions %s and %s became one", other, before)
		}
		is[before], was[now] = now, before
	}
	for before, leaf := range leavesBefore {
		if is[before] == to.Header().ID && before != from.Header().ID {
			continue // the opened session has no entries: the file's leaf is its leaf
		}
		if now, ok := is[before]; ok && leavesAfter[now] != leaf && to.FindID(leaf) != session.NoPos {
			t.Errorf("session %s ends at %s, ended at %s", before, leavesAfter[now], leaf)
		}
	}
	for p := range session.Pos(to.Len()) {
		if at := from.FindID(idOrNone(to, p)); at != session.NoPos && from.At(at).HasFlag(session.FlagSession) != to.At(p).HasFlag(session.FlagSession) {
			t.Errorf("another session begins at %s, or does not any more", idOrNone(to, p))
		}
	}
}

// pathEndID returns the entry at which the file of a path ends: the last one that is in
// the file, preferably not an agent's.
func pathEndID(from, to *session.Tree, end session.Pos) string {
	last := ""
	for at := end; at != session.NoPos; at = from.Parent(at) {
		id := from.At(at).ID
		replay := from.Header().Format == "wave" && from.At(at).HasFlag(session.FlagArtifact)
		if to.FindID(id) == session.NoPos || nameless.MatchString(id) || replay {
			continue
		}
		if !isInAgent(from, at) {
			return id
		}
		if last == "" {
			last = id
		}
	}
	return last
}

// endsNameless reports whether a path ends at a line without an id, apart from records that Wave
// wrote once more.
func endsNameless(tr *session.Tree, end session.Pos) bool {
	for tr.At(end).HasFlag(session.FlagArtifact) && tr.Parent(end) != session.NoPos {
		end = tr.Parent(end)
	}
	return nameless.MatchString(tr.At(end).ID)
}

// nameless matches the ids of lines without an id.
var nameless = regexp.MustCompile(`(^|:)L[0-9]+$`)

// isSummaryName reports whether a summary contains the name, which is in no header then.
func isSummaryName(tr *session.Tree, name string) bool {
	for p := range session.Pos(tr.Len()) {
		if e := tr.At(p); e.Role == "summary" && name == e.Name {
			return true
		}
	}
	return false
}

func idOrNone(tr *session.Tree, p session.Pos) string {
	if p == session.NoPos {
		return "none"
	}
	return tr.At(p).ID
}

// isInAgent reports whether p is an agent's entry.
func isInAgent(tr *session.Tree, p session.Pos) bool {
	for ; p != session.NoPos; p = tr.Parent(p) {
		if tr.At(p).HasFlag(session.FlagAgent) {
			return true
		}
	}
	return false
}

// The export reports in advance what its file cannot hold or a path omits.
func TestOmittedText(t *testing.T) {
	for _, c := range []struct {
		file string
		part export.Part
		want string
	}{
		{"wave/project/0aa11111-1111-4111-8111-111111111111.jsonl", export.Part{Scope: export.Tree}, "Sub-agents (5 entries) are in separate files and are left out."},
		{"wave/project/0aa11111-1111-4111-8111-111111111111.jsonl", export.Part{Scope: export.Path}, ""},
		{"claude/project/22222222-0000-4000-8000-000000000002.jsonl", export.Part{Scope: export.Tree}, "The file holds 2 sessions, each with an id of its own; Claude Code opens the one that the file is named after. 4 lines outside the conversation (summary, file-history-snapshot, queue-operation, ai-title) are left out."},
		{"claude/project/22222222-0000-4000-8000-000000000002.jsonl", export.Part{Scope: export.Path}, "Sub-agents outside the path are left out. Export a subtree or the whole tree to include them."},
	} {
		s := openFile(t, testdata+filepath.FromSlash(c.file))
		if c.part.Scope == export.Path && c.want != "" {
			c.part.Entry = anchorID(readTree(s))
		}
		job, err := export.Prepare(t.Context(), s, export.Options{Part: c.part, Kind: export.JSONL})
		if err != nil || job.Omitted() != c.want {
			t.Errorf("%s %s: left %q, %v", c.file, c.part.Scope, job.Omitted(), err)
		}
	}
}

// anchorID returns the parent of an agent's first entry.
func anchorID(tr *session.Tree) string {
	for p := range session.Pos(tr.Len()) {
		if tr.At(p).HasFlag(session.FlagAgent) {
			return tr.At(tr.Parent(p)).ID
		}
	}
	return ""
}

// An agent's work alone becomes a session.
func TestAgentAlone(t *testing.T) {
	for _, file := range []string{"claude/project/22222222-0000-4000-8000-000000000002.jsonl", "wave/project/0aa11111-1111-4111-8111-111111111111.jsonl"} {
		s := openFile(t, testdata+filepath.FromSlash(file))
		from, agents := readTree(s), 0
		for p := range session.Pos(from.Len()) {
			if !from.At(p).HasFlag(session.FlagAgent) {
				continue
			}
			agents++
			path, err := exportText(t, s, export.Options{Part: export.Part{Entry: from.At(p).ID, Scope: export.Subtree, Bare: true}, Kind: export.JSONL})
			if err != nil {
				t.Fatal(err)
			}
			to := readTree(openFile(t, path))
			if first := to.At(0); first.ID != from.At(p).ID || first.HasFlag(session.FlagAgent) || to.At(to.Leaf()).Kind != session.KindAssistant {
				t.Errorf("%s: the session of %s begins with %s and stands at %d", file, from.At(p).ID, first.ID, to.Leaf())
			}
		}
		if agents == 0 {
			t.Errorf("%s has no agents", file)
		}
	}
}

// A last-prompt line for an ancestor does not override the requested entry.
func TestPathEnd_Claude(t *testing.T) {
	const id = "0aa00000-0000-4000-8000-000000000001"
	say := func(uuid, parent, role, text string) string {
		up := "null"
		if parent != "" {
			up = `"` + parent + `"`
		}
		return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/p","sessionId":%q,"uuid":%q,"type":%q,"timestamp":"2026-01-01T10:00:0%sZ","message":{"role":%q,"content":%q}}`+"\n",
			up, id, uuid, role, uuid[1:], role, text)
	}
	path := filepath.Join(t.TempDir(), id+".jsonl")
	text := say("u1", "", "user", "one") + say("a2", "u1", "assistant", "two") + say("u3", "a2", "user", "left") + say("a4", "u3", "assistant", "left too") +
		say("u5", "a2", "user", "other") + say("a6", "u5", "assistant", "other too") + `{"type":"last-prompt","lastPrompt":"one","leafUuid":"a2","sessionId":"` + id + `"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openFile(t, path)
	if got := idOrNone(readTree(s), readTree(s).Leaf()); got != "a2" {
		t.Fatalf("the agent stands at %s", got)
	}
	for _, part := range []export.Part{{Entry: "a4", Scope: export.Path}, {Entry: "u3", Scope: export.Path}, {Entry: "a6", Scope: export.Path}, {Entry: "u1", To: "a4", Scope: export.Subtree}} {
		out, err := exportText(t, s, export.Options{Part: part, Kind: export.JSONL})
		if err != nil {
			t.Fatal(err)
		}
		want := part.Entry
		if part.To != "" {
			want = part.To
		}
		if to := readTree(openFile(t, out)); idOrNone(to, to.Leaf()) != want {
			t.Errorf("%+v: the file ends at %s", part, idOrNone(to, to.Leaf()))
		}
	}
}

// A last message that was recorded twice is twice in the file of the whole session, and
// once in the file of the path to it.
func TestRecordedTwice_Wave(t *testing.T) {
	line := func(id string) string {
		return fmt.Sprintf(`{"timestamp":"2026-03-02T10:00:01.000Z","id":%q,"role":"user","blocks":[{"type":"text","content":"x"}]}`+"\n", id)
	}
	path := filepath.Join(t.TempDir(), "0aa11111-1111-4111-8111-111111111111.jsonl")
	if err := os.WriteFile(path, []byte(line("a")+line("b")+line("b")), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openFile(t, path)
	for _, c := range []struct {
		part export.Part
		want int
	}{{export.Part{Scope: export.Tree}, 3}, {export.Part{Scope: export.Path, Entry: "b"}, 2}} {
		job, err := export.Prepare(t.Context(), s, export.Options{Part: c.part, Kind: export.JSONL})
		if err != nil || job.WrittenEntries() != c.want || job.Omitted() != "" {
			t.Errorf("%s: %d entries, left %q, %v", c.part.Scope, job.WrittenEntries(), job.Omitted(), err)
		}
	}
}

// A line that records the leaf of another session counts as an entry of the file.
func TestOtherSessionLeaf_Claude(t *testing.T) {
	const one, two = "0aa00000-0000-4000-8000-000000000001", "0bb00000-0000-4000-8000-000000000002"
	say := func(id, uuid, parent, role string) string {
		return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/p","sessionId":%q,"uuid":%q,"type":%q,"timestamp":"2026-01-01T10:00:0%sZ","message":{"role":%q,"content":"x"}}`+"\n", parent, id, uuid, role, uuid[1:], role)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		one: say(one, "u1", "null", "user") + say(one, "a2", `"u1"`, "assistant") + say(one, "u3", `"a2"`, "user") + `{"type":"last-prompt","leafUuid":"a2","sessionId":"` + one + `"}` + "\n",
		two: say(two, "u4", `"a2"`, "user") + say(two, "a5", `"u4"`, "assistant"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !checkSameConversation(t, openFile(t, filepath.Join(dir, two+".jsonl")), export.Part{Scope: export.Tree}, nil) {
		t.Error("it cannot be exported")
	}
}
