package wave

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// said returns a message as Wave records it, at a second of a minute.
func said(id, role, text string, second int) string {
	return fmt.Sprintf(`{"timestamp":"2026-03-02T10:00:%02d.000Z","id":%q,"role":%q,"blocks":[{"type":"text","content":%q}]}`+"\n", second, id, role, text)
}

// spawns returns an answer that starts a subagent with each prompt.
func spawns(id string, second int, prompts ...string) string {
	blocks := ""
	for i, prompt := range prompts {
		blocks += fmt.Sprintf(`,{"type":"tool","id":"%s-%d","name":"Agent","parameters":%q,"stage":"end"}`, id, i, fmt.Sprintf(`{"description":"%s-%d","prompt":%q}`, id, i, prompt))
	}
	return fmt.Sprintf(`{"timestamp":"2026-03-02T10:00:%02d.000Z","id":%q,"role":"assistant","blocks":[%s]}`+"\n", second, id, blocks[1:])
}

// TestAttachAgents checks which call a subagent is attached to.
func TestAttachAgents(t *testing.T) {
	t.Parallel()
	const p, longer = "Look for leaks in the cart", "Look for leaks in the cart, then mend them"
	for _, c := range []struct {
		name, main, agent string
		want              string // title of the call
	}{
		{"the last call before it", said("m", "user", "q", 1) + spawns("c", 2, p) + spawns("d", 10, p) + spawns("e", 20, p), said("a", "user", p, 12), "d-0"},
		{"of one answer the first", spawns("c", 2, p, p), said("a", "user", p, 3), "c-0"},
		{"the same words before some of them", spawns("c", 2, p) + spawns("d", 10, longer), said("a", "user", p, 12), "c-0"},
		{"white space does not count", spawns("c", 2, "Look  for\n leaks in the cart"), said("a", "user", p, 3), "c-0"},
		{"words within the prompt", spawns("c", 2, p), said("a", "user", "A task for you: "+p, 3), "c-0"},
		{"a call that is a little younger", spawns("c", 3, p), said("a", "user", p, 2), "c-0"},
		{"none that is younger", spawns("c", 9, p), said("a", "user", p, 2), ""},
		{"a call without a time", `{"id":"c","role":"assistant","blocks":[{"type":"tool","name":"Task","parameters":"{\"prompt\":\"` + p + `\",\"description\":\"c-0\"}"}]}` + "\n", said("a", "user", p, 2), "c-0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := plant(session.FileGroup{Names: []string{one, leaks}}, decode([]byte(c.main), 0), decode([]byte(c.agent), 1))
			if got := tree.Threads().StartingAt(tree.FindID("a")).Title; got != c.want {
				t.Errorf("attached to %q, want %q", got, c.want)
			}
		})
	}
}

// TestAttachAgents_orderOfFiles checks that the order of the files does not matter.
func TestAttachAgents_orderOfFiles(t *testing.T) {
	t.Parallel()
	main := decode([]byte(spawns("c", 2, "the same words")+spawns("d", 10, "the same words")), 0)
	first, second := said("a", "user", "the same words", 3), said("b", "user", "the same words", 11)
	for _, files := range [][2]string{{first, second}, {second, first}} {
		tree := plant(session.FileGroup{Names: []string{one, leaks, past}}, main, decode([]byte(files[0]), 1), decode([]byte(files[1]), 2))
		for id, want := range map[string]string{"a": "c-0", "b": "d-0"} {
			if got := tree.Threads().StartingAt(tree.FindID(id)).Title; got != want {
				t.Errorf("%s is attached to %q, want %q", id, got, want)
			}
		}
	}
}

// TestAttachAgents_promptComesLater checks a subagent's file that has only hidden messages before
// its prompt.
func TestAttachAgents_promptComesLater(t *testing.T) {
	t.Parallel()
	unit := session.FileGroup{Names: []string{one, leaks}}
	all := decode([]byte(spawns("c", 2, "Look for leaks")), 0).entries
	hidden := `{"timestamp":"2026-03-02T10:00:03.000Z","id":"a","role":"user","blocks":[{"type":"text","content":"rules"}],"isMeta":true}` + "\n"
	all = append(all, decode([]byte(hidden+said("b", "user", "Look for leaks", 4)+said("d", "assistant", "None", 5)), 1).entries...)
	whole, grown := plant(unit, decoded{entries: all}), plant(unit, decoded{entries: all[:2]})
	for i := 2; i < len(all); i++ {
		if rebuilt := grown.AppendEntries(session.Header{}, all[i:i+1], nil); rebuilt != (i == 2) {
			t.Errorf("entry %d: rebuilt %v", i, rebuilt)
		}
	}
	if diff := cmp.Diff(outline.Dump(whole), outline.Dump(grown)); diff != "" {
		t.Errorf("at once and line by line differ:\n%s", diff)
	}
	if up := whole.Parent(whole.FindID("a")); up == session.NoPos {
		t.Error("the subagent is not attached")
	}
}
