package claude

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// talk returns the lines of a session from "ID PARENT SECOND", with "-" for no parent. more is
// added to each line.
func talk(sid, more string, lines ...string) string {
	var out strings.Builder
	for i, l := range lines {
		var id, parent string
		var second int
		if _, err := fmt.Sscan(l, &id, &parent, &second); err != nil {
			panic(err)
		}
		up := fmt.Sprintf("%q", parent)
		if parent == "-" {
			up = "null"
		}
		role := []string{"user", "assistant"}[i%2]
		fmt.Fprintf(&out, `{"parentUuid":%s,"uuid":%q,"sessionId":%q,"timestamp":"2026-01-01T00:00:%02dZ","type":%q,"message":{"role":%q,"content":%q}%s}`+"\n", up, id, sid, second, role, role, id, more)
	}
	return out.String()
}

// linesOf returns the threads of a tree as text, sorted by name.
func linesOf(t *session.Tree) string {
	var out []string
	for _, l := range t.Threads().All() {
		var ids []string
		for _, p := range l.Entries {
			ids = append(ids, t.At(p).ID)
		}
		at := ""
		if l.At != session.NoPos {
			at = " at " + t.At(l.At).ID
		}
		out = append(out, l.Name+at+": "+strings.Join(ids, " "))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func notesOf(t *session.Tree) string {
	var out []string
	for _, n := range t.Notes() {
		out = append(out, fmt.Sprintf("%s %d:%d %s", n.Code, n.File, n.Line, n.Entry))
	}
	return strings.Join(out, "; ")
}

// TestArrangeGroup_copies checks which copy of an entry counts, and that file names decide nothing
// where times and forkedFrom do.
func TestArrangeGroup_copies(t *testing.T) {
	t.Parallel()
	forked := `,"forkedFrom":{"sessionId":"a","messageUuid":"x"}`
	for _, c := range []struct {
		name        string
		files       files
		lines, note string
	}{
		{"the session that began first owns what both hold", files{
			"b.jsonl": talk("b", "", "u - 2", "v u 3"), "a.jsonl": talk("a", "", "s - 1", "u s 2"),
		}, "a: s u; b at u: v", "copy 1:1 u"},
		{"a fork is met last", files{
			"a.jsonl": talk("a", forked, "u - 1", "v u 2", "w v 3"), "b.jsonl": talk("b", "", "u - 1", "v u 2", "x v 4"),
		}, "a at v: w; b: u v x", "copy 0:1 u"},
		{"of two copies the one that went on first", files{
			"a.jsonl": talk("a", "", "u - 1", "v u 2", "w v 9"), "b.jsonl": talk("b", "", "u - 1", "v u 2", "x v 3"),
		}, "a at v: w; b: u v x", "copy 0:1 u"},
		{"a file of nothing but copies comes last", files{
			"a.jsonl": talk("a", "", "u - 1", "v u 2"), "b.jsonl": talk("b", "", "u - 1", "v u 2", "x v 3"),
		}, "b: u v x", "copy 0:1 u"},
		{"a session that is younger than what it holds is a copy", files{
			"a.jsonl": talk("019f4b2c-0000-7000-8000-000000000001", "", "u - 1", "v u 2"), "b.jsonl": talk("b", "", "u - 1", "v u 2"),
		}, "b: u v", "copy 0:1 u"},
		{"runs of copies are one note each", files{
			"a.jsonl": talk("a", "", "u - 1", "v u 2", "w v 3", "z w 4"), "b.jsonl": talk("b", "", "u - 1", "x u 5", "v u 2", "w v 3"),
		}, "a: u v w z; b at u: x", "copy 1:1 u; copy 1:3 v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, tree := readProject(t, c.files, "a.jsonl", "b.jsonl")
			if got := linesOf(tree); got != c.lines {
				t.Errorf("lines %s, want %s", got, c.lines)
			}
			if got := notesOf(tree); got != c.note {
				t.Errorf("notes %s, want %s", got, c.note)
			}
		})
	}
}

// withRequestSession adds the session of the request to the assistant lines of text.
func withRequestSession(sid, text string) string {
	return strings.ReplaceAll(text, `"type":"assistant"`, fmt.Sprintf(`"requestSessionId":%q,"type":"assistant"`, sid))
}

// TestArrangeGroup_requestSession checks that the session named by a copied answer owns the entries
// that both files hold, whichever file was continued first and whatever it is called.
func TestArrangeGroup_requestSession(t *testing.T) {
	t.Parallel()
	queued := func(sid string, second int) string {
		return fmt.Sprintf(`{"type":"queue-operation","operation":"dequeue","timestamp":"2026-01-01T00:00:%02dZ","sessionId":%q}`+"\n", second, sid)
	}
	for _, c := range []struct {
		name  string
		files files
		lines string
	}{
		{"the fork goes on first", files{
			"b.jsonl": withRequestSession("b", talk("b", "", "u - 1", "v u 2", "y v 9")), "a.jsonl": withRequestSession("b", talk("a", "", "u - 1", "v u 2")) + talk("a", "", "w v 3"),
		}, "a at v: w; b: u v y"},
		{"a fork of a fork", files{
			"c.jsonl": withRequestSession("c", talk("c", "", "u - 1", "v u 2", "z v 30")), "b.jsonl": withRequestSession("c", talk("b", "", "u - 1", "v u 2")) + withRequestSession("b", talk("b", "", "w v 3", "x w 4", "q x 20")),
			"a.jsonl": withRequestSession("c", talk("a", "", "u - 1", "v u 2")) + withRequestSession("b", talk("a", "", "w v 3", "x w 4")) + talk("a", "", "y x 5"),
		}, "a at x: y; b at v: w x q; c: u v z"},
		{"no answer was copied: what only one file records tells", files{
			"b.jsonl": queued("b", 0) + talk("b", "", "u - 1") + talk("b", "", "y u 9"), "a.jsonl": queued("a", 2) + talk("a", "", "u - 1") + talk("a", "", "w u 3"),
		}, "a at u: w; b: u y"},
		{"the original is gone", files{
			"b.jsonl": withRequestSession("x", talk("b", "", "u - 1", "v u 2")) + talk("b", "", "y v 3"), "a.jsonl": withRequestSession("x", talk("a", "", "u - 1", "v u 2")) + talk("a", "", "w v 9"),
		}, "a at v: w; b: u v y"},
	} {
		for _, renamed := range []bool{false, true} { // the order of names must not matter
			in, names := files{}, []string(nil)
			for name, text := range c.files {
				if renamed {
					name = string('z'-(name[0]-'a')) + ".jsonl"
				}
				in[name], names = text, append(names, name)
			}
			slices.Sort(names)
			if _, tree := readProject(t, in, names...); linesOf(tree) != c.lines {
				t.Errorf("%s, renamed %v: %s, want %s", c.name, renamed, linesOf(tree), c.lines)
			}
		}
	}
}

// TestArrangeGroup_copied checks that entries copied by a fork are not counted as its own.
func TestArrangeGroup_copied(t *testing.T) {
	t.Parallel()
	f := files{"a.jsonl": withRequestSession("gone", talk("a", "", "u - 1", "v u 2")) + talk("a", "", "w v 3")}
	_, tree := readProject(t, f, "a.jsonl")
	for id, want := range map[string]bool{"u": true, "v": true, "w": false} {
		if e := tree.At(tree.FindID(id)); e.Copied != want {
			t.Errorf("%s copied: %v", id, e.Copied)
		}
	}
}

// TestArrangeGroup_metadata checks that lines without a uuid are metadata, whatever their type: one
// question and one answer make no branch.
func TestArrangeGroup_metadata(t *testing.T) {
	t.Parallel()
	meta := ""
	for _, typ := range []string{"queue-operation", "last-prompt", "custom-title", "agent-name", "mode", "atis-latch", "tools-used", "cost-state",
		"api-request", "api-request-shape", "api-request-blob", "summary", "never-heard-of"} {
		meta += fmt.Sprintf(`{"type":%q,"sessionId":"a"}`+"\n", typ)
	}
	_, tree := readProject(t, files{"a.jsonl": meta + talk("a", "", "u - 1") + meta + talk("a", "", "v u 2") + meta}, "a.jsonl")
	for _, layout := range []outline.Layout{outline.LayoutSpine, outline.LayoutOutline} {
		o := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: session.NoPos, Layout: layout})
		if o.Branches != 0 || o.Rows.Len() != 2 || o.Entries != 2 || o.Visible != 2 {
			t.Errorf("%v: %d branches, %d rows, %d of %d entries", layout, o.Branches, o.Rows.Len(), o.Visible, o.Entries)
		}
	}
	all := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: session.NoPos, Filter: outline.FilterAll})
	if all.Rows.Len() != tree.Len() || all.Branches != 0 || all.Entries != 2 {
		t.Errorf("filter all: %d rows of %d lines, %d branches, %d entries", all.Rows.Len(), tree.Len(), all.Branches, all.Entries)
	}
	for p := range session.Pos(tree.Len()) {
		if b := tree.Subtrees().SiblingBranches(p); len(b) > 1 {
			t.Errorf("%s is one of %d branches", tree.At(p).ID, len(b))
		}
	}
	if tips := tree.BranchTips(); len(tips) != 1 || tree.At(tips[0].Pos).ID != "v" || tips[0].Entries != 2 {
		t.Errorf("tips %+v", tips)
	}
	if end := tree.Subtrees().NewestLeaf(tree.FindID("u")); tree.At(end).ID != "v" {
		t.Errorf("from the first entry on the path ends at %s", tree.At(end).ID)
	}
}

