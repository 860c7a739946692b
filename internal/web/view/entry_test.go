package view

import (
	"errors"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

func entry(t *testing.T, content string, q EntryQuery) (components.EntryModel, error) {
	t.Helper()
	return entryModel(NewRenderer(), open(t, content), q)
}

func TestEntry(t *testing.T) {
	var s script
	text := strings.Repeat("words and words\n\n", 4000)
	s.user("u1", "", text)
	s.answer("a1", "u1", "", "c1")
	s.result("r1", "a1", "c1", strings.Repeat("line\n", 500)+"last")
	for _, c := range []struct {
		q    EntryQuery
		want []string
	}{
		{EntryQuery{ID: "u1"}, []string{"user e-u1 | You", "words and words"}},
		{EntryQuery{ID: "a1"}, []string{"asst e-a1", `"command": "run c1"`}},
		{EntryQuery{ID: "r1", Part: "item"}, []string{"tools t-r1", "tool e-r1 [bash] | bash | run c1 | open", `<span class="p">$</span> run c1`, "last"}},
	} {
		m, err := entry(t, s.text(), c.q)
		if err != nil {
			t.Errorf("Entry(%+v): %v", c.q, err)
			continue
		}
		got := dumpItems([]components.ItemModel{m.Item})
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
	var s script
	s.user("u1", "", "start")
	s.answer("a1", "u1", "text", "c1")
	s.result("r1", "a1", "c1", strings.Repeat("line\n", 500)+"last")
	m, err := entry(t, s.text(), EntryQuery{ID: "r1", Part: "block"})
	if err != nil {
		t.Fatal(err)
	}
	if m.Block == nil || m.Block.Cut || !strings.HasPrefix(m.Block.HTML, `<span class="p">$</span> run c1`) || !strings.HasSuffix(m.Block.HTML, "last") {
		t.Errorf("block %+v", m.Block)
	}
	for _, q := range []EntryQuery{{ID: "nope"}, {ID: "r1", Part: "block", Block: 7}, {ID: "r1", Part: "block", Block: -1}} {
		if _, err := entry(t, s.text(), q); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Entry(%+v): error %v, want ErrNotFound", q, err)
		}
	}
}
