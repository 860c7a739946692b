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
	said, everything, first, oldest time.Duration // 0 = none
	memory                          int64
}

// measureSearch searches 546 MB in 1,000 sessions of two agents.
func (b *benchmark) measureSearch() {
	b.measureSearches(1000, 546_000, searchTargets{said: 60 * time.Millisecond, everything: 120 * time.Millisecond, first: 50 * time.Millisecond, memory: 120e6})
}

// measureLargeLibrary searches 10 GB in 20,000 sessions, which it deletes at the end.
func (b *benchmark) measureLargeLibrary() {
	b.measureSearches(20_000, 500_000, searchTargets{said: 200 * time.Millisecond, first: 300 * time.Millisecond, oldest: 6 * time.Second, memory: 200e6})
}

func (b *benchmark) measureSearches(sessions, size int, target searchTargets) {
	dir := b.TempDir()
	bytes, err := workload.WriteSearchLibrary(dir, sessions, size)
	if err != nil {
		b.Fatalf("%v", err)
	}
	name := fmt.Sprintf("search of %d sessions, %.0f MB", sessions, float64(bytes)/1e6)
	home, began := b.TempDir(), time.Now()
	s := harness.StartServerIn(b, home, dir)
	s.GetPage("/")
	b.addWithTarget(name+": start to first page", "warm", durations{time.Since(began)}, 300*time.Millisecond, "", "")
	b.waitForCompleteList(s)
	b.waitForTexts(home)
	said := "role:prompt role:answer " + workload.PromptWord
	b.addSearch(s, name+": a word in prompts and answers", said, target.said, 0)
	b.addSearch(s, name+": everything", workload.PromptWord, target.everything, target.first)
	b.addSearch(s, name+": a word in tool output", workload.OutputWord, target.everything, target.first)
	b.addSearch(s, name+": a word in the oldest session", workload.OldestWord, target.oldest, 0)
	b.addSearch(s, name+": no such word", "zzyzx", target.everything, 0)
	rss, _ := s.Memory("VmRSS")
	b.table.addResult(result{what: name + ": memory", cache: "warm", measured: formatMegabytes(rss), target: "< " + formatMegabytes(target.memory), missed: rss >= target.memory})
	s.Stop()
}

// waitForTexts waits until the server has stored the texts of all sessions for searches.
func (b *benchmark) waitForTexts(home string) {
	size, since := int64(-1), time.Now()
	for time.Since(since) < 5*time.Second {
		time.Sleep(200 * time.Millisecond)
		files, err := filepath.Glob(filepath.Join(home, "cache", "*", "texts-*"))
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

// addSearch measures a search until its first result and until its end.
func (b *benchmark) addSearch(s *harness.Server, what, query string, target, first time.Duration) {
	var all, firsts durations
	hits := 0
	for range 3 * b.runs {
		began := time.Now()
		found, until := b.readResults(s, query)
		all = append(all, time.Since(began))
		if found > 0 {
			firsts = append(firsts, until.Sub(began))
		}
		hits = found
	}
	what = fmt.Sprintf("%s (%d sessions)", what, hits)
	if target > 0 {
		b.addWithTarget(what, "warm", all, target, "", "")
	} else {
		b.table.addResult(result{what: what, cache: "warm", measured: all.formatSpread()})
	}
	if first > 0 && len(firsts) > 0 {
		b.addWithTarget(what+", first result", "warm", firsts, first, "", "")
	}
}

// readResults reads the results of a search. It returns the number of sessions and when the
// first one arrived.
func (b *benchmark) readResults(s *harness.Server, query string) (sessions int, first time.Time) {
	resp, err := http.Get(s.URL + "/search/stream?q=" + url.QueryEscape(query))
	if err != nil {
		b.Fatalf("%v", err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil {
			b.Fatalf("the results of %s end early: %v", query, err)
		}
		var line struct {
			HTML string
			Done bool
		}
		if err := json.Unmarshal(text, &line); err != nil {
			b.Fatalf("results of %s: %v", query, err)
		}
		if line.HTML != "" {
			if sessions++; sessions == 1 {
				first = time.Now()
			}
		}
		if line.Done {
			return sessions, first
		}
	}
}
