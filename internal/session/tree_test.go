package session_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/sessiontest"
)

func TestBuild(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"a chain", `
			u user one
			a asst two`, `
			● u user: one
			● a assistant: two <- leaf`},
		{"the branch with the leaf is the spine", `
			u user one
			a asst two
			b user left
			c<a user goes on`, `
			● u user: one
			● a assistant: two
			├─● b user: left
			● c user: goes on <- leaf`},
		{"an orphan is a root with a note", `
			u user one
			o<gone user where from
			x asst reply
			v<u user last`, `
			● u user: one
			● v user: last <- leaf
			---
			● o user: where from
			● x assistant: reply
			! orphan line 3 o`},
		{"a parent that comes late is none the less one", `
			x<late asst answer
			late< user question`, `
			● late user: question <- leaf
			● x assistant: answer`},
		{"an entry that names itself is a root", `
			s<s user me
			a asst reply`, `
			● s user: me
			● a assistant: reply <- leaf
			! cycle line 2 s`},
		{"a cycle is cut at its first entry", `
			r< user root
			p<q user ping
			q<p asst pong
			z<q user below`, `
			● p user: ping
			● q assistant: pong
			● z user: below <- leaf
			---
			● r user: root
			! cycle line 3 p`},
		{"of a repeated id the last line counts, where the id stood first", `
			u user one
			a asst draft
			b user next
			a<u asst final`, `
			● u user: one
			● a assistant: final <- leaf
			● b user: next
			! duplicate-id line 5 a`},
		{"a repeated id that becomes its own ancestor", `
			u user one
			a asst two
			u<a user again`, `
			● u user: again <- leaf
			● a assistant: two
			! duplicate-id line 4 u
			! cycle line 4 u`},
		{"usage has no row", `
			u user one
			s usage warm
			a asst two`, `
			● u user: one
			● a assistant: two <- leaf
			no row: s [usage]`},
		{"a call without a result has a row", `
			u user one
			a asst calls=c1:bash:ls,c2:read:x.go
			t tool call=c1 done`, `
			● u user: one
			● a assistant: (no content)
			· a [read: x.go] no result
			● t [bash: ls] <- leaf`},
		{"an empty session", "", "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := sessiontest.Tree(c.in)
			if diff := cmp.Diff(sessiontest.Dedent(c.want), outline.Dump(tree)+strings.Repeat("\n", btoi(c.in == ""))); diff != "" {
				t.Errorf("Dump (-want +got):\n%s", diff)
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestTree_Children(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"by time", "r user\nb<r user at=9\na<r user at=5", "a b"},
		{"equal times stay in file order", "r user\nb<r user at=9\na<r user at=9\nc<r user at=8", "c b a"},
		{"without any time in file order", "r user\nb<r user at=?\na<r user at=?", "b a"},
		{"without a time beside the one recorded before", "r user\nb<r user at=9\nx<r user at=?\na<r user at=5", "a b x"},
		{"without a time at first", "r user\nx<r user at=?\nb<r user at=9\na<r user at=5", "x a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := sessiontest.Tree(c.in)
			if got := names(tree, tree.Children(tree.FindID("r"))); got != c.want {
				t.Errorf("Children = %s, want %s", got, c.want)
			}
		})
	}
}

func names(t *session.Tree, ps []session.Pos) string {
	ids := make([]string, len(ps))
	for i, p := range ps {
		ids[i] = t.At(p).ID
	}
	return strings.Join(ids, " ")
}

const fork = `
	u user one
	a asst two
	b user left
	c asst left reply
	s label target=a mark
	d<a user goes on
	e asst reply
	m<a model beside`

