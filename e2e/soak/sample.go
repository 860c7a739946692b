package main

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// looks is how often the server is looked at in a minute.
const looks = 12

// counters count what was done.
type counters struct {
	lines, torn, rewrites, labels, refused, notices, news, reloads, stale, visits atomic.Int64
}

// failures are what should not happen at all.
type failures struct {
	mu    sync.Mutex
	texts []string
	count int
}

func (f *failures) add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count++; len(f.texts) < 10 {
		f.texts = append(f.texts, fmt.Sprintf(format, args...))
	}
}

// slowest are the longest times that things took.
type slowest struct {
	mu  sync.Mutex
	all map[string]time.Duration
}

func (s *slowest) note(what string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[string]time.Duration{}
	}
	s.all[what] = max(s.all[what], took)
}

// sample is the state of the server in a minute: the median of what was seen.
type sample struct {
	vitals
	rss   int64
	files int
	cpu   time.Duration
}

func (s *soak) takeSample() sample {
	m := sample{vitals: s.http.vitals(), cpu: s.server.CPU()}
	m.rss, _ = s.server.Memory("VmRSS")
	m.files, _ = s.server.OpenFiles()
	return m
}

// sampleEachMinute looks at the server until the time is over, and prints a line a minute.
func (s *soak) sampleEachMinute() {
	fmt.Println("minute     RSS  live heap  goroutines  files  sockets  sessions  watches    CPU    lines  labels  notices  reloads")
	end := s.began.Add(s.duration)
	for minute := 1; time.Now().Before(end); minute++ {
		var seen []sample
		cpu := s.server.CPU()
		for range looks {
			time.Sleep(min(time.Minute/looks, time.Until(end)))
			seen = append(seen, s.takeSample())
		}
		m := median(seen)
		m.cpu = s.server.CPU() - cpu
		s.samples = append(s.samples, m)
		fmt.Printf("%6d %4d MB %7.1f MB  %10d %6d %8d %9d %8d %5.0f s %8d %7d %8d %8d\n", minute, m.rss>>20, float64(m.HeapLive)/(1<<20), m.Goroutines, m.files,
			m.Sockets, m.Sessions, m.Watches, m.cpu.Seconds(), s.counts.lines.Load(), s.counts.labels.Load(), s.counts.notices.Load(), s.counts.reloads.Load())
	}
}

func median(all []sample) sample {
	m := all[len(all)-1]
	m.rss, m.HeapLive = middle(all, func(s sample) int64 { return s.rss }), middle(all, func(s sample) int64 { return s.HeapLive })
	return m
}

func middle(all []sample, of func(sample) int64) int64 {
	var values []int64
	for _, s := range all {
		values = append(values, of(s))
	}
	slices.Sort(values)
	return values[len(values)/2]
}
