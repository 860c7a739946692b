package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"text/tabwriter"
	"time"
)

const (
	maxGrowth = 1.3 // of memory, from the second minute to the last
	minPasses = 3   // over the clients that are behind
	spare     = 4   // goroutines and files that may be about something else when they are counted
)

// check is a row of the summary.
type check struct {
	what, result, want string
	failed             bool
}

func (s *soak) add(what, result, want string, ok bool) {
	s.checks = append(s.checks, check{what, result, want, !ok})
	if !ok {
		s.Errorf("%s: %s, want %s", what, result, want)
	}
}

// checkArrival waits until every client shows what a fresh read shows.
func (s *soak) checkArrival() {
	s.ending.Store(true)
	late, last := slices.Clone(s.clients), ""
	passes := 0
	check := func() bool {
		passes++
		late = slices.DeleteFunc(late, func(f *follower) bool {
			text := f.behind()
			if text != "" {
				last = text
			}
			return text == ""
		})
		return len(late) == 0
	}
	// A pass over all clients takes long, and what changes meanwhile is in the next one.
	for eventually(check); len(late) > 0 && passes < minPasses; check() {
		time.Sleep(time.Second)
	}
	if len(late) == 0 {
		last = ""
	}
	s.add("clients at the end state", fmt.Sprintf("%d of %d %s", len(s.clients)-len(late), len(s.clients), last), "all", len(late) == 0)
}

// behind says in what a client is behind a fresh read; "" is nothing.
func (f *follower) behind() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	fresh := follower{soak: f.soak, list: f.list, view: view{address: f.view.address}}
	var err error
	if f.list {
		err = fresh.lookAtList()
	} else {
		err = fresh.reload()
	}
	if err != nil {
		return err.Error()
	}
	if text := f.view.differs(&fresh.view); text != "" {
		return fmt.Sprintf("(%s: %s)", f.path, text)
	}
	return ""
}

// checkMemory compares the second minute with the last.
func (s *soak) checkMemory() {
	if len(s.samples) < 3 {
		s.add("memory from the second minute to the last", "not compared: the run is too short", "", true)
		return
	}
	first, last := s.samples[1], s.samples[len(s.samples)-1]
	for _, c := range []struct {
		what    string
		one, is int64
	}{{"resident memory", first.rss, last.rss}, {"live heap", first.HeapLive, last.HeapLive}} {
		grew := float64(c.is) / float64(c.one)
		s.add(c.what+" from minute 2 to "+fmt.Sprint(len(s.samples)), fmt.Sprintf("%.1f to %.1f MB: %.2f times", float64(c.one)/(1<<20), float64(c.is)/(1<<20), grew),
			fmt.Sprintf("< %.1f times", maxGrowth), grew < maxGrowth)
	}
}

// checkReturn waits until the server holds nothing for clients that left.
func (s *soak) checkReturn(before sample) {
	var now sample
	ok := eventually(func() bool {
		now = s.takeSample()
		s.http.idle()
		return now.Sockets == 0 && now.Goroutines <= before.Goroutines+spare && now.files <= before.files+spare
	})
	s.add("when all clients left: sockets", fmt.Sprint(now.Sockets), "0", now.Sockets == 0)
	s.add("goroutines", fmt.Sprintf("%d, %d at the start", now.Goroutines, before.Goroutines), "as at the start", ok || now.Goroutines <= before.Goroutines+spare)
	s.add("open files", fmt.Sprintf("%d, %d at the start", now.files, before.files), "as at the start", ok || now.files <= before.files+spare)
}

// checkErrors reports what should not have happened.
func (s *soak) checkErrors() {
	s.add("requests and writes that failed", fmt.Sprint(s.errs.count), "0", s.errs.count == 0)
	for _, text := range s.errs.texts {
		s.Logf("  %s", text)
	}
}

// print prints the summary.
func (s *soak) print() {
	c := &s.counts
	fmt.Printf("\n%d lines (%d in two parts, %d files written anew), %d labels (%d refused), %d notices, %d questions over sockets, %d reloads, %d answers that the file was just changing, %d visits\n",
		c.lines.Load(), c.torn.Load(), c.rewrites.Load(), c.labels.Load(), c.refused.Load(), c.notices.Load(), c.news.Load(), c.reloads.Load(), c.stale.Load(), c.visits.Load())
	for _, what := range slices.Sorted(maps.Keys(s.slowest.all)) {
		fmt.Printf("longest until %s: %.1f s\n", what, s.slowest.all[what].Seconds())
	}
	fmt.Println()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, c := range s.checks {
		verdict := "ok"
		if c.failed {
			verdict = "FAILED"
		}
		fmt.Fprintf(w, "%s\t%.160s\t%s\t%s\n", c.what, c.result, c.want, verdict)
	}
	_ = w.Flush() // the writer is stdout
}
