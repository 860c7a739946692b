package path_test

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/internal/slowtest"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// many returns n text blocks as JSON; block may return other blocks for some indexes.
func many(n int, block func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = block(i)
	}
	return "[" + strings.Join(all, ",") + "]"
}

// An entry of many blocks shows the first ones and their total number.
func TestBlocks_many(t *testing.T) {
	slowtest.SkipIfShort(t)
	text := func(i int) string { return fmt.Sprintf(`{"type":"text","text":"block %d"}`, i) }
	var s viewtest.Script
	s.Add("u1", "", `"type":"message","message":{"role":"user","content":`+many(100_000, text)+`}`)
	s.Add("a1", "u1", `"type":"message","message":{"role":"assistant","content":`+many(150, func(i int) string {
		if i%2 == 0 {
			return text(i)
		}
		return fmt.Sprintf(`{"type":"toolCall","id":"k%d","name":"bash","arguments":{"command":"run %d"}}`, i, i)
	})+`}`)
	s.Add("r1", "a1", `"type":"message","message":{"role":"toolResult","toolCallId":"k1","toolName":"bash","content":`+many(100+3, text)+`}`)
	s.Add("u2", "r1", `"type":"message","message":{"role":"user","content":`+many(100, text)+`}`)
	sess := viewtest.Open(t, s.Text())
	shown := map[string]int{} // blocks by entry
	left := map[string]string{}
	note := func(id string, blocks []components.BlockModel) {
		for _, b := range blocks {
			if b.Kind == "rest" {
				left[id] = b.Left
				if !b.Cut || !strings.Contains(b.More, "/entries/"+id+"?part=rest&n=100") {
					t.Errorf("the rest of %s is had at %q", id, b.More)
				}
				continue
			}
			shown[id]++
		}
	}
	calls := 0
	for _, m := range viewtest.DescribeItems(viewtest.PathOf(t, sess, view.Params{}, path.Query{}).Items) {
		note(m.Entry, m.Blocks)
		for _, tool := range m.Tools {
			calls++
			if tool.Result != "" {
				note(tool.Result, tool.Blocks)
			}
		}
	}
	if fmt.Sprint(shown) != "map[a1:50 r1:100 u1:100 u2:100]" || calls != 50 {
		t.Errorf("blocks shown: %v, calls: %d", shown, calls)
	}
	if fmt.Sprint(left) != "map[a1:Show all 150 blocks r1:Show all 103 blocks u1:Show 1,000 more of 100,000 blocks]" {
		t.Errorf("links to more: %v", left)
	}
	for id, want := range map[string]string{"u1": "1001 <p>block 100</p>", "a1": "50 <p>block 100</p>", "r1": "3 block 100", "u2": "0 "} {
		m, err := viewtest.EntryModel(path.NewRenderer(), sess, path.EntryQuery{ID: id, Part: "rest", Block: 100})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(len(m.Rest), " ")
		if len(m.Rest) > 0 {
			got += strings.TrimSpace(m.Rest[0].HTML + m.Rest[0].Text)
		}
		if id == "u1" && m.Rest[1000].Left != "Show 1,000 more of 100,000 blocks" {
			t.Errorf("after the rest of %s stands %+v", id, m.Rest[1000])
		}
		if got != want {
			t.Errorf("rest of %s: %s, want %s", id, got, want)
		}
	}
}
