package view_test

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sessiontree/internal/slowtest"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/view/tree"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// attacks lists texts that would be harmful as markup.
var attacks = []string{
	`<script>alert(1)</script>`,
	`</script><script>alert(1)</script>`,
	`</code></pre></li></ol><img src=x onerror=alert(1)>`,
	`<svg/onload=alert(1)>`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	`<a href="javascript:alert(1)">x</a>`,
	`[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [z](data:text/html,<script>alert(1)</script>)`,
	`[x](vbscript:alert(1)) [tab](java	script:alert(1)) [amp](javascript&colon;alert(1)) <javascript:alert(1)>`,
	`![x](http://evil.example/p.png) ![y](javascript:alert(1)) ![z](data:image/svg+xml;base64,PHN2Zz4=)`,
	"[x]: javascript:alert(1) 'onmouseover=alert(1)'\n\n[x]",
	`[t](http://a.example "\" onmouseover=alert(1) x=\"")`,
	`<style>*{display:none}</style><link rel=stylesheet href=//evil.example>`,
	`<form action=//evil.example><input type=submit autofocus onfocus=alert(1)></form>`,
	"```\"><script>alert(1)</script>\n<script>alert(1)</script>\n```",
	"```html\n<script onload=\"alert(1)\">alert('x')</script>\n```",
	"`<img src=x onerror=alert(1)>` **<b onclick=alert(1)>x</b>**",
	"| a | <script>alert(1)</script> |\n|---|:---:|\n| <img src=x onerror=alert(1)> | b |",
	"\x1b]8;;javascript:alert(1)\x07link\x1b]8;;\x07 \x1b]1338;url=http://evil.example/x.png;alt=x\x07 \x1b[31m<script>alert(1)</script>\x1b[0m",
	"\x1b]1339;url='javascript:alert(1)';content=click\x07 \x1b_bk;t=1\x07 \x1b[38;2;255;0;0mred\x1b[0m",
	"progress\r<script>alert(1)</script>\b\b",
	"\u202Egnp.exe\u202C \u2066isolate\u2069 \u0000 \u007f \u0085",
	`{{template}} ${x} <!--#exec cmd="ls"--> <![CDATA[<script>alert(1)</script>]]>`,
	"<!-- --><h1 id=path class=app style=color:red data-do=leaf>x</h1>",
	"&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62;",
	strings.Repeat("<", 3000) + strings.Repeat("[", 3000) + strings.Repeat("*_", 2000) + strings.Repeat("> ", 1000),
}

// hostileSession returns a session in which every text is an attack: prompts, answers,
// thinking, names, ids, arguments, outputs, diffs, labels, models, details.
func hostileSession(a string) string {
	q := viewtest.Quote(a)
	var s viewtest.Script
	s.Add("e1", "", `"type":"session_info","name":`+q)
	s.Add("e2", "e1", `"type":"model_change","provider":`+q+`,"modelId":`+q)
	s.Add("e3", "e2", `"type":"message","message":{"role":"user","content":`+q+`}`)
	s.Add("e4", "e3", `"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":`+q+`},{"type":"text","text":`+q+
		`},{"type":"toolCall","id":"c1","name":`+q+`,"arguments":{"x":`+q+`}},{"type":"toolCall","id":"c2","name":"bash","arguments":{"command":`+q+
		`}},{"type":"toolCall","id":"c3","name":"edit","arguments":{"path":`+q+`,"oldText":"","newText":`+q+`}},{"type":"toolCall","id":"c4","name":"write","arguments":{"path":"x.html","content":`+q+
		`}},{"type":"toolCall","id":"c5","name":"read","arguments":{"path":"x.js"}}],"model":`+q+`,"stopReason":"error","errorMessage":`+q+`}`)
	for i, name := range []string{q, `"bash"`, `"edit"`, `"write"`, `"read"`} {
		s.Add(fmt.Sprint("r", i), "e4", fmt.Sprintf(`"type":"message","message":{"role":"toolResult","toolCallId":"c%d","toolName":%s,"content":[{"type":"text","text":%s},{"type":"image","data":"AAAA","mimeType":%s}],"details":{"diff":%s},"isError":%v}`,
			i+1, name, q, q, viewtest.Quote("+1 "+a+"\n-2 "+a), i%2 == 1))
		s.Out[len(s.Out)-1] = strings.Replace(s.Out[len(s.Out)-1], `"parentId":"e4"`, fmt.Sprintf(`"parentId":"%s"`, map[bool]string{true: "e4", false: fmt.Sprint("r", i-1)}[i == 0]), 1)
	}
	s.Add("e5", "r4", `"type":"message","message":{"role":"bashExecution","command":`+q+`,"output":`+q+`,"exitCode":1}`)
	s.Add("e6", "e5", `"type":"message","message":{"role":`+q+`,"content":`+q+`}`)
	s.Add("e7", "e6", `"type":"custom_message","customType":`+q+`,"content":`+q+`,"display":true`)
	s.Add("e8", "e7", `"type":"compaction","summary":`+q+`,"firstKeptEntryId":`+q+`,"tokensBefore":5,"details":{"readFiles":[`+q+`]}`)
	s.Add("e9", "e8", `"type":"label","targetId":"e3","label":`+q)
	s.Add("f1", "e9", `"type":"label","targetId":`+q+`,"label":`+q)
	s.Add("f2", "f1", `"type":`+q+`,"data":`+q)
	s.Add("f3", "f2", `"type":"message","message":{"role":"system","content":`+q+`,"sections":{`+q+`:`+q+`}}`)
	s.Add("f4", "f3", `"type":"message","message":{"role":"fileMention","files":[{"path":`+q+`,"content":`+q+`}]}`)
	s.Add("f5", "f4", `"type":"custom","customType":`+q+`,"data":`+q)
	s.Add("f6", "missing"+"x", `"type":"message","message":{"role":"user","content":"orphan"}`)
	s.Out[len(s.Out)-1] = strings.Replace(s.Out[len(s.Out)-1], `"missingx"`, q, 1)
	s.Add("f7", "f5", `"type":"message","message":{"role":"user","content":"leaf"}`)
	return s.Text()
}

