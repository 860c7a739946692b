package web

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/follow"
)

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// sample returns a session with a fork, a label, a tool call, images and a bad line.
func sample() *transcript {
	tr := newTranscript("sample")
	tr.user("first prompt")                             // e1
	tr.answer(text("an answer"), call("c1", "bash"))    // e2
	tr.result("c1", "needle in the output")             // e3
	tr.last = "e1"                                      //
	tr.answer(text("another answer"))                   // e4
	tr.message("user", map[string]any{"content": []any{ // e5
		text("look"),
		map[string]any{"type": "image", "mimeType": "image/png", "data": pixel},
		map[string]any{"type": "image", "mimeType": "image/svg+xml", "data": base64.StdEncoding.EncodeToString([]byte("<svg onload='x'/>"))},
	}})
	tr.label("e2", "marked") // e6
	tr.b.WriteString("this is no JSON\n")
	return tr
}

func TestSessionPage(t *testing.T) {
	s := newSite(t)
	url := s.open(s.write("sample.jsonl", sample()))
	a := s.getOK(url)
	for _, want := range []string{"first prompt", "another answer", "1 line", `data-rev="`, "/static/", `data-live="/live"`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if a.Header.Get("Cache-Control") != cacheRevalidate || a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("headers %v", a.Header)
	}
	// Another branch, by its entry.
	if a := s.getOK(url + "?entry=e3"); !strings.Contains(a.body, "needle in the output") {
		t.Error("the page of another branch lacks its output")
	}
}

// Each fragment is revalidated with 304 while nothing changed, and sent again after a
// change.
func TestNotModified(t *testing.T) {
	s := newSite(t)
	tr := sample()
	path := s.write("sample.jsonl", tr)
	base := s.open(path)
	urls := []string{
		"/", "/?part=list", base, base + "?entry=e3", base + "/rows", base + "/rows?at=1&n=2&filter=all", base + "/path", base + "/facts",
		base + "/entries/e3", base + "/entries/e3?part=item", base + "/entries/e3?part=block&n=0", base + "/entries/e3?part=rest&n=0",
	}
	tags := map[string]string{}
	for _, url := range urls {
		a := s.getOK(url)
		tags[url] = a.Header.Get("ETag")
		again := s.get(url, header("If-None-Match", `"other", W/`+tags[url]))
		if again.StatusCode == http.StatusOK { // the catalog was still reporting its list
			tags[url] = again.Header.Get("ETag")
			again = s.get(url, header("If-None-Match", tags[url]))
		}
		if again.StatusCode != http.StatusNotModified || again.body != "" || again.Header.Get("ETag") != tags[url] {
			t.Errorf("GET %s again: status %d, want 304", url, again.StatusCode)
		}
		if !strings.HasPrefix(a.Header.Get("Cache-Control"), "private") {
			t.Errorf("GET %s: Cache-Control %q, want private", url, a.Header.Get("Cache-Control"))
		}
	}
	listed := make(chan struct{}, 1)
	s.Subscribe(func(e follow.Event) {
		if e.Topic == follow.ListTopic {
			select {
			case listed <- struct{}{}:
			default:
			}
		}
	})
	tr.user("and more")
	s.append(path, tr)
	s.catalog.UpdatePaths(t.Context(), path)
	for _, url := range urls {
		a := s.get(url, header("If-None-Match", tags[url]))
		if strings.HasPrefix(url, "/?") || url == "/" { // the catalog reports its list at most every 50 ms
			for a.StatusCode == http.StatusNotModified {
				<-listed
				a = s.get(url, header("If-None-Match", tags[url]))
			}
		}
		if a.StatusCode != http.StatusOK || a.Header.Get("ETag") == tags[url] {
			t.Errorf("GET %s after an append: status %d and the ETag from before", url, a.StatusCode)
		}
	}
	seen := map[string]string{}
	for url, tag := range tags {
		if other, ok := seen[tag]; ok {
			t.Errorf("%s and %s have the same ETag", url, other)
		}
		seen[tag] = url
	}
}

