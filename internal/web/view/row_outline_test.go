package view

import (
	"fmt"
	"testing"

	"sessiontree/internal/session"
)

// The indentation of deep rows is limited.
func TestOutlinePrefix_deep(t *testing.T) {
	var s script
	up := s.user("u0", "", "start")
	for i := range 300 {
		s.user(fmt.Sprint("b", i), up, "left")
		up = s.user(fmt.Sprint("u", i+1), up, "goes on")
	}
	sess := open(t, s.text())
	look(t, sess, Params{Layout: session.LayoutOutline}, func(sc Scene) {
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