func TestTree_walks(t *testing.T) {
	t.Parallel()
	tree := sessiontest.Tree(fork)
	at := tree.FindID
	if got := names(tree, tree.Path(at("s"))); got != "u a b c s" {
		t.Errorf("Path(s) = %s", got)
	}
	if tree.Path(session.NoPos) != nil {
		t.Error("Path(NoPos) is not nil")
	}
	for from, want := range map[string]string{"u": "m", "b": "s", "d": "e", "s": "s", "m": "m"} {
		if got := tree.At(tree.Subtrees().NewestLeaf(at(from))).ID; got != want {
			t.Errorf("NewestLeaf(%s) = %s, want %s", from, got, want)
		}
	}
	for of, want := range map[string]string{"b": "b d", "d": "b d", "m": "b d m", "u": "u"} {
		if got := names(tree, tree.Subtrees().SiblingBranches(at(of))); got != want {
			t.Errorf("Branches(%s) = %s, want %s", of, got, want)
		}
	}
	if got := tree.Subtrees().Size(at("b")); got != 3 {
		t.Errorf("Size(b) = %d, want 3", got)
	}
	if got := tree.Subtrees().NewestTime(at("b")); got != tree.At(at("s")).Time {
		t.Errorf("Newest(b) = %d, want the time of s", got)
	}
}

func TestTree_Labels(t *testing.T) {
	t.Parallel()
	tree := sessiontest.Tree(`
		u user one
		a asst two
		l1 label target=a second
		l2 label target=u first
		l3 label target=gone nowhere
		l4 label target=a replaced
		l5 label target=u
		l6 label target=u set again`)
	var got []string
	for _, l := range tree.Labels() {
		got = append(got, tree.At(l.Target).ID+" "+l.Text)
	}
	if diff := cmp.Diff([]string{"a replaced", "u set again"}, got); diff != "" {
		t.Errorf("Labels (-want +got):\n%s", diff)
	}
	if l, ok := tree.Label(tree.FindID("a")); !ok || l.Time != tree.At(tree.FindID("l4")).Time {
		t.Errorf("Label(a) = %+v, %v: want the time it was set last", l, ok)
	}
}

func TestTree_Append(t *testing.T) {
	t.Parallel()
	old := sessiontest.Entries("u user one\na asst two\no<late user orphan")
	for _, c := range []struct {
		name, line string
		rebuilt    bool
	}{
		{"a child", "c<a user next", false},
		{"a repeated id", "a<u asst again", true},
		{"the parent an orphan waits for", "late<u user here", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := session.BuildTree(session.Header{}, old, nil)
			more := sessiontest.Entries("\n\n\n" + c.line)
			if got := tree.AppendEntries(session.Header{}, more, nil); got != c.rebuilt {
				t.Errorf("Append: rebuilt = %v, want %v", got, c.rebuilt)
			}
			whole := session.BuildTree(session.Header{}, append(old[:len(old):len(old)], more...), nil)
			if diff := cmp.Diff(outline.Dump(whole), outline.Dump(tree)); diff != "" {
				t.Errorf("after Append (-Build at once +Append):\n%s", diff)
			}
		})
	}
}

func TestTree_Notes_deadEnd(t *testing.T) {
	t.Parallel()
	const left = "u user one\na asst two\nb user old way\nc asst old reply\nd<a user new way\ne asst new reply\n"
	for _, c := range []struct {
		name, in string
		want     bool
	}{
		{"the newest conversation holds the leaf", left, false},
		{"a label on the newest path", left + "l label target=b x", false},
		{"a label written on the old branch", left + "l<c label target=d x", true},
		{"state of an extension on the old branch", left + "x<c custom state", true},
		{"a late line of the old branch", left + "x<c asst at=5 late", true},
		{"a new turn on the old branch", left + "x<c user back again", false},
		{"a mark that keeps a branch", left + "m<c mark", false},
		{"a summary of what was left", left + "s<c sum was there", false},
		{"a label that names where it hangs", left + "l<c label target=c here", false},
		{"the label of a prompt that is asked again", left + "l<a label target=b again", false},
		{"settings after the last turn", left + "m model x\nt thinking high", false},
		{"without times nothing is newer", "u user at=?\nb user at=?\nd<u user at=?\nx<b custom at=?", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := false
			for _, n := range sessiontest.Tree(c.in).Notes() {
				got = got || n.Code == session.NoteDeadEnd
			}
			if got != c.want {
				t.Errorf("dead-end-leaf = %v, want %v", got, c.want)
			}
		})
	}
}