// A fragment requested by its revision may be cached for a while.
func TestFragments_Immutable(t *testing.T) {
	s := newSite(t)
	base := s.open(s.write("sample.jsonl", sample()))
	_, rev := splitRows(s.getOK(base + "/rows").body)
	for url, want := range map[string]string{"/rows?rev=" + rev: cacheImmutable, "/rows?rev=1.1": cacheRevalidate, "/path?rev=" + rev: cacheImmutable} {
		if got := s.getOK(base + url).Header.Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control %q, want %q", url, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	s := newSite(t)
	base := s.open(s.write("sample.jsonl", sample()))
	for url, want := range map[string]int{
		"/nowhere":                          404,
		"/?sort=sideways":                   422,
		"/?part=half":                       422,
		"/sessions/0123456789abcdef":        404,
		"/sessions/..%2f..%2fetc":           404,
		base + "?entry=nobody":              404,
		base + "?leaf=nobody":               404,
		base + "?filter=some":               422,
		base + "?layout=round":              422,
		base + "?q=" + long(5000):           422,
		base + "?open=" + many(300):         422,
		base + "/rows?at=-1":                422,
		base + "/rows?n=many":               422,
		base + "/rows?around=nobody":        205,
		base + "/news?since=":               422,
		base + "/path?before=nobody":        205,
		base + "/path?after=e3":             205, // not on this path
		base + "/path?n=x":                  422,
		base + "/facts?filter=x":            422,
		base + "/hits?filter=x":             422,
		base + "/entries/nobody":            404,
		base + "/entries/nobody?raw=1":      404,
		base + "/entries/e1?part=soul":      422,
		base + "/entries/e1?part=block&n=9": 404,
		base + "/entries/e5/image/0":        200,
		base + "/entries/e5/image/1":        404, // an SVG can run scripts
		base + "/entries/e5/image/2":        404,
		base + "/entries/e5/image/x":        422,
		base + "/entries/nobody/image/0":    404,
		base + "/lines/8":                   200,
		base + "/lines/0":                   422,
		base + "/lines/x":                   422,
		base + "/lines/99":                  404,
		base + "/nothing":                   404,
	} {
		if a := s.get(url); a.StatusCode != want {
			t.Errorf("GET %.80s: status %d, want %d", url, a.StatusCode, want)
		} else if want >= 400 && (!strings.Contains(a.body, "<h1>") || a.Header.Get("ETag") != "" || a.Header.Get("Cache-Control") != cacheNever) {
			t.Errorf("GET %.80s: an error without a page of its own", url)
		}
	}
}

// A link to a missing entry offers a link to the session.
func TestErrors_noEntry(t *testing.T) {
	s := newSite(t)
	base := s.open(s.write("sample.jsonl", sample()))
	for _, url := range []string{base + "?entry=zzz", base + "?leaf=zzz", base + "/entries/zzz", base + "/entries/zzz?raw=1"} {
		a := s.get(url)
		if !strings.Contains(a.body, `href="`+base+`"`) || !strings.Contains(a.body, "Open the session at its leaf") {
			t.Errorf("GET %s: no way to the session in %s", url, a.body)
		}
		if strings.Count(a.body, "zzz") != 1 || strings.Contains(a.body, "not found:") {
			t.Errorf("GET %s: the page says %s", url, a.body)
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func many(n int) string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint("b", i)
	}
	return strings.Join(ids, ",")
}

func TestRaw(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("raw")
	tr.put("a/b ?%", "message", map[string]any{"message": map[string]any{"role": "user", "content": "<script>alert(1)</script>"}})
	recorded := strings.Split(strings.TrimSpace(tr.b.String()), "\n")[1]
	tr.b.WriteString("<b>no json</b>\n")
	base := s.open(s.write("raw.jsonl", tr))
	for url, want := range map[string]string{
		base + "/entries/a%2Fb%20%3F%25?raw=1": recorded + "\n",
		base + "/lines/2":                      recorded + "\n",
		base + "/lines/3":                      "<b>no json</b>\n",
	} {
		a := s.getOK(url)
		if a.body != want {
			t.Errorf("GET %s = %q, want %q", url, a.body, want)
		}
		if a.Header.Get("Content-Type") != "text/plain; charset=utf-8" || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("GET %s: %v", url, a.Header)
		}
	}
	if a := s.getOK(base + "/entries/a%2Fb%20%3F%25"); strings.Contains(a.body, "<script>alert") {
		t.Error("the entry's page holds the script")
	}
}

func TestRaw_request(t *testing.T) {
	s := newSite(t)
	const id = "11111111-1111-4111-8111-111111111111"
	tr := &transcript{}
	for _, line := range []string{
		`{"parentUuid":null,"type":"user","uuid":"u","timestamp":"2026-11-22T08:00:00.000Z","sessionId":"` + id + `","cwd":"/w","message":{"role":"user","content":"a < b?"}}`,
		`{"type":"api-request-shape","sessionId":"` + id + `","shapeHash":"sh","shape":{"system":[{"type":"text","text":"be kind"}],"tools":[]}}`,
		`{"type":"api-request-blob","sessionId":"` + id + `","hash":"h","message":{"role":"user","content":"a < b?"}}`,
		`{"type":"api-request","sessionId":"` + id + `","id":"r","shapeHash":"sh","keep":0,"tail":["h"],"params":{"model":"m"}}`,
		`{"parentUuid":"u","type":"assistant","uuid":"a","timestamp":"2026-11-22T08:00:01.000Z","sessionId":"` + id + `","requestRef":"r","message":{"id":"m","role":"assistant","model":"m","content":[{"type":"text","text":"yes"}]}}`,
	} {
		tr.b.WriteString(line + "\n")
	}
	base := s.open(s.write(id+".jsonl", tr))
	a := s.getOK(base + "/entries/a?raw=request")
	for _, want := range []string{`"be kind"`, `"a < b?"`, `"entries": [` + "\n" + `        "u"`, `"model": "m"`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("the request does not hold %s:\n%s", want, a.body)
		}
	}
	if a.Header.Get("Content-Type") != "text/plain; charset=utf-8" || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", a.Header)
	}
	if link := s.getOK(base + "/entries/a?raw=1").Header.Get("Link"); !strings.Contains(link, "?raw=request") {
		t.Errorf("the raw line of the answer leads to %q, want its request", link)
	}
	if link := s.getOK(base + "/entries/u?raw=1").Header.Get("Link"); link != "" {
		t.Errorf("the raw line of the question leads to %q", link)
	}
	if a := s.get(base + "/entries/u?raw=request"); a.StatusCode != http.StatusNotFound {
		t.Errorf("the request of a question: status %d, want 404", a.StatusCode)
	}
	if !strings.Contains(s.getOK(base+"/actions?entry=a").body, "/entries/a?raw=request") || strings.Contains(s.getOK(base+"/actions?entry=u").body, "raw=request") {
		t.Error("the actions of an answer lead to its request, those of a question do not")
	}
}