// TestArrangeGroup_tips checks that a branch of only commands or duplicates has no tip.
func TestArrangeGroup_tips(t *testing.T) {
	t.Parallel()
	command := func(id, parent, text string, second int) string {
		return fmt.Sprintf(`{"parentUuid":%q,"uuid":%q,"sessionId":"a","timestamp":"2026-01-01T00:00:%02dZ","type":"user","message":{"role":"user","content":%q}}`+"\n", parent, id, second, text)
	}
	for name, text := range map[string]string{
		"commands":  talk("a", "", "u - 1", "v u 2") + command("c", "v", "<command-name>/doctor</command-name>", 3) + command("d", "c", "<local-command-stdout>fine</local-command-stdout>", 4) + talk("a", "", "w v 5"),
		"artifacts": talk("a", "", "u - 1", "v u 2") + command("r", "v", "again", 3) + command("s", "v", "again", 3) + talk("a", "", "w r 5"),
	} {
		_, tree := readProject(t, files{"a.jsonl": text}, "a.jsonl")
		if tips := tree.BranchTips(); len(tips) != 1 || !tips[0].Current || tree.At(tips[0].Pos).ID != "w" {
			t.Errorf("%s: %d tips: %+v", name, len(tips), tips)
		}
	}
}

func TestArrangeGroup_leaf(t *testing.T) {
	t.Parallel()
	last := `{"type":"last-prompt","leafUuid":"%s","sessionId":"a"}` + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"the last message", talk("a", "", "u - 1", "v u 2"), "v"},
		{"not a line that is none", talk("a", "", "u - 1", "v u 2") + `{"type":"system","uuid":"y","parentUuid":"v","sessionId":"a"}` + "\n" + `{"type":"queue-operation"}` + "\n", "v"},
		{"not one of an inline agent", talk("a", "", "u - 1", "v u 2") + talk("a", `,"isSidechain":true`, "w v 3"), "v"},
		{"what last-prompt names", talk("a", "", "u - 1", "v u 2") + fmt.Sprintf(last, "u"), "u"},
		{"unless nothing has that id", talk("a", "", "u - 1", "v u 2") + fmt.Sprintf(last, "nothing"), "v"},
		{"what was said after last-prompt", talk("a", "", "u - 1", "v u 2") + fmt.Sprintf(last, "u") + talk("a", "", "w u 3"), "w"},
		{"of a file without messages the last line", `{"type":"summary","summary":"s","leafUuid":"x"}` + "\n", "L1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, tree := readProject(t, files{"a.jsonl": c.text}, "a.jsonl")
			if got := tree.At(tree.Leaf()).ID; got != c.want {
				t.Errorf("leaf %s, want %s", got, c.want)
			}
		})
	}
}

