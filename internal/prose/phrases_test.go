package prose

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unclear matches phrases that are not how Go documentation is written. The comments have
// what to write instead.
var unclear = regexp.MustCompile(`(?i)\b(` + strings.ReplaceAll(strings.Join([]string{
	`answers`,       // returns, responds
	`(is|are) told`, // is notified, is recognized by
	`what (is|was) (said|told)|should not be told`,    // the text; sensitive
	`tells? of|told of`,                               // reports, describes
	`stands?|stood`,                                   // is, is recorded
	`go(es)? on|going on|went on|gone on`,             // continues
	`(takes?|taken|took) (in|back)`,                   // includes, adds; retracts, removes
	`(hangs?|hung) (on|at|below|under|together|from)`, // is attached to, is a child of
	`laid`,                            // placed
	`beside`,                          // next to, in the sidecar
	`(kept|keeps?|sets?) aside`,       // in the sidecar, separately
	`anew`,                            // again
	`whoever|somebody who`,            // a caller that
	`is asked for|comes? of`,          // is requested, results from
	`(that|which|what) (is|are) none`, // invalid
	`(leads?|led) nowhere`,            // is unused
	`(is|are|was|were) no more`,       // no longer exists
	`homeless|in vain|whence|thereof`,
}, "|"), " ", `\s+`) + `)\b`)

// plain matches the same words in good English: the answers of an assistant, X stands for Y.
var plain = regexp.MustCompile(`(?i)\b(stands?\s+(in\s+)?for|(prompts,|and|or|of|the|its|their|these|all|failed|aborted)\s+answers)\b`)

func TestComments_plainWords(t *testing.T) {
	t.Parallel()
	for _, f := range sourceFiles(t) {
		text := plain.ReplaceAllStringFunc(f.prose(), blank)
		for _, at := range unclear.FindAllStringIndex(text, -1) {
			line := 1 + strings.Count(text[:at[0]], "\n")
			phrase := strings.Join(strings.Fields(text[at[0]:at[1]]), " ")
			t.Errorf("%s:%d: %q: see CONTRIBUTING.md, Style", f.name, line, phrase)
		}
	}
}

// What is not a comment is not checked, and a phrase is found across a line break.
func TestProse_keepsCommentsOnly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"a.go", "package a\n\nvar x = \"// stands\" // it goes\n// on\n", "\n\n it goes\n on\n"},
		{"a.templ", "<a href=\"http://stands\">\n<!-- laid -->", "\n<!-- laid -->"},
		{"a.css", "a { /* one\n two */ b: c }", "one\n two */"},
		{"a.js", "f('stands'); // x\n  /**\n   * y */", "x\n * y */"},
		{"a.md", "Run `stands`, then\n```\nanew\n```\nread.", "Run , then\n\n\n\nread."},
	} {
		got := strings.Fields(sourceFile{test.name, test.text}.prose())
		if want := strings.Fields(test.want); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
	}
}
