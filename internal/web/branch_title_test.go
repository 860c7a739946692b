package web

import (
	"net/http"
	"regexp"
	"testing"
)

// A branch has the same title in the rows of the tree, in the switcher of the path and in
// the list of branches, also after lines were added to it.
func TestBranchTitle_sameEverywhere(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	root := tr.user("start")
	first := tr.answer(text("hello"))
	branch := func(add ...func()) (head string) {
		tr.last = root
		for i, f := range add {
			if f(); i == 0 {
				head = tr.last
			}
		}
		return head
	}
	model := func() { tr.add("model_change", map[string]any{"provider": "anthropic", "modelId": "claude-opus-4-5"}) }
	var afterModel string
	settings := branch(model, func() { afterModel = tr.last; tr.user("try polling") }, func() { tr.last = afterModel; tr.label(root, "a label") })
	aborted := branch(func() { tr.message("assistant", map[string]any{"content": []any{}, "stopReason": "aborted"}) }, func() { tr.user("once more") })
	answered := branch(func() { tr.answer(text("no prompt here")) })
	calling := branch(func() { tr.answer(call("c1", "bash")) }, func() { tr.result("c1", "a file") })
	leaf := branch(func() { tr.user("go on") })
	path := s.write("one.jsonl", tr)
	url := s.open(path)

	heads := []string{first, settings, aborted, answered, calling, leaf}
	check := func(titles map[string]string) {
		t.Helper()
		rows, list := s.getOK(url+"/rows").body, s.getOK(url+"/branches").body
		for i, next := range heads[1:] {
			head := heads[i]
			page := s.getOK(url + "/path?entry=" + head).body
			if got := submatch(page, `data-head="`+head+`".*?<q class="truncate">([^<]*)</q>`); got != titles[next] {
				t.Errorf("the switcher before %s names branch %s %q, want %q", head, next, got, titles[next])
			}
		}
		for _, head := range heads[:len(heads)-1] {
			if got := submatch(rows, `id="b-`+head+`".*?class="row-link[^>]*>([^<]*)</a>`); got != titles[head] {
				t.Errorf("the tree names branch %s %q, want %q", head, got, titles[head])
			}
		}
		for _, head := range heads[:len(heads)-1] {
			title := titles[head]
			if submatch(list, `data-head="`+head+`".*?<a class="truncate"[^>]*>(`+regexp.QuoteMeta(title)+`)</a>`) == "" {
				t.Errorf("the list of branches does not name branch %s %q", head, title)
			}
		}
	}
	titles := map[string]string{first: "hello", settings: "try polling", aborted: "(aborted)", answered: "no prompt here", calling: "bash ls", leaf: "go on"}
	check(titles)

	// The branch gets its first prompt, and the agent then continues the other one.
	rev := submatch(s.getOK(url+"/rows").body, `data-rev="([^"]*)"`)
	tr.last = "e10"
	tr.user("why this file")
	tr.last = leaf
	tr.answer(text("going on"))
	s.append(path, tr)
	if a := s.get(url + "/news?since=" + rev); a.StatusCode != http.StatusOK {
		t.Fatalf("news: status %d", a.StatusCode)
	}
	titles[calling] = "why this file"
	check(titles)
}

// submatch returns what the first group of an expression matches, "" where it does not.
func submatch(s, expr string) string {
	if m := regexp.MustCompile(`(?s)` + expr).FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}
