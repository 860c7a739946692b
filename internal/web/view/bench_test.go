package view_test

import (
	"testing"

	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/view/tree"
	"sessiontree/internal/web/viewtest"
)

func BenchmarkRows(b *testing.B) {
	sess := viewtest.Open(b, viewtest.Long(2000).Text())
	viewtest.Look(b, sess, view.Params{}, func(s view.Scene) {
		for b.Loop() {
			if m := tree.RowsModel(s, 3000, 200); len(m.Rows) != 200 {
				b.Fatal(len(m.Rows))
			}
		}
	})
}

func BenchmarkAround(b *testing.B) {
	sess := viewtest.Open(b, viewtest.Long(2000).Text())
	viewtest.Look(b, sess, view.Params{}, func(s view.Scene) {
		for b.Loop() {
			tree.SessionFrame(s, tree.SessionInfo{})
		}
	})
}

func BenchmarkPath(b *testing.B) {
	sess := viewtest.Open(b, viewtest.Long(2000).Text())
	for _, c := range []struct {
		name string
		make func(old *path.Renderer) *path.Renderer
	}{
		{"first time", func(*path.Renderer) *path.Renderer { return path.NewRenderer() }},
		{"again", func(old *path.Renderer) *path.Renderer { return old }},
	} {
		b.Run(c.name, func(b *testing.B) {
			v := path.NewRenderer()
			for b.Loop() {
				v = c.make(v)
				if _, err := viewtest.PathModel(v, sess, view.Params{Entry: "a1000"}, path.Query{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOutline(b *testing.B) {
	sess := viewtest.Open(b, viewtest.Long(2000).Text())
	viewtest.Look(b, sess, view.Params{Layout: outline.LayoutOutline}, func(s view.Scene) {
		for b.Loop() {
			tree.RowsModel(s, 3000, 200)
		}
	})
}
