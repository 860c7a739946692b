//go:build e2e

package e2e

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// attackTexts are texts that would run, load or disguise something if a page did not
// escape them.
var attackTexts = []string{
	`<script>window.pwned = 1</script>`,
	`</script></style></textarea></title><script>window.pwned = 2</script>`,
	`<img src=x onerror="window.pwned = 3">`,
	`"><svg onload="window.pwned = 4"><animate onbegin="window.pwned = 5" attributeName=x dur=1s>`,
	`[click](javascript:window.pwned=6) [data](data:text/html,<script>window.pwned=7</script>) <javascript:window.pwned=8>`,
	`![remote](http://remote.invalid/pixel.png) <img src="//remote.invalid/b.png"> <link rel=stylesheet href=//remote.invalid/c.css>`,
	`<iframe srcdoc="<script>parent.pwned = 9</script>"></iframe><object data="javascript:pwned=10"></object><base href="//remote.invalid/">`,
	`<a href="&#106;avascript:window.pwned=11">x</a><form action="//remote.invalid"><button formaction="javascript:pwned=12">x</button></form>`,
	"\u202egnp.exe\u202c \u2066\u2067 bidi \u2069 zero\u200bwidth \x00 nul \x1b]0;title\x07 \x1b[31mred\x1b[0m \x1b]8;;javascript:window.pwned=13\x07link\x1b]8;;\x07",
	"```html\n<script>window.pwned = 14</script>\n```\n\n~~~\"><script>window.pwned=15</script>\nx\n~~~",
	"<style>body { display: none }</style><p style=\"position:fixed;inset:0;background:red\" class=\"away\" id=\"tree\">over</p>",
	"{{constructor.constructor('window.pwned=16')()}} ${window.pwned=17} <!--#exec cmd=x--> <![CDATA[<script>window.pwned=18</script>]]>",
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.pwned=19&gt;">`,
}

// hostileSession puts every attack into every text of a session.
func hostileSession() *transcript.File {
	f := transcript.New(transcript.Pi, `e2e-hostile"><script>window.pwned=20</script>`, `/home/dev/<img src=x onerror=window.pwned=21>`, harness.SessionStart)
	f.AddModelChange(attackTexts[0], attackTexts[2])
	f.AddThinkingChange(attackTexts[1])
	for _, a := range attackTexts {
		ask := f.AddPrompt(a)
		f.AddThinkingReply(a, a)
		f.AddBashCall(a, a, a, true)
		f.AddToolCall(a, a, transcript.Object{a, a, "path", a, "content", a})
		f.AddResult(a)
		f.AddEditCall(a, a, a, a, "+ 1 "+a+"\n- 1 "+a)
		f.AddShellCommand(a, a, 1)
		f.AddLabel(ask, a)
		f.AddAnswer("error", nil, "errorMessage", a)
		f.AddEntry("custom_message", "customType", a, "content", a, "display", true)
		f.AddEntry("custom", "customType", a, "data", transcript.Object{a, a})
		f.AddEntry(a, a, a)
		f.AddMessage(a, "content", a)
		f.AddBranchSummary(ask, a)
		f.AddCompaction(a, ask)
	}
	f.AddPrompt(strings.Repeat(`<b title="`, 20_000))
	f.WriteLine(transcript.Object{"type", "message", "id", `x"><script>window.pwned=22</script>`, "parentId", f.LastID, "timestamp", attackTexts[3],
		"message", transcript.Object{"role", "user", "content", []transcript.Object{transcript.TextBlock("an odd id"), {"type", "image", "data", "PHNjcmlwdD4=", "mimeType", `image/svg+xml" onload="window.pwned=23`}}}})
	f.AddName(attackTexts[1])
	return f
}