// Text of a transcript never becomes markup: the test renders the components and parses
// them as a browser would.
func TestHostile(t *testing.T) {
	slowtest.SkipIfShort(t)
	for i, a := range attacks {
		sess := viewtest.Open(t, hostileSession(a))
		var page bytes.Buffer
		viewtest.Look(t, sess, view.Params{Query: a, Open: map[string]bool{a: true}}, func(s view.Scene) {
			m := tree.SessionModel(s, tree.SessionInfo{File: a, Notes: s.Tree.Notes()})
			path, err := viewtest.PathModel(path.NewRenderer(), sess, view.Params{}, path.Query{After: view.BeforeFirstEntry, N: 200})
			if err != nil {
				t.Fatal(err)
			}
			m.Path = path
			if err := components.SessionPage(m).Render(context.Background(), &page); err != nil {
				t.Fatal(err)
			}
		})
		checkHarmless(t, fmt.Sprintf("attack %d", i), page.Bytes())
		for _, e := range []string{"e3", "e4", "r1", "r2", "f3", "f4"} {
			page.Reset()
			m, err := viewtest.EntryModel(path.NewRenderer(), sess, path.EntryQuery{ID: e})
			if err != nil {
				t.Fatal(err)
			}
			if err := components.EntryPage(m).Render(context.Background(), &page); err != nil {
				t.Fatal(err)
			}
			checkHarmless(t, fmt.Sprintf("attack %d, entry %s", i, e), page.Bytes())
		}
	}
}

var (
	ownScript = regexp.MustCompile(`^/js/[a-z]+\.js$`)
	hidden    = regexp.MustCompile("[\u202a-\u202e\u2066-\u2069\u0080-\u009f]")
)

// checkHarmless parses a page and fails on anything that runs, loads external resources, or
// does not come from a component.
func checkHarmless(t *testing.T, name string, page []byte) {
	t.Helper()
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			tok := z.Token()
			switch tok.Data {
			case "iframe", "object", "embed", "style", "base", "frame", "math", "video", "audio":
				t.Errorf("%s: element %s", name, tok)
			}
			for _, a := range tok.Attr {
				if isUnsafeAttr(tok.Data, a) {
					t.Errorf("%s: %s has %s=%q", name, tok.Data, a.Key, a.Val)
				}
			}
		case html.TextToken:
			if text := string(z.Text()); hidden.MatchString(text) {
				t.Errorf("%s: text with characters that reorder or hide: %.80q", name, text)
			}
		}
	}
}

func isUnsafeAttr(element string, a html.Attribute) bool {
	value := strings.ToLower(strings.TrimSpace(a.Val))
	switch {
	case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcdoc", a.Key == "formaction":
		return true
	case a.Key == "src" && element == "script":
		return !ownScript.MatchString(value)
	case a.Key == "src":
		return !strings.HasPrefix(value, "/")
	case a.Key == "href" && element == "a":
		return !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "#") && value != "" &&
			!strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") && !strings.HasPrefix(value, "mailto:")
	}
	return false
}
