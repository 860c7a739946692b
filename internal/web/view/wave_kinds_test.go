package view

import (
	"os"
	"strings"
	"testing"

	"sessiontree/internal/session"
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
			sess := open(t, string(text))
			var rows string
			look(t, sess, Params{}, func(s Scene) { rows = dumpRows(RowsModel(s, 0, 200).Rows) })
			look(t, sess, Params{Filter: session.FilterAll}, func(s Scene) {
				all := dumpRows(RowsModel(s, 0, 200).Rows)
				for p := range session.Pos(s.Tree.Len()) {
					if e := s.Tree.At(p); !strings.Contains(all, domID("-", e.ID)) {
						t.Errorf("no row for %s (%s)", e.ID, e.Role)
					}
				}
			})
			compareGolden(t, "wave."+name+".rows.golden", rows)
			compareGolden(t, "wave."+name+".path.golden", withoutKey(pathOf(t, sess, Params{}, PathQuery{N: 200}).Items, sess))
		})
	}
}
