package components

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

func render(t *testing.T, c templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatalf("render: %v", err)
	}
	return b.String()
}

// Preformatted text must reach the page byte for byte, without white space from the
// template's indentation.
func TestPreformattedText_Exact(t *testing.T) {
	for name, tc := range map[string]struct {
		c    templ.Component
		want string
	}{
		"plain output": {block(BlockModel{Kind: "out", Text: " a\n\tb <i>\n"}), "<code> a\n\tb &lt;i&gt;\n</code></pre>"},
		"coloured":     {block(BlockModel{Kind: "out", HTML: "<span class=\"term-fg31\"> x</span>"}), "<code><span class=\"term-fg31\"> x</span></code></pre>"},
		"diff":         {diffLine(DiffLine{Class: "added", New: "4", Sign: "+", Text: "\tx"}), "<span class=\"chroma\">\tx</span>"},
		"diff html":    {diffLine(DiffLine{Class: "added", New: "4", Sign: "+", HTML: "<b>\tx</b>"}), "<span class=\"chroma\"><b>\tx</b></span>"},
	} {
		if got := render(t, tc.c); !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %q, want it to contain %q", name, got, tc.want)
		}
	}
}

// The breadcrumb of a file without a working directory is not empty.
func TestProjectCrumb_NoDirectory(t *testing.T) {
	if got, want := render(t, projectCrumb("", "")), `<a href="/">Sessions</a>`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The content security policy forbids style attributes and inline scripts. Buttons must not
// exist without an action.
func TestPages_FollowContentPolicy(t *testing.T) {
	for name, c := range fixtures() {
		got := render(t, c)
		for _, bad := range []string{" style=", "<style", "javascript:", " onclick=", "<script>"} {
			if strings.Contains(got, bad) {
				t.Errorf("%s has %q", name, bad)
			}
		}
		for _, b := range regexp.MustCompile(`<button[^>]*>`).FindAllString(got, -1) {
			if !strings.Contains(b, "data-do=") && !strings.Contains(b, "popovertarget=") && !strings.Contains(b, `type="submit"`) && !strings.Contains(b, "btn--line") {
				t.Errorf("%s has a button without an action: %s", name, b)
			}
		}
	}
}

// A window of rows must stay under 1,500 elements.
func TestRows_ElementCount(t *testing.T) {
	m := fixtureRows()
	got := render(t, Rows(m))
	tags := len(regexp.MustCompile(`<[a-z]`).FindAllString(got, -1)) - 1
	if limit := 6 * len(m.Rows); tags > limit {
		t.Errorf("%d rows are %d elements, want at most %d", len(m.Rows), tags, limit)
	}
}

// Text of a transcript must never become markup.
func TestHostileText(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
	m := fixtureSession()
	m.Name, m.Project, m.Cwd, m.File, m.View.Query = evil, evil, evil, evil, evil
	m.Rows.Rows[0].Text, m.Rows.Rows[0].Label, m.Rows.Rows[0].Tool = words(evil), evil, evil
	item := m.Path.Items[3].(*UserItem)
	item.Label, item.Who = evil, evil
	item.Blocks = []BlockModel{{Kind: "text", Text: evil}, {Kind: "image", Src: evil, Alt: evil}, {Kind: "out", Text: evil, Name: evil}}
	item.Href = "javascript:alert(1)"
	got := render(t, SessionPage(m))
	for _, bad := range []string{"<script>alert", "<img src=x", ` href="javascript:`} {
		if strings.Contains(got, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// An HTML export renders tens of thousands of rows, and a page of an active session renders
// some with every line.
func TestStandaloneRow_Allocations(t *testing.T) {
	m := RowModel{ID: "r-1", Entry: "1", Class: "tool", Tool: "bash", Text: []Span{{Text: "ls"}}, Lanes: []LaneCell{{}}, Node: "tool", Expanded: -1, Time: Time{ISO: "2026-01-05T09:00:00Z", Text: "09:00"}}
	var html strings.Builder
	html.Grow(1 << 20)
	n := testing.AllocsPerRun(100, func() {
		if err := StandaloneRow(m).Render(t.Context(), &html); err != nil {
			t.Fatal(err)
		}
	})
	// The race detector empties pools at random, which adds some.
	if n > 75 {
		t.Errorf("%.0f allocations a row, want at most 75", n)
	}
}