// TestArrangeGroup_linesWithoutID checks that a line without a uuid is a child of the entry
// recorded before it, and the first lines of a file are children of the first entry.
func TestArrangeGroup_linesWithoutID(t *testing.T) {
	t.Parallel()
	mode := `{"type":"mode","mode":"plan","sessionId":"a"}` + "\n"
	f := files{"a.jsonl": mode + mode + talk("a", "", "u - 1") + mode + talk("a", "", "v u 2") + mode, "b.jsonl": mode + talk("b", "", "w v 3")}
	_, tree := readProject(t, f, "a.jsonl", "b.jsonl")
	for id, want := range map[string]string{"L1": "u", "L2": "u", "L4": "u", "L6": "v", "b:L1": "w"} {
		if got := parentOf(tree, id); got != want {
			t.Errorf("%s hangs on %q, want %q", id, got, want)
		}
	}
	if tree.Len() != 8 || len(tree.Notes()) != 0 {
		t.Errorf("%d entries, notes %v", tree.Len(), tree.Notes())
	}
}

// TestArrangeGroup_ring checks two sessions that each continue the other: the ring is cut, a note
// says so, and every entry can be reached.
func TestArrangeGroup_ring(t *testing.T) {
	t.Parallel()
	f := files{"a.jsonl": talk("a", "", "u - 1", "v u 2") + talk("a", "", "w y 5"), "b.jsonl": talk("b", "", "x v 3", "y x 4")}
	_, tree := readProject(t, f, "a.jsonl", "b.jsonl")
	seen := 0
	for todo := slices.Clone(tree.Roots()); len(todo) > 0; seen++ {
		p := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], tree.Children(p)...)
	}
	if seen != tree.Len() || tree.Len() != 5 {
		t.Errorf("%d of %d entries are reached", seen, tree.Len())
	}
}

