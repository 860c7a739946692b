package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// searchLine is what tests read of a line of streamed results.
type searchLine struct {
	HTML   string
	Counts *struct {
		Hits, Sessions int
		Tokens, Days   map[string]int
	}
	Copies   []struct{ Key, Entry, Href, Title string }
	Progress *struct {
		Bytes, TotalBytes       int64
		Sessions, TotalSessions int
		Reached                 string
	}
	Problem string
	Done    bool
}

// searchLines returns the streamed results of a query.
func (s *site) searchLines(query string) (lines []searchLine) {
	s.t.Helper()
	a := s.getOK("/search/stream?q="+url.QueryEscape(query), header("Accept", "*/*"))
	if got := a.Header.Get("Content-Type") + " " + a.Header.Get("Cache-Control"); got != "application/x-ndjson no-store" {
		s.t.Errorf("headers %q", got)
	}
	for text := range strings.Lines(a.body) {
		var line searchLine
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			s.t.Fatalf("%q: %v", text, err)
		}
		lines = append(lines, line)
	}
	return lines
}

// writeSearchSessions writes sessions with a prompt of the word, the newest last.
func (s *site) writeSearchSessions(n int) {
	s.t.Helper()
	for i := range n {
		tr := newTranscript(fmt.Sprintf("s%d", i))
		tr.n = i * 60
		tr.user(fmt.Sprintf("the word of session %d", i))
		tr.answer(text("no"), call("c", "bash"))
		tr.result("c", "output with the word")
		s.write(fmt.Sprintf("s%d.jsonl", i), tr)
	}
	s.fillCatalog()
}

// Results are streamed newest first, with counts that grow and the progress.
func TestSearchStream(t *testing.T) {
	s := newSite(t)
	s.writeSearchSessions(5)
	lines := s.searchLines("word")
	var order []string
	hits := 0
	for _, line := range lines {
		if line.HTML != "" {
			_, name, _ := strings.Cut(attr(t, line.HTML, "aria-label"), "session ")
			order = append(order, name)
		}
		if line.Counts != nil {
			if line.Counts.Hits < hits {
				t.Errorf("%d hits after %d", line.Counts.Hits, hits)
			}
			hits = line.Counts.Hits
		}
	}
	if want := []string{"4, 2 hits", "3, 2 hits", "2, 2 hits", "1, 2 hits", "0, 2 hits"}; !cmp.Equal(order, want) {
		t.Errorf("the sessions are %q, want %q", order, want)
	}
	last := lines[len(lines)-1]
	if !last.Done || last.Counts.Hits != 10 || last.Counts.Sessions != 5 || last.Counts.Tokens["tool:bash"] != 5 || last.Counts.Days["2026-02-03"] != 10 {
		t.Errorf("the last line is %+v with counts %+v", last, last.Counts)
	}
	if p := last.Progress; p.Sessions != 5 || p.TotalSessions != 5 || p.Bytes == 0 || p.Bytes != p.TotalBytes || !strings.HasPrefix(p.Reached, "2026-02-03T09:00:") {
		t.Errorf("the progress is %+v", p)
	}
	if lines := s.searchLines("word role:prompt tool:bash"); !lines[len(lines)-1].Done || lines[len(lines)-1].Counts.Hits != 0 {
		t.Errorf("without hits: %+v", lines)
	}
	if lines := s.searchLines(" "); len(lines) != 1 || !lines[0].Done {
		t.Errorf("without words: %+v", lines)
	}
}

// gatedWriter lets only the first line pass until the gate is open.
type gatedWriter struct {
	http.ResponseWriter
	gate  <-chan struct{}
	wrote bool
}

func (w *gatedWriter) Write(p []byte) (int, error) {
	if w.wrote {
		<-w.gate
	}
	w.wrote = true
	return w.ResponseWriter.Write(p)
}

func (w *gatedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Each line is sent when it is written, and never compressed.
func TestSearchStream_Flushes(t *testing.T) {
	s := newSite(t)
	s.writeSearchSessions(40)
	gate, handler := make(chan struct{}), s.http.Config.Handler
	s.http.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(&gatedWriter{ResponseWriter: w, gate: gate}, r)
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", s.http.URL+"/search/stream?q=word", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "gzip")
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.Header.Get("Content-Encoding") != "" {
		t.Errorf("the stream is encoded as %q", res.Header.Get("Content-Encoding"))
	}
	lines := 0
	for r := bufio.NewScanner(res.Body); r.Scan(); lines++ {
		if !json.Valid(r.Bytes()) {
			t.Fatalf("line %q", r.Text())
		}
		if lines == 0 {
			close(gate)
		}
	}
	if lines < 40 {
		t.Errorf("%d lines for 40 sessions", lines)
	}
}

// A search ends with its request.
func TestSearchStream_Canceled(t *testing.T) {
	ended := make(chan struct{})
	s := newSite(t)
	s.writeSearchSessions(200)
	handler := s.http.Config.Handler
	s.http.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
		if r.URL.Path == "/search/stream" {
			close(ended)
		}
	})
	res, err := http.Get(s.http.URL + "/search/stream?q=word")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(res.Body).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the search did not end")
	}
}

