package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The context is a page and a panel. Its parts sum to the tokens that the agent recorded.
func TestContext(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("c1")
	tr.user("one <b>bold</b>")
	first := tr.answer(text("two"))
	tr.user("three")
	last := tr.answer(text("four"))
	base := s.open(s.write("c1.jsonl", tr))
	page := s.getOK(base + "/context").body
	panel := s.getOK(base + "/context?part=panel&entry=" + first).body
	for what, ok := range map[string]bool{
		"the page is a document":        strings.Contains(page, "<html") && strings.Contains(page, `data-entry="`+last+`"`),
		"the panel is not":              !strings.Contains(panel, "<html") && strings.Contains(panel, `data-entry="`+first+`"`),
		"text is escaped":               strings.Contains(page, "one &lt;b&gt;bold") && !strings.Contains(page, "<b>bold"),
		"messages lead to entries":      strings.Contains(page, base+"?entry=e1"),
		"the other requests are linked": strings.Contains(panel, `data-step="next"`) && !strings.Contains(panel, `data-step="previous"`) && strings.Contains(page, `data-step="previous"`),
		"it says how it was made":       strings.Contains(page, "Reconstructed"),
	} {
		if !ok {
			t.Errorf("%s: %s", what, page)
		}
	}
	sum := 0
	for _, m := range regexp.MustCompile(`part--[a-z]+" aria-hidden="true"></i> *<span class="truncate">[^<]*</span> *<span class="dim number context-count">[0-9]*</span> *<b class="number">([0-9]+)</b>`).FindAllStringSubmatch(page, -1) {
		n, _ := strconv.Atoi(m[1])
		sum += n
	}
	if sum != 8 { // input and cached
		t.Errorf("the parts sum to %d: %s", sum, page)
	}
	if list := s.getOK(base + "/context?show=new").body; !strings.Contains(list, "three") || strings.Contains(list, `href="`+base+`?entry=e1"`) {
		t.Errorf("only new: %s", list)
	}
	for query, want := range map[string]int{"entry=none-such": http.StatusNotFound, "show=everything": http.StatusUnprocessableEntity, "filter=x": http.StatusUnprocessableEntity} {
		if got := s.get(base + "/context?" + query).StatusCode; got != want {
			t.Errorf("%s: status %d, want %d", query, got, want)
		}
	}
}

// A session has a context before its first answer, and without entries.
func TestContext_noAnswer(t *testing.T) {
	s := newSite(t)
	empty := newTranscript("c2")
	if body := s.getOK(s.open(s.write("c2.jsonl", empty)) + "/context").body; !strings.Contains(body, "of the next request") {
		t.Errorf("empty: %s", body)
	}
	asked := newTranscript("c3")
	asked.user("one")
	if body := s.getOK(s.open(s.write("c3.jsonl", asked)) + "/context").body; !strings.Contains(body, "Sizes are estimates") || !strings.Contains(body, "one") {
		t.Errorf("a prompt: %s", body)
	}
}

// Viewers of a share see neither the context nor links to it, nor the map and comparisons.
func TestContext_share(t *testing.T) {
	s := newSharing(t)
	k := newShareable(s, "0c0c0c0c")
	if own := s.getOK(k.base).body; strings.Count(own, "data-context") < 2 {
		t.Errorf("the page of the owner links to no context")
	}
	link := s.share(k, url.Values{})
	if body := s.getOK(link).body; strings.Contains(body, "data-context") || strings.Contains(body, link+"/context") {
		t.Errorf("the share links to the context: %s", body)
	}
	for _, page := range []string{"/context", "/map", "/compare", "/branches"} {
		if got := s.get(link + page).StatusCode; got != http.StatusNotFound {
			t.Errorf("GET %s of a share: status %d", page, got)
		}
	}
}
