package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sessiontest"
)

func tipLines(t *session.Tree) (out []string) {
	id := func(p session.Pos) string {
		if p == session.NoPos {
			return "-"
		}
		return t.At(p).ID
	}
	for _, tip := range t.BranchTips() {
		line := fmt.Sprintf("%s last %s fork %s prompt %s entries %d time %d", id(tip.Pos), id(tip.Last), id(tip.Fork), id(tip.Prompt), tip.Entries, tip.Time/1000)
		if tip.Current {
			line += " current"
		}
		out = append(out, line)
	}
	return out
}

func TestTips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", ``, nil},
		{"a chain", `
			m model x
			u user one
			a asst two`, []string{"a last a fork - prompt u entries 3 time 3 current"}},
		{"only settings", `
			m model x
			n name y`, []string{"n last n fork - prompt - entries 2 time 2 current"}},
		{"two branches, one with settings at its end", `
			u user one
			a asst two
			b user left
			c asst answer
			m model x
			l label
			d<a user right
			e asst answer`, []string{
			"e last e fork a prompt d entries 2 time 8 current",
			"l last c fork a prompt b entries 4 time 6"}},
		{"answers to one prompt", `
			u user one
			a asst two
			b<u asst three
			c<u asst four`, []string{
			"c last c fork u prompt u entries 1 time 4 current",
			"b last b fork u prompt u entries 1 time 3",
			"a last a fork u prompt u entries 1 time 2"}},
		{"the leaf stands where no words are yet", `
			u user one
			a asst two
			b user three
			k<a mark`, []string{
			"k last k fork a prompt u entries 1 time 4 current",
			"b last b fork a prompt b entries 1 time 3"}},
		{"a branch of settings only is none", `
			u user one
			a asst two
			m model x
			b<a user three`, []string{"b last b fork - prompt u entries 3 time 4 current"}},
		{"roots", `
			u user one
			v< user two`, []string{
			"v last v fork - prompt v entries 1 time 2 current",
			"u last u fork - prompt u entries 1 time 1"}},
		{"archived branches", `
			u user one
			a asst two
			b user left
			c asst left on
			d<a user right
			x archive target=b flag=on`, []string{"x last d fork - prompt u entries 4 time 6 current"}},
		{"the leaf stands on an archived branch", `
			u user one
			a asst two
			d user right
			b<a user left
			x archive target=b flag=on`, []string{
			"x last x fork a prompt b entries 2 time 5 current",
			"d last d fork a prompt d entries 1 time 3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, tipLines(sessiontest.Tree(c.in))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// In any tree: the leaf is a tip, once; each tip has its own branch; every entry of the
// conversation is on the path to a tip.
func TestTipsProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var notation strings.Builder
		n := rapid.IntRange(1, 30).Draw(t, "entries")
		for i := range n {
			parent := rapid.IntRange(-1, i-1).Draw(t, "parent")
			kind := rapid.SampledFrom([]string{"user", "asst", "model", "label", "sum"}).Draw(t, "kind")
			if parent < 0 {
				fmt.Fprintf(&notation, "e%d< %s\n", i, kind)
			} else {
				fmt.Fprintf(&notation, "e%d<e%d %s\n", i, parent, kind)
			}
		}
		tree := sessiontest.Tree(notation.String())
		own, covered, current := map[session.Pos]bool{}, map[session.Pos]bool{}, 0
		for i, tip := range tree.BranchTips() {
			if tip.Current != (tip.Pos == tree.Leaf()) || tip.Current && i > 0 {
				t.Fatalf("tip %d: %+v, leaf %d", i, tip, tree.Leaf())
			}
			if tip.Current {
				current++
			}
			path := tree.Path(tip.Pos)
			for _, p := range path {
				covered[p] = true
			}
			for _, p := range path[len(path)-tip.Entries:] {
				if own[p] {
					t.Fatalf("%s is counted to two branches", tree.At(p).ID)
				}
				own[p] = true
			}
			if above := len(path) - tip.Entries; above > 0 && path[above-1] != tip.Fork || above == 0 && tip.Fork != session.NoPos {
				t.Fatalf("tip %+v with path %v", tip, path)
			}
		}
		if current != 1 {
			t.Fatalf("%d tips are current", current)
		}
		for p := range session.Pos(tree.Len()) {
			if !tree.At(p).Kind.IsBookkeeping() && !covered[p] {
				t.Fatalf("no tip below %s", tree.At(p).ID)
			}
		}
	})
}

// The cost of wide and of chained forks is in proportion to their size.
func TestTipsOfManyBranches(t *testing.T) {
	t.Parallel()
	var notation strings.Builder
	notation.WriteString("e0 asst x\n")
	const n = 20000
	for i := range n {
		fmt.Fprintf(&notation, "e%d<e%d asst x\nf%d<e%d asst x\ng%d<e0 asst y\n", i+1, i, i, i, i)
	}
	if got := len(sessiontest.Tree(notation.String()).BranchTips()); got != 2*n+1 {
		t.Errorf("%d tips", got)
	}
}

// A branch is named by its first prompt or worded answer, whatever is viewed.
func TestBranchTitle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, head, want string }{
		{"a prompt below settings", "u user one\nm<u model x\nb<m user two\nl<m label\nd<u user leaf", "m", "b"},
		{"an answer before a prompt", "u user one\na<u asst two\nb<a user three", "a", "a"},
		{"a summary before its prompt", "u user one\ns<u sum left\nb<s user two", "s", "b"},
		{"nothing but settings yet", "u user one\nm<u model x\nb<u user two", "m", "m"},
		{"the newest of two", "u user one\nm<u model x\nb<m user two\nc<m user three\nd<u user leaf", "m", "c"},
		{"the one with the leaf", "u user one\nm<u model x\nc<m user three\nb<m user two\nd<c asst four", "m", "c"},
	} {
		tree := sessiontest.Tree(c.in)
		text, entry := tree.BranchTitle(tree.FindID(c.head))
		if got := tree.At(entry).ID; text != "" || got != c.want {
			t.Errorf("%s: %q, %s, want %s", c.name, text, got, c.want)
		}
	}
}
