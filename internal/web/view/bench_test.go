package view

import (
	"fmt"
	"testing"

	"sessiontree/internal/session"
)

// long returns a session of many entries with realistic texts.
func long(n int) *script {
	var s script
	up := ""
	for i := range n {
		c := fmt.Sprintf("c%d", i)
		up = s.user(fmt.Sprintf("u%d", i), up, "Make the *theme* reload when the file changes, and keep the old one if it is broken.")
		up = s.answer(fmt.Sprintf("a%d", i), up, fmt.Sprintf("Step %d. The watcher lives in `theme.ts`:\n\n```ts\nfs.watch(file%d, () => reload());\n```\n\n- debounce\n- fall back to **dark**\n", i, i), c)
		up = s.result(fmt.Sprintf("r%d", i), up, c, "> build\n> tsc -p .\n\nno errors found in 214 files\n")
		if i%10 == 3 {
			s.user(fmt.Sprintf("x%d", i), up, "another way")
		}
	}
	return &s
}

func BenchmarkRows(b *testing.B) {
	sess := open(b, long(2000).text())
	look(b, sess, Params{}, func(s Scene) {
		for b.Loop() {
			if m := RowsModel(s, 3000, 200); len(m.Rows) != 200 {
				b.Fatal(len(m.Rows))
			}
		}
	})
}

func BenchmarkAround(b *testing.B) {
	sess := open(b, long(2000).text())
	look(b, sess, Params{}, func(s Scene) {
		for b.Loop() {
			SessionFrame(s, SessionInfo{})
		}
	})
}

func BenchmarkPath(b *testing.B) {
	sess := open(b, long(2000).text())
	for _, c := range []struct {
		name string
		make func(old *Renderer) *Renderer
	}{
		{"first time", func(*Renderer) *Renderer { return NewRenderer() }},
		{"again", func(old *Renderer) *Renderer { return old }},
	} {
		b.Run(c.name, func(b *testing.B) {
			v := NewRenderer()
			for b.Loop() {
				v = c.make(v)
				if _, err := pathModel(v, sess, Params{Entry: "a1000"}, PathQuery{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOutline(b *testing.B) {
	sess := open(b, long(2000).text())
	look(b, sess, Params{Layout: session.LayoutOutline}, func(s Scene) {
		for b.Loop() {
			RowsModel(s, 3000, 200)
		}
	})
}
