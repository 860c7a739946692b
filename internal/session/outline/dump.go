package outline

import (
	"fmt"
	"strings"

	"sessiontree/internal/session"
)

// maxDumpText is how many characters of a row's text Dump writes.
const maxDumpText = 60

// Dump draws a whole tree as text like git log --graph, for golden files and
// failure messages: every entry in the spine layout with all branches open, labels in
// brackets, entries without a row, then the notes.
func Dump(t *session.Tree) string {
	o := Build(t, View{Leaf: t.Leaf(), Entry: session.NoPos, Filter: FilterAll, DefaultOpen: true})
	var b strings.Builder
	for _, r := range o.Rows.All() {
		if r.RuleAbove {
			b.WriteString("---\n")
		}
		dumpRow(t, &b, r)
	}
	rows := indexRows(t, o, 0)
	for i := range t.Len() {
		if rows.rowOf(session.Pos(i)) < 0 {
			fmt.Fprintf(&b, "no row: %s %s\n", t.At(session.Pos(i)).ID, t.RowText(session.Pos(i)))
		}
	}
	for _, n := range t.Notes() {
		fmt.Fprintf(&b, "! %s line %d %s\n", n.Code, n.Line, n.Entry)
	}
	return b.String()
}

func dumpRow(t *session.Tree, b *strings.Builder, r *Row) {
	for _, c := range r.GraphCells() {
		b.WriteString(c.Text)
	}
	text := []rune(t.RowText(r.Title))
	if r.Kind == RowCall {
		call := t.At(r.Pos).Calls()[r.Call]
		text = []rune("[" + call.Name + ": " + call.Arg + "] " + call.OutcomeText())
	}
	if len(text) > maxDumpText {
		text = append(text[:maxDumpText-1], '…')
	}
	fmt.Fprintf(b, " %s %s", t.At(r.Title).ID, string(text))
	if l, ok := t.Label(r.Title); ok {
		b.WriteString(" [" + l.Text + "]")
	}
	if r.Leaf {
		b.WriteString(" <- leaf")
	}
	b.WriteString("\n")
}