func TestImage(t *testing.T) {
	s := newSite(t)
	base := s.open(s.write("sample.jsonl", sample()))
	a := s.getOK(base + "/entries/e5/image/0")
	want, _ := base64.StdEncoding.DecodeString(pixel)
	if a.body != string(want) || a.Header.Get("Content-Type") != "image/png" || a.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("image of %d bytes, %v", len(a.body), a.Header)
	}
	if again := s.get(base+"/entries/e5/image/0", header("If-None-Match", a.Header.Get("ETag"))); again.StatusCode != http.StatusNotModified {
		t.Errorf("asked again: status %d, want 304", again.StatusCode)
	}
}

// Hits are those of all entries, whatever the filter shows.
func TestHits(t *testing.T) {
	s := newSite(t)
	base := s.open(s.write("sample.jsonl", sample()))
	for query, want := range map[string]string{
		"q=needle":                  "e3", // in a tool's output in a closed branch
		"q=needle&filter=user-only": "e3",
		"q=needle&layout=outline":   "e3",
		"q=another":                 "e4",
		"q=marked":                  "e2", // the label is found at its target
		"q=marked&filter=all":       "e2",
		"q=nowhere":                 "",
		"":                          "",
		"failed=1":                  "",
	} {
		a := s.getOK(base + "/hits?" + query)
		var got []string
		for line := range strings.Lines(a.body) {
			var part struct{ Hits []struct{ Entry string } }
			if err := json.Unmarshal([]byte(line), &part); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			for _, h := range part.Hits {
				got = append(got, h.Entry)
			}
		}
		if strings.Join(got, " ") != want || a.Header.Get("Content-Type") != "application/x-ndjson" || !strings.HasSuffix(a.body, "\"done\":true}\n") {
			t.Errorf("hits of %q: %v, want %s; %s", query, got, want, a.body)
		}
	}
	if a := s.get(base + "/hits?q=x&since=yesterday"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("since a day: status %d, want 422", a.StatusCode)
	}
}

