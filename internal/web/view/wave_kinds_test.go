package view_test

import (
	"os"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/view/tree"
	"sessiontree/internal/web/viewtest"
)

// Every block and role of Wave has a row and a card. A tool's outcome is shown with its
// call in the answer.
func TestWaveKinds(t *testing.T) {
	for _, name := range []string{"blocks", "compaction"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("../../../testdata/wave/forms/" + name + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			sess := viewtest.Open(t, string(text))
			var rows string
			viewtest.Look(t, sess, view.Params{}, func(s view.Scene) { rows = viewtest.DumpRows(tree.RowsModel(s, 0, 200).Rows) })
			viewtest.Look(t, sess, view.Params{Filter: outline.FilterAll}, func(s view.Scene) {
				all := viewtest.DumpRows(tree.RowsModel(s, 0, 200).Rows)
				for p := range session.Pos(s.Tree.Len()) {
					if e := s.Tree.At(p); !strings.Contains(all, view.DomID("-", e.ID)) {
						t.Errorf("no row for %s (%s)", e.ID, e.Role)
					}
				}
			})
			viewtest.CompareGolden(t, "wave."+name+".rows.golden", rows)
			viewtest.CompareGolden(t, "wave."+name+".path.golden", viewtest.WithoutKey(viewtest.PathOf(t, sess, view.Params{}, path.Query{N: 200}).Items, sess))
		})
	}
}
