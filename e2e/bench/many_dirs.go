package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"sessiontree/e2e/harness"
)

// The library of many directories, each with one small session.
const (
	manyDirs    = 20_000
	manyAppends = 5_000            // appends to random sessions
	manyTime    = 10 * time.Second // duration of the appends
	burstDirs   = 200              // directories created at once
	burstLines  = 100              // lines appended to another session meanwhile
)

// smallSession is a session file and its last entry.
type smallSession struct {
	path, leaf string
	lines      int
}

// measureManyDirs measures the server with a library of many directories.
func (b *benchmark) measureManyDirs() {
	root := b.TempDir()
	sessions := make([]*smallSession, manyDirs)
	for i := range sessions {
		sessions[i] = writeSmallSession(b, root, i)
	}
	home := b.TempDir()
	b.measureStartMany("start", home, root).Stop()
	s := b.measureStartMany("second start", home, root)
	b.measureAppendToMany(s, sessions)
	b.measureBurst(s, root, sessions)
	s.Stop()
}

func (b *benchmark) measureStartMany(what, home, root string) *harness.Server {
	began := time.Now()
	s := harness.StartServerIn(b, home, root)
	s.GetPage("/")
	b.table.addWithTarget(fmt.Sprintf("%s to first page, %d directories", what, manyDirs), "warm", durations{time.Since(began)}, 300*time.Millisecond, "", "")
	b.waitForCompleteList(s)
	b.table.addResult(result{what: what + " to complete list of them", cache: "warm", measured: formatDuration(time.Since(began))})
	return s
}

func writeSmallSession(b *benchmark, root string, i int) *smallSession {
	s := &smallSession{path: filepath.Join(root, fmt.Sprintf("project-%05d", i), "session.jsonl")}
	now := time.Now().Add(-time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
	text := fmt.Sprintf(`{"type":"session","version":3,"id":"many-%d","timestamp":%q,"cwd":"/home/dev/p%d"}`+"\n", i, now, i)
	if err := os.Mkdir(filepath.Dir(s.path), 0o755); err != nil {
		b.Fatalf("%v", err)
	}
	if err := os.WriteFile(s.path, []byte(text), 0o644); err != nil {
		b.Fatalf("%v", err)
	}
	for range 4 {
		appendEntry(b, s, `"type":"message"`, `,"message":{"role":"user","content":"a few words"}`)
	}
	return s
}

// appendEntry appends an entry with a type and further fields.
func appendEntry(b *benchmark, s *smallSession, kind, fields string) {
	s.lines++
	id, parent := fmt.Sprintf("%08x", s.lines), "null"
	if s.leaf != "" {
		parent = fmt.Sprintf("%q", s.leaf)
	}
	s.leaf = id
	f, err := os.OpenFile(s.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatalf("%v", err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "{%s,\"id\":%q,\"parentId\":%s,\"timestamp\":%q%s}\n", kind, id, parent, time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), fields); err != nil {
		b.Fatalf("%v", err)
	}
}

var turnNamePattern = regexp.MustCompile(`turn-\d+\b`)

// measureAppendToMany renames random sessions and waits until the list shows all names.
func (b *benchmark) measureAppendToMany(s *harness.Server, sessions []*smallSession) {
	names := map[*smallSession]string{}
	before := s.CPU()
	began := time.Now()
	for i := range manyAppends {
		time.Sleep(time.Until(began.Add(manyTime * time.Duration(i) / manyAppends)))
		one := sessions[rand.IntN(len(sessions)-1)] // the last session is for measureBurst
		names[one] = fmt.Sprintf("turn-%d", i)
		appendEntry(b, one, `"type":"session_info"`, fmt.Sprintf(`,"name":%q`, names[one]))
	}
	last := time.Now()
	want := map[string]bool{}
	for _, name := range names {
		want[name] = true
	}
	looked := time.Now() // before the check, which takes time itself
	for ; !b.isListed(s, "turn-", turnNamePattern, want); looked = time.Now() {
		time.Sleep(50 * time.Millisecond)
		if time.Since(last) > 5*time.Minute {
			b.Fatalf("the list is not right after 5 minutes")
		}
	}
	took := looked.Sub(last)
	b.table.addResult(result{fmt.Sprintf("%d appends in %s among %d sessions, list right after", manyAppends, formatDuration(last.Sub(began)), manyDirs), "warm", formatDuration(took), "< 2.00 s", "", "", took >= 2*time.Second})
	b.table.addResult(result{what: "server CPU for each of them", measured: formatDuration((s.CPU() - before) / manyAppends)})
}

// isListed reports whether a query of the list finds exactly the wanted names.
func (b *benchmark) isListed(s *harness.Server, query string, text *regexp.Regexp, want map[string]bool) bool {
	found := map[string]bool{}
	for at := 0; at < len(want); at += 200 {
		_, body := s.GetPage(fmt.Sprintf("/?part=list&n=200&at=%d&q=%s", at, url.QueryEscape(query)))
		for _, name := range text.FindAllString(body, -1) {
			if !want[name] {
				return false
			}
			found[name] = true
		}
	}
	return len(found) == len(want)
}

var newcomerPattern = regexp.MustCompile(`newcomer-\d+\b`)

// measureBurst creates many directories at once while another session grows.
func (b *benchmark) measureBurst(s *harness.Server, root string, sessions []*smallSession) {
	one := sessions[len(sessions)-1]
	heard := b.listenNotices(s, s.SessionKey(one.path))
	appendEntry(b, one, `"type":"message"`, `,"message":{"role":"user","content":"begin"}`)
	heard(one.leaf)
	began := time.Now()
	want := map[string]bool{}
	for i := range burstDirs {
		other := writeSmallSession(b, root, manyDirs+i)
		name := fmt.Sprintf("newcomer-%d", i)
		appendEntry(b, other, `"type":"session_info"`, fmt.Sprintf(`,"name":%q`, name))
		want[name] = true
	}
	var notices durations
	for range burstLines {
		wrote := time.Now()
		appendEntry(b, one, `"type":"message"`, `,"message":{"role":"user","content":"more"}`)
		notices = append(notices, heard(one.leaf).Sub(wrote))
		time.Sleep(20 * time.Millisecond)
	}
	harness.Until(b, "the new directories in the list", func() bool { return b.isListed(s, "newcomer-", newcomerPattern, want) })
	listed := time.Since(began)
	b.table.addQuantiles(fmt.Sprintf("append to notice, while %d directories come", burstDirs), notices, 50*time.Millisecond, 100*time.Millisecond, "", "")
	b.table.addResult(result{what: "their sessions listed after", measured: formatDuration(listed)})
}