// A hit that a fork records again is listed once, with a link to the copy.
func TestSearchStream_Copies(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("s1")
	tr.user("the word")
	lines := string(tr.take())
	for i, name := range []string{"first", "fork"} {
		session := strings.Replace(lines, `"id":"s1"`, fmt.Sprintf(`"id":%q`, name), 1)
		path := s.dir + "/" + name + ".jsonl"
		if err := os.WriteFile(path, []byte(session), 0o600); err != nil {
			t.Fatal(err)
		}
		if i == 1 { // a newer message
			s.append(path, tr.following("a reply"))
		}
	}
	s.fillCatalog()
	found := s.searchLines("word")
	if len(found) < 2 || found[0].HTML == "" || found[1].HTML != "" || len(found[1].Copies) != 1 {
		t.Fatalf("lines %+v, want a session and a copy", found)
	}
	c := found[1].Copies[0]
	if c.Key != attr(t, found[0].HTML, "data-key") || c.Entry != attr(t, found[0].HTML, "data-entry") || !strings.HasPrefix(c.Href, "/sessions/") || strings.Contains(c.Href, c.Key) || c.Title != "the word" {
		t.Errorf("the copy is %+v", c)
	}
}

// following returns a transcript that continues t with a prompt.
func (t *transcript) following(prompt string) *transcript {
	next := &transcript{last: t.last, n: t.n}
	next.user(prompt)
	return next
}

// An invalid query is explained; it is not an error of the request.
func TestSearchStream_BadQuery(t *testing.T) {
	s := newSite(t)
	s.writeSearchSessions(1)
	for query, want := range map[string]string{
		`re:a(`:          "The ( is never closed.",
		`is:"<b>odd"`:    "is:&#34;&lt;b&gt;odd&#34;",
		`role:x`:         "Not a role",
		"after:sometime": "Not a date",
	} {
		lines := s.searchLines(query)
		if len(lines) != 1 || lines[0].Done || !strings.Contains(lines[0].Problem, want) {
			t.Errorf("%s: %+v, want %q", query, lines, want)
		}
		if page := s.getOK("/search?q=" + url.QueryEscape(query)); !strings.Contains(page.body, want) {
			t.Errorf("the page of %s lacks %q", query, want)
		}
	}
	long := url.QueryEscape(strings.Repeat("word ", 1000))
	for _, address := range []string{"/search?q=", "/search/stream?q=", "/search/session/x?q="} {
		if a := s.get(address + long); a.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s with a long query: status %d", address, a.StatusCode)
		}
	}
	if a := s.get("/search/session/" + s.catalog.Sessions()[0].Key + "?q=re:("); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("all hits of a bad query: status %d", a.StatusCode)
	}
}

// All hits of one session.
func TestSearchSessionHits(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("s1")
	for range 20 {
		tr.user("one word")
	}
	s.write("s1.jsonl", tr)
	s.writeSearchSessions(1)
	key := ""
	for _, sum := range s.catalog.Sessions() {
		if sum.ID == "s1" {
			key = sum.Key
		}
	}
	results := 0
	for _, line := range s.searchLines("word") {
		if line.HTML == "" || attr(t, line.HTML, "data-key") != key {
			continue
		}
		results++
		if strings.Count(line.HTML, `class="search-hit"`) != 6 || !strings.Contains(line.HTML, "Show 14 more in this session") {
			t.Errorf("the best hits are %s", line.HTML)
		}
	}
	if results != 1 {
		t.Errorf("%d results of the session, want 1", results)
	}
	all := s.getOK("/search/session/" + key + "?q=word")
	if n := strings.Count(all.body, `class="search-hit"`); n != 20 || strings.Contains(all.body, "more in this session") {
		t.Errorf("%d hits, want 20", n)
	}
	if none := s.getOK("/search/session/" + key + "?q=nothing"); none.body != "" {
		t.Errorf("no hits are %q", none.body)
	}
	if a := s.get("/search/session/unknown?q=word"); a.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown session: status %d", a.StatusCode)
	}
}

// Text of sessions and queries is never markup.
func TestSearch_Hostile(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
	s := newSite(t)
	tr := newTranscript("s1")
	first := tr.user(evil + " word")
	tr.answer(text("word "+evil), call("c1", evil))
	tr.label(first, evil+" word")
	tr.add("session_info", map[string]any{"name": evil + " word"})
	s.write("s1.jsonl", tr)
	s.fillCatalog()
	pages := []string{s.getOK("/search?q=" + url.QueryEscape(evil)).body, s.getOK("/search?plain=1&q=" + url.QueryEscape(`word tool:"`+evil+`"`)).body, s.getOK("/search?plain=1&q=word").body}
	for _, query := range []string{"word", "re:alert", evil, "is:" + evil} {
		for _, line := range s.searchLines(query) {
			pages = append(pages, line.HTML, line.Problem)
		}
	}
	for _, page := range pages {
		for _, bad := range []string{"<script>alert", "<img src=x"} {
			if strings.Contains(page, bad) {
				t.Errorf("%q in %s", bad, page)
			}
		}
	}
}

// Without script the page has the hits.
func TestSearchPage_Plain(t *testing.T) {
	s := newSite(t)
	s.writeSearchSessions(3)
	page := s.getOK("/search?q=word").body
	if strings.Contains(page, `class="search-hit"`) || !strings.Contains(page, `href="/search?q=word&amp;plain=1"`) || !strings.Contains(page, "<title>Search: word</title>") {
		t.Errorf("the page is %.3000s", page)
	}
	page = s.getOK("/search?q=word&plain=1").body
	if n := strings.Count(page, `class="search-hit"`); n != 6 || !strings.Contains(page, "6 hits in 3 sessions") {
		t.Errorf("%d hits, want 6", n)
	}
	if list := s.getOK("/").body; !strings.Contains(list, `<a href="/search">Search</a>`) {
		t.Error("the list of sessions does not link to the search")
	}
}

// The search needs the same access as sessions.
func TestSearch_Access(t *testing.T) {
	s := newSite(t, asOtherUser)
	for _, address := range []string{"/search", "/search/stream?q=word", "/search/session/x?q=word"} {
		if a := s.get(address); a.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: status %d, want 401", address, a.StatusCode)
		}
	}
}
