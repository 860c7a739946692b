package outline_test

import (
	"fmt"

	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/sessiontest"
)

// The path to the leaf is in lane 0; a branch of one entry is one row.
func ExampleBuild() {
	tree := sessiontest.Tree(`
		u user fix the build
		a asst which one
		b user the nightly one
		c<a user all of them`)
	o := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: tree.Leaf()})
	for _, r := range o.Rows.All() {
		for _, cell := range r.GraphCells() {
			fmt.Print(cell.Text)
		}
		fmt.Println(" " + tree.RowText(r.Title))
	}
	// Output:
	// ● user: fix the build
	// ● assistant: which one
	// ├─● user: the nightly one
	// ● user: all of them
}