func TestArrangeGroup_titles(t *testing.T) {
	t.Parallel()
	custom, ai := `{"type":"custom-title","customTitle":"%s","sessionId":"a"}`+"\n", `{"type":"ai-title","aiTitle":"%s","sessionId":"a"}`+"\n"
	summary := files{"a.jsonl": talk("a", "", "u - 1"), "b.jsonl": `{"type":"summary","summary":"summed up","leafUuid":"u"}` + "\n" + talk("b", "", "v u 2")}
	for _, c := range []struct {
		name  string
		files files
		want  string
	}{
		{"the first prompt", files{"a.jsonl": talk("a", "", "u - 1", "v u 2", "w v 3")}, "u"},
		{"a summary in another file", summary, "summed up"},
		{"found by the agent", files{"a.jsonl": talk("a", "", "u - 1") + fmt.Sprintf(ai, "found"), "b.jsonl": summary["b.jsonl"]}, "found"},
		{"given by hand", files{"a.jsonl": talk("a", "", "u - 1") + fmt.Sprintf(custom, "by hand") + fmt.Sprintf(ai, "found")}, "by hand"},
	} {
		t.Run(c.name, func(t *testing.T) {
			names := []string{"a.jsonl"}
			if c.files["b.jsonl"] != "" {
				names = append(names, "b.jsonl")
			}
			_, tree := readProject(t, c.files, names...)
			if l := tree.Threads().StartingAt(tree.FindID("u")); l == nil || l.Title != c.want {
				t.Errorf("%+v, want the title %q", l, c.want)
			}
		})
	}
}

// TestArrangeGroup_account checks that every line of a file group is an entry, a copy or a bad
// line.
func TestArrangeGroup_account(t *testing.T) {
	t.Parallel()
	f := files{"a.jsonl": talk("a", "", "u - 1", "v u 2", "w v 3") + `{"type":"mode"}` + "\n", "b.jsonl": talk("b", "", "u - 1", "v u 2", "x v 4")}
	unit, tree := readProject(t, f, "a.jsonl", "b.jsonl")
	lines := 0
	for _, name := range unit.Names {
		lines += strings.Count(f[name], "\n")
	}
	if copies := 2; lines != tree.Len()+copies {
		t.Errorf("%d lines, %d entries and %d copies", lines, tree.Len(), copies)
	}
}

func FuzzScan(f *testing.F) {
	for _, line := range []string{lineAt(0, -1), lineAt(2, 1), lineAt(3, 2), `{"type":"summary","summary":"s","leafUuid":"u"}`, `{"type":"last-prompt","leafUuid":7}`,
		`{"type":"system","subtype":"compact_boundary","uuid":"b","sessionId":"s","compactMetadata":{"preTokens":1,"preservedMessages":{"uuids":["a",1]}}}`,
		`{"uuid":"a","parentUuid":"a","sessionId":"s","type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"x"}]}]},"toolUseResult":[]}`, `[]`, `{`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := scanLine(text, "/home/me")
		if err != nil {
			return
		}
		if _, err := decodeBody(text); err != nil {
			t.Errorf("it was scanned, but has no body: %v", err)
		}
		d := &decoder{}
		r.Entry.Span.Line = 1
		e, ok, _ := d.DecodeRecord(r)
		if !ok || e.ID == "" {
			t.Fatalf("the line is no entry: %+v", e)
		}
		tree := session.BuildArranged(session.Header{}, [][]session.Entry{{e}}, nil, func(g []*session.Entry) session.Arrangement {
			return arrangeGroup(session.FileGroup{Names: []string{"a"}}, g)
		})
		if tree.Len() != 1 || len(tree.Roots()) != 1 {
			t.Errorf("%d entries, %d roots", tree.Len(), len(tree.Roots()))
		}
		sniffTranscript(text)
	})
}

func TestSniff(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		lineAt(0, -1): true, `{"type":"summary","summary":"s","leafUuid":"u"}`: true, `{"type":"file-history-snapshot"}`: true,
		`{"type":"started","key":"k","agentId":"a"}`: true, "nonsense\n" + lineAt(0, -1): true,
		"": false, "{}": false, `{"type":"session","version":3,"id":"s"}`: false, `{"type":"message","id":"a","parentId":null}`: false, `["uuid"]`: false,
		`{"parentUuid":null,"isSidechain":false,"sessionId":"s","type":"user","message":{"content":"a long`: true,
		`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"sessionId":"s","content":"a long`: false, `{"isSidechain":false,"sessionId":"s`: false,
		`{"type":"started"}`: false, strings.Repeat("{}\n", 20) + lineAt(0, -1): false,
	} {
		if got := sniffTranscript([]byte(text)); got != want {
			t.Errorf("sniff(%.80s) = %v", text, got)
		}
	}
}
