package path_test

import (
	"errors"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

func entry(t *testing.T, content string, q path.EntryQuery) (components.EntryModel, error) {
	t.Helper()
	return viewtest.EntryModel(path.NewRenderer(), viewtest.Open(t, content), q)
}

func TestEntry(t *testing.T) {
	var s viewtest.Script
	text := strings.Repeat("words and words\n\n", 4000)
	s.User("u1", "", text)
	s.Answer("a1", "u1", "", "c1")
	s.Result("r1", "a1", "c1", strings.Repeat("line\n", 500)+"last")
	for _, c := range []struct {
		q    path.EntryQuery
		want []string
	}{
		{path.EntryQuery{ID: "u1"}, []string{"user e-u1 | You", "words and words"}},
		{path.EntryQuery{ID: "a1"}, []string{"asst e-a1", `"command": "run c1"`}},
		{path.EntryQuery{ID: "r1", Part: "item"}, []string{"tools t-r1", "tool e-r1 [bash] | bash | run c1 | open", `<span class="prompt-sign">$</span> run c1`, "last"}},
	} {
		m, err := entry(t, s.Text(), c.q)
		if err != nil {
			t.Errorf("Entry(%+v): %v", c.q, err)
			continue
		}
		got := viewtest.DumpItems([]components.Item{m.Item})
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("Entry(%+v) lacks %q: %.300s", c.q, want, got)
			}
		}
		if strings.Contains(got, "part=block") {
			t.Errorf("Entry(%+v) is cut", c.q)
		}
	}
}

func TestEntry_block(t *testing.T) {
	var s viewtest.Script
	s.User("u1", "", "start")
	s.Answer("a1", "u1", "text", "c1")
	s.Result("r1", "a1", "c1", strings.Repeat("line\n", 500)+"last")
	m, err := entry(t, s.Text(), path.EntryQuery{ID: "r1", Part: "block"})
	if err != nil {
		t.Fatal(err)
	}
	if m.Block == nil || m.Block.Cut || !strings.HasPrefix(m.Block.HTML, `<span class="prompt-sign">$</span> run c1`) || !strings.HasSuffix(m.Block.HTML, "last") {
		t.Errorf("block %+v", m.Block)
	}
	for _, q := range []path.EntryQuery{{ID: "nope"}, {ID: "r1", Part: "block", Block: 7}, {ID: "r1", Part: "block", Block: -1}} {
		if _, err := entry(t, s.Text(), q); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Entry(%+v): error %v, want ErrNotFound", q, err)
		}
	}
}
