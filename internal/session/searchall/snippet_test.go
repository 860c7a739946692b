package searchall

import "testing"

// Snippets of answers are without the signs of Markdown, unless they are searched for.
func TestCutSnippet_Markdown(t *testing.T) {
	t.Parallel()
	const text = "It takes **3 ms** with `tile_cache`:\n\n```go\ncache := New()\n```\n\nNot `a*b`."
	for query, want := range map[string]string{
		"cache":    "It takes 3 ms with tile_[cache]: [cache] := New() Not a*b.",
		`"**3"`:    "It takes [**3] ms** with `tile_cache`: ```go cache := New() ``` Not `a*b`.",
		`"3 ms"`:   "It takes [3 ms] with tile_cache: cache := New() Not a*b.",
		`"s** wi"`: "It takes **3 m[s** wi]th `tile_cache`: ```go cache := New() ``` Not `a*b`.",
	} {
		snippet, marks := cutSnippet(text, parse(t, query).Terms, true)
		if got := withMarks(snippet, marks); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if snippet, _ := cutSnippet(text, parse(t, "cache").Terms, false); snippet[:15] != "It takes **3 ms" {
		t.Errorf("text that is no Markdown: %q", snippet)
	}
}
