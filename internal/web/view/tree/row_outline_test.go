package tree

import (
	"fmt"
	"testing"

	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/viewtest"
)

// The indentation of deep rows is limited.
func TestOutlinePrefix_deep(t *testing.T) {
	var s viewtest.Script
	up := s.User("u0", "", "start")
	for i := range 300 {
		s.User(fmt.Sprint("b", i), up, "left")
		up = s.User(fmt.Sprint("u", i+1), up, "goes on")
	}
	sess := viewtest.Open(t, s.Text())
	viewtest.Look(t, sess, view.Params{Layout: outline.LayoutOutline}, func(sc view.Scene) {
		rows := RowsModel(sc, 0, 1000).Rows
		for _, c := range []struct{ entry, want string }{
			{"u1", "├─ "},
			{"b7", "│  │  │  │  │  │  │  └─ "},
			{"u300", "292… │  │  │  │  │  │  │  ├─ "},
			{"b299", "292… │  │  │  │  │  │  │  └─ "},
			{"b100", "93… │  │  │  │  │  │  │  └─ "},
		} {
			for _, r := range rows {
				if r.Entry == c.entry && r.Prefix != c.want {
					t.Errorf("%s: prefix %q, want %q", c.entry, r.Prefix, c.want)
				}
			}
		}
	})
}
