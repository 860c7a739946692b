package path

import (
	"strings"
	"testing"
)

func TestMarkdown(t *testing.T) {
	m := NewRenderer()
	for _, c := range []struct {
		name, in, want string
		breaks         bool
	}{
		{name: "headings stay below the page's", in: "# One\n\n## Two\n\n# Three", want: "<h3>One</h3>\n<h4>Two</h4>\n<h3>Three</h3>"},
		{name: "headings leave no level out", in: "### Three\n\n##### Five\n\n###### Six", want: "<h3>Three</h3>\n<h4>Five</h4>\n<h5>Six</h5>"},
		{name: "a line end in prose", in: "a\nb", want: "<p>a\nb</p>"},
		{name: "a line end in a prompt", in: "a\nb", breaks: true, want: "<p>a<br>\nb</p>"},
		{name: "links", in: "[a](https://x.example/?a=1&b=2) <mailto:me@x.example> www.x.example",
			want: `<p><a href="https://x.example/?a=1&amp;b=2" rel="noreferrer noopener" target="_blank">a</a> <a href="mailto:me@x.example" rel="noreferrer">mailto:me@x.example</a> <a href="http://www.x.example" rel="noreferrer noopener" target="_blank">www.x.example</a></p>`},
		{name: "links nowhere", in: "[a](javascript:x) [b](/local) [c](file:///etc/passwd) [d](#e)", want: "<p>a b c d</p>"},
		{name: "images are named", in: "![a *b*](http://x.example/p.png) ![](https://x.example/q.png)",
			want: `<p><a class="markdown-image" href="http://x.example/p.png" rel="noreferrer noopener" target="_blank">Image: a b</a> <a class="markdown-image" href="https://x.example/q.png" rel="noreferrer noopener" target="_blank">Image: https://x.example/q.png</a></p>`},
		{name: "code", in: "```go\nfunc a() // b\n```", want: `<div class="code"><div class="code-head">go</div><pre tabindex="0"><code><span class="code-keyword">func</span> <span class="code-function">a</span>() <span class="code-comment">// b</span>` + "\n</code></pre></div>"},
		{name: "code of no language", in: "    a < b", want: `<div class="code"><pre tabindex="0"><code>a &lt; b` + "\n</code></pre></div>"},
		{name: "table", in: "| a | b |\n|---|--:|\n| 1 | 2 |",
			want: "<div class=\"table-box\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>a</th>\n<th align=\"right\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td align=\"right\">2</td>\n</tr>\n</tbody>\n</table></div>"},
		{name: "table head alone", in: "| a |\n|---|", want: "<div class=\"table-box\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table></div>"},
		{name: "tasks", in: "- [x] done\n- [ ] ~~not~~", want: "<ul>\n<li>☑ done</li>\n<li>☐ <del>not</del></li>\n</ul>"},
		{name: "numbered", in: "3. c\n4. d", want: "<ol start=\"3\">\n<li>c</li>\n<li>d</li>\n</ol>"},
		{name: "hidden characters", in: "a\u202Eb\x00", want: "<p>a[U+202E]b␀</p>"},
	} {
		got := strings.TrimSpace(m.renderMarkdown(c.in, c.breaks, &highlightBudget{left: 1000}))
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
		if again := strings.TrimSpace(m.renderMarkdown(c.in, c.breaks, &highlightBudget{left: 1000})); again != got {
			t.Errorf("%s: the second time it is %s", c.name, again)
		}
	}
}

// A page without budget shows code plain and does not cache it.
func TestMarkdown_Budget(t *testing.T) {
	m := NewRenderer()
	code := "```go\nvar x = 1\n```"
	r := &highlightBudget{left: 3}
	if got := m.renderMarkdown(code, false, r); strings.Contains(got, "<span") || !r.exhausted {
		t.Errorf("with nothing left: %s", got)
	}
	if got := m.renderMarkdown(code, false, &highlightBudget{left: 100}); !strings.Contains(got, "<span") {
		t.Errorf("with enough left: %s", got)
	}
	if got := m.renderMarkdown(code, false, &highlightBudget{}); !strings.Contains(got, "<span") {
		t.Errorf("coloured before: %s", got)
	}
}

func TestHighlighter(t *testing.T) {
	m := NewRenderer()
	for _, c := range []struct{ file, code, want string }{
		{"/x/a.go", "type T int // c", `<span class="code-keyword">type</span> T <span class="code-type">int</span> <span class="code-comment">// c</span>`},
		{"b.py", "x = \"\"\"a\nb\"\"\"", "x = <span class=\"code-string\">&#34;&#34;&#34;a</span>\n<span class=\"code-string\">b&#34;&#34;&#34;</span>"},
		{"Makefile", "all:\n", ""},
		{"c.unknown", "x", ""},
		{strings.Repeat("long", 50), "x", ""},
		{"", "x", ""},
	} {
		got, ok := m.code.highlightCode(c.code, languageName(c.file), &highlightBudget{left: 1000})
		if c.want != "" && strings.TrimRight(got, "\n") != c.want || c.want == "" && c.file != "Makefile" && ok {
			t.Errorf("%s: %q, %v, want %q", c.file, got, ok, c.want)
		}
	}
	if _, ok := m.code.highlightCode(strings.Repeat("x", maxHighlightBytes+1), "x.go", &highlightBudget{left: 1 << 30}); ok {
		t.Error("code longer than the cap is coloured")
	}
}

func TestRenderCache(t *testing.T) {
	c := newRenderCache(100)
	for i := range 8 {
		c.addRendered(newRenderKey("k", string(rune('a'+i))), strings.Repeat("x", 25))
		c.findRendered(newRenderKey("k", "a"))
	}
	if _, ok := c.findRendered(newRenderKey("k", "a")); !ok {
		t.Error("what is used stays no longer")
	}
	if _, ok := c.findRendered(newRenderKey("k", "b")); ok {
		t.Error("what is not used stays")
	}
	kept := 0
	for i := range 8 {
		if _, ok := c.findRendered(newRenderKey("k", string(rune('a'+i)))); ok {
			kept++
		}
	}
	if kept != 4 {
		t.Errorf("%d pieces of 25 bytes kept, want 4", kept)
	}
	c.addRendered(newRenderKey("k", "big"), strings.Repeat("x", 26))
	if _, ok := c.findRendered(newRenderKey("k", "big")); ok {
		t.Error("one piece takes more than a quarter")
	}
}

// The text of an attack stays readable.
func TestRenderMarkdown_ShowsTags(t *testing.T) {
	m := NewRenderer()
	got := m.renderMarkdown("Use `<br>` or <script>alert(1)</script>\n\n<div onclick=\"x()\">\n*still* Markdown\n</div>", false, &highlightBudget{left: 1000})
	want := "<p>Use <code>&lt;br&gt;</code> or &lt;script&gt;alert(1)&lt;/script&gt;</p>\n" +
		"<p>&lt;div onclick=&#34;x()&#34;&gt;\n<em>still</em> Markdown\n&lt;/div&gt;</p>\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