func TestTree_RowText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"x user hello", "user: hello"},
		{"x asst hi", "assistant: hi"},
		{"x asst stop=aborted", "assistant: (aborted)"},
		{"x asst stop=error", "assistant: (no content)"},
		{"x tool name=bash out", "[bash]"},
		{"x tool", "[tool]"},
		{"x shell git diff", "[bash]: git diff"},
		{"x system", "[system]"},
		{"x message hm", "[weird]"},
		{"x note name=todo two left", "[todo]: two left"},
		{"x pack tokens=87500", "[compaction: 88k tokens]"},
		{"x sum it failed", "[branch summary]: it failed"},
		{"x model m-1", "[model: m-1]"},
		{"x thinking high", "[thinking: high]"},
		{"x custom state", "[custom: state]"},
		{"x label target=y here", "[label: here]"},
		{"x label target=y", "[label: (cleared)]"},
		{"x name", "[title: empty]"},
		{"x name Trees", "[title: Trees]"},
		{"x edit target=y omit", "[context omit: y]"},
		{"x event plan", "[mode_change: plan]"},
		{"x reset", "[reset_boundary]"},
		{"x unknown", "[future]"},
	} {
		tree := sessiontest.Tree(c.in)
		if got := tree.RowText(0); got != c.want {
			t.Errorf("RowText of %q = %q, want %q", c.in, got, c.want)
		}
	}
}

// If two branches have a call with the same id, the row shows the call displayed last.
func TestTree_RowText_sharedCall(t *testing.T) {
	t.Parallel()
	const in = "u user q\na<u asst calls=c:read:one at=2\nr<a tool call=c\nb<u asst calls=c:read:two at=9\nq<b tool call=c"
	tree := sessiontest.Tree(in)
	if got := tree.RowText(tree.FindID("q")); got != "[read: one]" {
		t.Errorf("RowText(q) = %s, want the call on the branch shown last", got)
	}
}

// Of several calls with one id a result belongs to the nearest one above it.
func TestTree_CallOf(t *testing.T) {
	t.Parallel()
	const in = `
		u user q
		a<u asst calls=c:read:one at=2
		r<a tool call=c
		b<u asst calls=c:read:two at=9
		q<b tool call=c
		s<u tool call=c
		n<u tool call=gone
		e<u tool`
	tree := sessiontest.Tree(in)
	for result, want := range map[string]string{"r": "one", "q": "two", "s": "two", "n": "", "e": ""} {
		got := ""
		call, at := tree.CallOf(tree.FindID(result))
		if at != session.NoPos {
			got = call.Arg
		}
		if got != want || (call == nil) != (at == session.NoPos) {
			t.Errorf("CallOf(%s) = %q at %d, want %q", result, got, at, want)
		}
	}
}

func TestTree_Match(t *testing.T) {
	t.Parallel()
	tree := sessiontest.Tree("u user Read the İstanbul notes\nm model gpt-5\nl label target=u Design")
	for query, want := range map[string]bool{
		"": true, "read NOTES": true, "user": true, "design": true, "istanbul": false, "i̇stanbul": true, "absent": false, "read absent": false,
	} {
		if got := tree.MatchesQuery(0, session.ParseQuery(query)); got != want {
			t.Errorf("Match(u, %q) = %v, want %v", query, got, want)
		}
	}
	if !tree.MatchesQuery(1, session.ParseQuery("model GPT")) {
		t.Error("a model change is not found by its model")
	}
}