// Text of a transcript never becomes markup.
func TestHostileTranscript(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>' </script><a href="javascript:alert(3)">x</a>`
	s := newSite(t)
	tr := newTranscript("evil")
	tr.b.Reset()
	head, _ := json.Marshal(map[string]any{"type": "session", "version": 3, "id": evil, "timestamp": "2026-02-03T09:00:00.000Z", "cwd": evil})
	tr.b.Write(append(head, '\n'))
	tr.user(evil + "\n\n[link](javascript:alert(4)) ![img](http://evil.example/pixel.png)\n\n<iframe src=//evil.example></iframe>")
	tr.answer(text(evil), map[string]any{"type": "thinking", "thinking": evil}, map[string]any{"type": "toolCall", "id": "c1", "name": evil, "arguments": map[string]any{"command": evil, "path": evil}})
	tr.message("toolResult", map[string]any{"toolCallId": "c1", "toolName": evil, "content": []any{text("\x1b]8;;javascript:alert(5)\x07x\x1b]8;;\x07" + evil)}, "isError": true})
	tr.label("e1", evil)
	tr.put(evil, "custom_message", map[string]any{"customType": evil, "content": evil, "display": true})
	tr.add("session_info", map[string]any{"name": evil})
	tr.add("compaction", map[string]any{"summary": evil, "firstKeptEntryId": evil, "tokensBefore": 1})
	tr.add("branch_summary", map[string]any{"summary": evil, "fromId": evil})
	tr.message("bashExecution", map[string]any{"command": evil, "output": evil, "exitCode": 1})
	tr.add(evil, map[string]any{"x": evil})
	base := s.open(s.write("evil.jsonl", tr))
	for _, url := range []string{
		"/", base, base + "?filter=all", base + "?layout=outline&filter=all", base + "?q=script", base + "/rows?filter=all", base + "/path?n=200",
		base + "/facts", base + "/entries/e1", base + "/entries/e2", base + "/entries/e3?part=item", base + "/entries/e3?part=block&n=0",
		"/?q=" + "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E", base + "?entry=%3Cscript%3Ealert(1)%3C/script%3E",
	} {
		a := s.get(url)
		for _, bad := range []string{"<script>alert", "<img src=x", "<iframe", `href="javascript:`, `src="http`, `onerror="`} {
			if strings.Contains(a.body, bad) {
				t.Errorf("GET %s holds %q", url, bad)
			}
		}
	}
}

// A session whose file was moved is found under its old address. One whose file now
// contains another session is not.
func TestMovedAndReplaced(t *testing.T) {
	s := newSite(t)
	path := s.write("one.jsonl", sample())
	base := s.open(path)
	if err := os.Rename(path, path[:len(path)-len("one.jsonl")]+"two.jsonl"); err != nil {
		t.Fatal(err)
	}
	s.catalog.UpdatePaths(t.Context(), s.dir)
	a := s.get(base + "/rows?filter=all")
	to := a.Header.Get("Location")
	if a.StatusCode != http.StatusTemporaryRedirect || !strings.HasSuffix(to, "/rows?filter=all") || strings.HasPrefix(to, base) {
		t.Fatalf("status %d to %q, want a redirect to the new address", a.StatusCode, to)
	}
	s.getOK(to)

	other := newTranscript("other")
	other.chain(2)
	s.write("two.jsonl", other)
	if a := s.get(to); a.StatusCode != http.StatusNotFound {
		t.Errorf("another session in its place: status %d, want 404", a.StatusCode)
	}
}

