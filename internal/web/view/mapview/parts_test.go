package mapview_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/mapview"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// buildMap returns a part of the map of a session of 300 prompts with a branch at the tenth.
func buildMap(t *testing.T, query string) (m components.MapModel) {
	t.Helper()
	var s viewtest.Script
	last := ""
	for i := range 300 {
		id := fmt.Sprintf("u%d", i)
		s.User(id, last, "prompt")
		last = id
	}
	s.User("b1", "u9", "another <way>")
	for i := range 8 {
		s.Add(fmt.Sprintf("b%d", i+2), fmt.Sprintf("b%d", i+1), `"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}`)
	}
	s.Add("l1", "b9", `"type":"label","targetId":"u100","label":"before the change"`)
	s.User("end", "u299", "go on")
	return buildMapOf(t, &s, query)
}

// buildMapOf returns a part of the map of a session.
func buildMapOf(t *testing.T, s *viewtest.Script, query string) (m components.MapModel) {
	t.Helper()
	sess := viewtest.Open(t, s.Text())
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	p, err := mapview.ParseParams(q)
	if err != nil {
		t.Fatal(err)
	}
	sess.ReadTree(func(tree *session.Tree, _ store.Revision) {
		scene, err := view.NewScene(viewtest.Config(), view.Audience{}, tree, view.Params{})
		if err != nil {
			t.Error(err)
			return
		}
		m = mapview.PageModel(scene, components.Page{}, p)
	})
	return m
}

// The stops go along the whole path and never back, within the picture.
func TestPageModel_PanelStops(t *testing.T) {
	for _, axis := range []string{"time", "steps"} {
		m := buildMap(t, "part=panel&height=500&axis="+axis)
		var stops [][2]any
		if err := json.Unmarshal([]byte(m.Panel.Stops), &stops); err != nil {
			t.Fatal(err)
		}
		last := 0.0
		for i, stop := range stops {
			at, isNumber := stop[0].(float64)
			if !isNumber || at < last || at > 500 {
				t.Fatalf("%s: stop %d of %d is at %v after %v", axis, i, len(stops), stop[0], last)
			}
			last = at
		}
		if first, end := stops[0][1], stops[len(stops)-1][1]; first != "u0" || end != "end" {
			t.Errorf("%s: the stops go from %v to %v", axis, first, end)
		}
	}
}

// Texts of the panel never overlap, and the leaf, labels and branches have one.
func TestPageModel_PanelLabels(t *testing.T) {
	m := buildMap(t, "part=panel&height=900&axis=steps")
	classes := map[string]int{}
	for i, l := range m.Panel.Labels {
		classes[l.Class]++
		for _, other := range m.Panel.Labels[:i] {
			var a, b float64
			if _, err := fmt.Sscan(l.Y, &a); err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Sscan(other.Y, &b); err != nil {
				t.Fatal(err)
			}
			if d := a - b; d > -12 && d < 12 {
				t.Errorf("%q and %q are %v apart", l.Text, other.Text, d)
			}
		}
	}
	if classes["leaf"] != 1 || classes["label"] != 1 || classes["branch"] != 1 {
		t.Errorf("the texts are %v", classes)
	}
}

// The texts of flags do not overlap, and no pole of a flag crosses one.
func TestPageModel_flags(t *testing.T) {
	var s viewtest.Script
	last := ""
	for i := range 60 {
		id := fmt.Sprintf("u%d", i)
		s.User(id, last, "prompt")
		last = id
		if i%3 == 0 || i%7 == 0 {
			last = s.Label("l"+id, id, id, fmt.Sprintf("label number %d", i))
		}
	}
	flags := buildMapOf(t, &s, "axis=steps").Picture.Flags
	number := func(text string) (n float64) {
		t.Helper()
		if _, err := fmt.Sscan(text, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	texts := 0
	for i, f := range flags {
		if f.Text == "" {
			continue
		}
		texts++
		x, y, end := number(f.X), number(f.Y), number(f.X)+6*float64(len(f.Text))
		for _, later := range flags[i+1:] {
			if at, top := number(later.X), number(later.Y); at < end && top <= y {
				t.Errorf("%q at %v, %v to %v is crossed by the flag at %v, %v", f.Text, x, y, end, at, top)
			}
		}
	}
	if texts < 8 || texts == len(flags) {
		t.Errorf("%d of %d flags have a text", texts, len(flags))
	}
}

func TestPageModel_BranchPreview(t *testing.T) {
	m := buildMap(t, "part=branch&branch=b1")
	if m.Picked.Title != "another <way>" || len(m.Picked.Rows) != 5 {
		t.Errorf("the preview has the title %q and %d rows", m.Picked.Title, len(m.Picked.Rows))
	}
	if m := buildMap(t, "part=branch&branch=gone"); m.Picked.Title != "" {
		t.Errorf("a branch that does not exist has the preview %+v", m.Picked)
	}
}

func TestParseParams_PanelHeight(t *testing.T) {
	for _, height := range []string{"", "x", "10", "100000"} {
		if _, err := mapview.ParseParams(url.Values{"part": {"panel"}, "height": {height}}); err == nil {
			t.Errorf("height %q is accepted", height)
		}
	}
}
