package dag

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
			w := NewThreads(NewGraph(draw(t, d.text)))
			lines, rungs := described(w)
			if lines != d.want || rungs != d.rungs {
				t.Errorf("got  %s\n     %s\nwant %s\n     %s", lines, rungs, d.want, d.rungs)
			}
		})
	}
}

func draw(t *testing.T, text string) (nodes []*Node) {
	classes := map[string]Class{"U": ClassUser, "A": ClassAssistant, "S": ClassSystem, "T": ClassStructural}
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
		n := &Node{ID: id, Parent: parent, Session: "s", Class: classes[words[1]], Stamp: fmt.Sprintf("%03d", clock)}
		for _, w := range words[2:] {
			key, value, _ := strings.Cut(w, "=")
			switch {
			case strings.HasPrefix(w, "@"):
				at, err := strconv.Atoi(w[1:])
				if err != nil {
					t.Fatal(line, err)
				}
				n.Stamp = fmt.Sprintf("%03d", at)
			case key == "call":
				n.Calls = append(n.Calls, value)
			case key == "task":
				n.Calls, n.Spawns = append(n.Calls, value), true
			case key == "result":
				n.Results = append(n.Results, value)
			case key == "agent":
				n.Agent = value
			default:
				t.Fatalf("%q: %q", line, w)
			}
		}
		nodes, last = append(nodes, n), id
	}
	return nodes
}

// described returns an arrangement in the notation of drawings.
func described(w *Threads) (lines, rungs string) {
	var parts, decided []string
	for _, t := range w.List {
		var ids []string
		for _, p := range t.Nodes {
			ids = append(ids, w.Graph.Nodes[p].ID)
		}
		parts = append(parts, t.Name+": "+strings.Join(ids, " "))
	}
	slices.Sort(parts)
	var folded []string
	for p, r := range w.FoldedBy {
		if r != 0 {
			folded = append(folded, w.Graph.Nodes[p].ID)
		}
	}
	slices.Sort(folded)
	if len(folded) > 0 {
		parts = append(parts, "["+strings.Join(folded, " ")+"]")
	}
	for p, d := range w.Decided {
		decided = append(decided, fmt.Sprintf("%s:%d", w.Graph.Nodes[p].ID, d.Rung))
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