// A session whose file is gone stays available to its viewers.
func TestGoneFile(t *testing.T) {
	s := newSite(t)
	path := s.write("one.jsonl", sample())
	base := s.open(path)
	s.getOK(base)
	held, err := s.library.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	remove(t, path)
	s.catalog.UpdatePaths(t.Context(), path)
	if _, err := held.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := s.getOK(base + "/facts"); !strings.Contains(a.body, "gone") {
		t.Error("nothing says that the file is gone")
	}
	s.getOK(base + "/rows")
	s.getOK(base)
	if a := s.get(base + "/entries/e1?raw=1"); a.StatusCode != http.StatusNotFound {
		t.Errorf("a line that has to be read: status %d, want 404", a.StatusCode)
	}
	runtime.KeepAlive(held)
}

// A page requested before the list is complete waits for it.
func TestWaitsForTheCatalog(t *testing.T) {
	s := newSite(t)
	path := s.write("one.jsonl", sample())
	sess, err := s.library.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	status := make(chan int)
	go func() {
		a := s.get("/sessions/" + sess.Key())
		status <- a.StatusCode
	}()
	select {
	case got := <-status:
		t.Fatalf("status %d before the list was read", got)
	case <-time.After(50 * time.Millisecond):
	}
	s.fillCatalog()
	if got := <-status; got != http.StatusOK {
		t.Errorf("status %d, want 200", got)
	}
}

func TestIndex(t *testing.T) {
	s := newSite(t)
	s.write("one.jsonl", sample())
	other := newTranscript("other")
	other.user("something else")
	s.write("other.jsonl", other)
	if err := os.WriteFile(s.dir+"/broken.jsonl", []byte("no session\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.fillCatalog()
	if a := s.getOK("/"); !strings.Contains(a.body, "first prompt") || !strings.Contains(a.body, "something else") || !strings.Contains(a.body, "broken.jsonl") {
		t.Error("the index lacks a session or the file that is none")
	}
	a := s.getOK("/?q=else&part=list")
	if strings.Contains(a.body, "first prompt") || !strings.Contains(a.body, "something else") || strings.Contains(a.body, "<html") {
		t.Errorf("the list for a query is %.300s", a.body)
	}
}

// The parent's link of a forked session works.
func TestParentLink(t *testing.T) {
	s := newSite(t)
	parent := s.open(s.write("one.jsonl", sample()))
	child := newTranscript("child")
	child.b.Reset()
	fmt.Fprintf(&child.b, `{"type":"session","version":3,"id":"child","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/","parentSession":%q}`+"\n", s.dir+"/one.jsonl")
	child.chain(2)
	if a := s.getOK(s.open(s.write("child.jsonl", child))); !strings.Contains(a.body, `href="`+parent+`"`) {
		t.Error("no link to the session it was forked from")
	}
}

func TestNearestRow(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("long")
	tr.chain(600)
	for i := range 10 {
		tr.label("e5", fmt.Sprint(i)) // hidden by the default filter
	}
	base := s.open(s.write("long.jsonl", tr))
	for entry, want := range map[string]string{"e1": "0", "e300": "199", "e600": "400", "e605": "400"} {
		if got := attr(t, s.getOK(base+"/rows?around="+entry).body, "data-at"); got != want {
			t.Errorf("the window around %s begins at %s, want %s", entry, got, want)
		}
	}
	if got := attr(t, s.getOK(base+"/rows?at=end&n=50").body, "data-at"); got != "550" {
		t.Errorf("the last 50 of 600 rows begin at %s, want 550", got)
	}
}
