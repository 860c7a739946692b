package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/workload"
)

// searchTargets are the targets of the searches of a library.
type searchTargets struct {
	said, everything, first, progress, oldest time.Duration // 0 = none
	memory                                    int64
}

// The library of searches and of the list.
const (
	searchSessions    = 1000
	searchSessionSize = 546_000
)

// measureSearch searches 546 MB in 1,000 sessions of two agents.
func (b *benchmark) measureSearch() {
	b.measureSearches(searchSessions, searchSessionSize, searchTargets{said: 60 * time.Millisecond, everything: 120 * time.Millisecond, first: 50 * time.Millisecond, memory: 120e6})
}

// measureLargeLibrary searches 10 GB in 20,000 sessions, which it deletes at the end.
func (b *benchmark) measureLargeLibrary() {
	b.measureSearches(b.largeSessions, 500_000, searchTargets{said: 200 * time.Millisecond, first: 300 * time.Millisecond, progress: 300 * time.Millisecond, oldest: 6 * time.Second, memory: 200e6})
}

func (b *benchmark) measureSearches(sessions, size int, target searchTargets) {
	dir := b.TempDir()
	bytes, err := workload.WriteSearchLibrary(dir, sessions, size)
	if err != nil {
		b.Fatalf("%v", err)
	}
	flushWrites()
	name := fmt.Sprintf("search of %d sessions, %.0f MB", sessions, float64(bytes)/1e6)
	home, began := b.TempDir(), time.Now()
	s := harness.StartServerIn(b, home, dir)
	s.GetPage("/")
	b.table.addWithTarget(name+": start to first page", "warm", durations{time.Since(began)}, 300*time.Millisecond, "", "")
	waitForListedBytes(b, s, bytes)
	b.table.addResult(result{what: name + ": start to complete list", cache: "warm", measured: formatDuration(time.Since(began))})
	waitForTexts(filepath.Join(home, "cache", "*", "texts-*"))
	said := "role:prompt role:answer " + workload.PromptWord
	b.addSearch(s, name+": a word in prompts and answers", said, searchTimes{all: target.said})
	b.addSearch(s, name+": everything", workload.PromptWord, searchTimes{all: target.everything, first: target.first})
	b.addSearch(s, name+": a word in tool output", workload.OutputWord, searchTimes{all: target.everything, first: target.first})
	b.addSearch(s, name+": a word in the oldest session", workload.OldestWord, searchTimes{all: target.oldest, progress: target.progress})
	b.addSearch(s, name+": no such word", "zzyzx", searchTimes{all: target.everything})
	b.addSearch(s, name+": no such word, frequent letters", "notations", searchTimes{all: target.everything})
	rss, _ := s.Memory("VmRSS")
	b.table.addMemory(name+": memory", rss, target.memory)
	if sessions == searchSessions { // a minute in 10 GB
		stop := samplePeakMemory(s)
		b.addSearch(s, name+": a very common word", "the", searchTimes{})
		b.table.addMemory(name+": most memory in the meantime", stop(), target.memory)
	}
	s.Stop()
	began = time.Now()
	s = harness.StartServerIn(b, home, dir)
	s.GetPage("/")
	b.table.addWithTarget(name+": second start to first page", "warm", durations{time.Since(began)}, 300*time.Millisecond, "", "")
	s.Stop()
}

// addMemory adds a size of memory, which is 0 where it is not known.
func (t *resultTable) addMemory(what string, n, target int64) {
	if n > 0 {
		t.addResult(result{what: what, cache: "warm", measured: formatMegabytes(n), target: "< " + formatMegabytes(target), missed: n >= target})
	}
}

// samplePeakMemory measures the server's memory until the returned function is called, which
// returns the most that it used.
func samplePeakMemory(s *harness.Server) (stop func() int64) {
	peak, end, ended := int64(0), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			rss, _ := s.Memory("VmRSS")
			peak = max(peak, rss)
			select {
			case <-end:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() int64 {
		close(end)
		<-ended
		return peak
	}
}

// waitForListedBytes waits for the complete list of sessions of a total size.
func waitForListedBytes(b *benchmark, s *harness.Server, bytes int64) {
	if p := b.waitForCompleteList(s); p.BytesPresent != bytes {
		b.Fatalf("the list has %d bytes of %d", p.BytesPresent, bytes)
	}
}

// waitForTexts waits until the server has stored the texts of all sessions for searches, in the file
// whose name matches a pattern.
func waitForTexts(pattern string) {
	size, since := int64(-1), time.Now()
	for time.Since(since) < 5*time.Second {
		time.Sleep(200 * time.Millisecond)
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) != 1 {
			since = time.Now()
			continue
		}
		info, err := os.Stat(files[0])
		if err != nil || info.Size() != size || size == 0 {
			since = time.Now()
		}
		if err == nil {
			size = info.Size()
		}
	}
}

// searchTimes are the targets of a search, or the times of one: until its end, its first
// result and its first line.
type searchTimes struct {
	all, first, progress time.Duration
}

// addSearch measures a search.
func (b *benchmark) addSearch(s *harness.Server, what, query string, target searchTimes) {
	var all, firsts, progress durations
	sessions, runs, before := 0, 3*b.runs, s.CPU()
	for range runs {
		found := readResults(b, http.DefaultClient, s, query)
		all, progress = append(all, found.all), append(progress, found.progress)
		if sessions = found.sessions; sessions > 0 {
			firsts = append(firsts, found.first)
		}
	}
	what = fmt.Sprintf("%s (%d sessions, CPU %s)", what, sessions, formatDuration((s.CPU()-before)/time.Duration(runs)))
	if target.all > 0 {
		b.table.addWithTarget(what, "warm", all, target.all, "", "")
	} else {
		b.table.addResult(result{what: what, cache: "warm", measured: all.formatSpread()})
	}
	if target.first > 0 && len(firsts) > 0 {
		b.table.addWithTarget(what+", first result", "warm", firsts, target.first, "", "")
	}
	if target.progress > 0 {
		b.table.addWithTarget(what+", first progress", "warm", progress, target.progress, "", "")
	}
}

// foundResults is what a search found and when.
type foundResults struct {
	searchTimes
	sessions int // with hits
}

// readResults reads the results of a search.
func readResults(t harness.T, client *http.Client, s *harness.Server, query string) (found foundResults) {
	began := time.Now()
	resp, err := client.Get(s.URL + "/search/stream?q=" + url.QueryEscape(query))
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatalf("the results of %s end early: %v", query, err)
		}
		if found.progress == 0 {
			found.progress = time.Since(began)
		}
		var line struct {
			HTML   string
			Counts *struct{ Sessions int }
			Done   bool
		}
		if err := json.Unmarshal(text, &line); err != nil {
			t.Fatalf("results of %s: %v", query, err)
		}
		if line.HTML != "" && found.first == 0 {
			found.first = time.Since(began)
		}
		if line.Counts != nil {
			found.sessions = line.Counts.Sessions
		}
		if line.Done {
			found.all = time.Since(began)
			return found
		}
	}
}
