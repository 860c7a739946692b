package claude

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// drawing is a session, one entry a line, and its expected arrangement:
//
//	ID[<PARENT] CLASS [@TIME] [call=ID] [result=ID] [agent=ID]
//
// Without <PARENT the parent is the entry above; "<" alone makes a root. CLASS is U
// for user, A assistant, S system, T structural. Times count up by default.
type drawing struct {
	name, text string
	want       string // threads with their entries, then the folded entries in brackets
	rungs      string // the forks and the rungs that decided them
}

func drawings(t *testing.T, all ...drawing) {
	for _, d := range all {
		t.Run(d.name, func(t *testing.T) {
			w := newThreader(newGraph(draw(t, d.text)))
			lines, rungs := described(w)
			if lines != d.want || rungs != d.rungs {
				t.Errorf("got  %s\n     %s\nwant %s\n     %s", lines, rungs, d.want, d.rungs)
			}
		})
	}
}

func draw(t *testing.T, text string) (nodes []*node) {
	classes := map[string]nodeClass{"U": classUser, "A": classAssistant, "S": classSystem, "T": classStructural}
	last, clock := "", 0
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		id, parent, given := strings.Cut(words[0], "<")
		if !given {
			parent = last
		}
		clock++
		n := &node{id: id, parent: parent, session: "s", class: classes[words[1]], stamp: fmt.Sprintf("%03d", clock)}
		for _, w := range words[2:] {
			key, value, _ := strings.Cut(w, "=")
			switch {
			case strings.HasPrefix(w, "@"):
				at, err := strconv.Atoi(w[1:])
				if err != nil {
					t.Fatal(line, err)
				}
				n.stamp = fmt.Sprintf("%03d", at)
			case key == "call":
				n.calls = append(n.calls, value)
			case key == "task":
				n.calls, n.spawns = append(n.calls, value), true
			case key == "result":
				n.results = append(n.results, value)
			case key == "agent":
				n.agent = value
			default:
				t.Fatalf("%q: %q", line, w)
			}
		}
		nodes, last = append(nodes, n), id
	}
	return nodes
}

// described returns an arrangement in the notation of drawings.
func described(w *threader) (lines, rungs string) {
	var parts, decided []string
	for _, t := range w.threads {
		var ids []string
		for _, p := range t.nodes {
			ids = append(ids, w.graph.nodes[p].id)
		}
		parts = append(parts, t.name+": "+strings.Join(ids, " "))
	}
	slices.Sort(parts)
	if folded := foldedIDs(w); len(folded) > 0 {
		parts = append(parts, "["+strings.Join(folded, " ")+"]")
	}
	for p, d := range w.decided {
		decided = append(decided, fmt.Sprintf("%s:%d", w.graph.nodes[p].id, d.rung))
	}
	slices.Sort(decided)
	return strings.Join(parts, "; "), strings.Join(decided, " ")
}

// chain returns a drawing of n entries, each the child of the one before.
func chain(prefix, parent, class string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s1<%s %s\n", prefix, parent, class)
	for i := 2; i <= n; i++ {
		fmt.Fprintf(&b, "%s%d %s\n", prefix, i, class)
	}
	return b.String()
}