// The content of a transcript stays text: it runs no script, loads nothing, and covers no
// part of the page.
func TestHostile(t *testing.T) {
	box := harness.NewSessionDir(t)
	f := hostileSession()
	name := strings.NewReplacer(`"`, "", `>`, "", `<`, "", `/`, "").Replace(f.FileName(harness.SessionStart))
	path := box.Dir + "/--project--/" + name
	box.WriteFile(path, f.Bytes())
	server := harness.StartServer(t, box.Dir)
	p := sharedBrowser(t).NewPage(t)
	w := newRequestSpy(t, p)
	url := server.SessionURL(path)

	p.Open(server.URL)
	p.WaitForElement("a.session-link")
	checkHarmless(t, p, "index")
	for _, view := range []string{"", "?filter=all", "?filter=all&layout=outline", "?filter=all&q=%3Cscript%3E", "?q=%22%3E%3Cscript%3Ewindow.pwned%3D30%3C%2Fscript%3E&entry=%22%3E%3Cscript%3E"} {
		if strings.Contains(view, "entry=") {
			p.AllowConsole("404")
		}
		p.Open(url + view)
		p.WaitForElement("main")
		p.RunScript(`document.querySelectorAll("details").forEach(d => { d.open = true })`)
		loadWholePath(p)
		checkHarmless(t, p, view)
	}
	for _, part := range []string{"?part=item", "", "?raw=1"} {
		p.Open(url + "/entries/" + f.LastID + part)
		checkHarmless(t, p, "entry "+part)
	}
	w.checkRequests(server.URL + "/")
}

// loadWholePath loads every page of the path.
func loadWholePath(p *harness.Page) {
	if p.CountElements("#path-before") == 0 {
		return
	}
	for range 12 {
		// Read in one step: the page may load the next part by itself.
		first := harness.EvalScript[string](p, `document.querySelector("#path-before")?.hidden ?? true ? "" : document.querySelector("#path-pages ol").dataset.first`)
		if first == "" {
			return
		}
		p.RunScript(`document.querySelector("#path-before").scrollIntoView(); document.querySelector("#path-before").click()`)
		p.WaitUntil(`document.querySelector("#path-pages ol").dataset.first !== ` + quoteScript(first))
	}
}

func quoteScript(s string) string {
	return "`" + strings.NewReplacer("`", "\\`", "$", "\\$", `\`, `\\`).Replace(s) + "`"
}

// checkHarmless checks the elements of the page.
func checkHarmless(t *testing.T, p *harness.Page, where string) {
	t.Helper()
	if harness.EvalScript[bool](p, `"pwned" in window`) {
		t.Errorf("%q: script %v of the transcript ran", where, harness.EvalScript[any](p, `window.pwned`))
	}
	bad := harness.EvalScript[[]string](p, `[...document.querySelectorAll("*")].filter(e =>
		[...e.attributes].some(a => /^on/i.test(a.name) || a.name === "style" && e.closest("#path, #tree, #sessions") && !e.matches(".rows-spacer, .rows, .row, #path-pages *") ||
			/^(href|src|action|formaction|data)$/i.test(a.name) && /^\s*(javascript|vbscript|data:text)/i.test(a.value)) ||
		/^(iframe|object|embed|base|frame|form|style)$/i.test(e.localName) && e.closest("#path, #tree, #sessions") && e !== document.querySelector("#date-form") && !e.matches("#star-form, #keep-question") ||
		e.localName === "script" && e.type !== "text/plain" && e !== document.head.querySelector("script") && !(e.getAttribute("src") ?? "").startsWith("/static/")
	).map(e => e.outerHTML.slice(0, 160))`)
	if len(bad) > 0 {
		t.Errorf("%q: dangerous elements: %q", where, bad)
	}
	if harness.EvalScript[bool](p, `getComputedStyle(document.body).display === "none"`) {
		t.Errorf("%q: a style of the transcript holds", where)
	}
}

// requestSpy records what a page loads and how many dialogs it opens.
type requestSpy struct {
	t       *testing.T
	mu      sync.Mutex
	loaded  []string
	dialogs int
}

func newRequestSpy(t *testing.T, p *harness.Page) *requestSpy {
	w := &requestSpy{t: t}
	p.ListenEvents(func(ctx context.Context) error {
		return chromedp.Listen(ctx, func(ev any) {
			w.mu.Lock()
			defer w.mu.Unlock()
			switch ev := ev.(type) {
			case *network.EventRequestWillBeSent:
				w.loaded = append(w.loaded, ev.Request.URL)
			case *page.EventJavascriptDialogOpening:
				w.dialogs++
			}
		})
	})
	return w
}

// checkRequests checks that all requests are below the page's origin.
func (w *requestSpy) checkRequests(where string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dialogs > 0 {
		w.t.Errorf("%d dialogs opened", w.dialogs)
	}
	if len(w.loaded) == 0 {
		w.t.Error("no request was seen at all")
	}
	for _, u := range w.loaded {
		if !strings.HasPrefix(u, where) && !strings.HasPrefix(u, "data:image/") {
			w.t.Errorf("the page asked for %.200s", u)
		}
	}
}
