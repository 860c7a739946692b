package components

import (
	"context"
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

// Preformatted text must reach the page byte for byte: no space that the
// template's own indentation would add.
func TestPreformattedTextIsExact(t *testing.T) {
	for name, tc := range map[string]struct {
		c    templ.Component
		want string
	}{
		"plain output": {block(BlockModel{Kind: "out", Text: " a\n\tb <i>\n"}), "<code> a\n\tb &lt;i&gt;\n</code></pre>"},
		"coloured":     {block(BlockModel{Kind: "out", HTML: "<span class=\"term-fg31\"> x</span>"}), "<code><span class=\"term-fg31\"> x</span></code></pre>"},
		"diff":         {diffLine(DiffLine{Class: "add", New: "4", Sign: "+", Text: "\tx"}), "<span class=\"chroma\">\tx</span>"},
		"diff html":    {diffLine(DiffLine{Class: "add", New: "4", Sign: "+", HTML: "<b>\tx</b>"}), "<span class=\"chroma\"><b>\tx</b></span>"},
	} {
		if got := render(t, tc.c); !strings.Contains(got, tc.want) {
			t.Errorf("%s: got %q, want it to contain %q", name, got, tc.want)
		}
	}
}
