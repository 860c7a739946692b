package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sessiontree/e2e/harness"
)

// health are the figures of the server: the progress of the list, and its memory.
type health struct {
	Files          int
	BytesPresent   int64
	BytesScanned   int64
	BytesFromCache int64
	Complete       bool
	Heap           int64 // objects and garbage
	HeapLive       int64 // objects that the last collection found in use
}

// measureStart measures the time from the start of the program to the first page and to
// the complete list, without and with a cache.
func (b *benchmark) measureStart() {
	for _, cold := range []bool{true, false} {
		var page, list, pageAgain, listAgain durations
		for range b.runs {
			home := b.TempDir()
			p, l := b.measureStartOnce(home, cold, false)
			page, list = append(page, p), append(list, l)
			p, l = b.measureStartOnce(home, cold, true)
			pageAgain, listAgain = append(pageAgain, p), append(listAgain, l)
		}
		name := cacheName(cold)
		b.table.addWithTarget("start to first page", name, page, 300*time.Millisecond, "34 s (agentsview)", "0.11 to 0.13 s for 300 MB")
		target := 800 * time.Millisecond
		if cold {
			target = 1500 * time.Millisecond
		}
		b.table.addWithTarget("start to complete list", name, list, target, "34 s (agentsview)", "")
		b.table.addWithTarget("second start to first page", name, pageAgain, 300*time.Millisecond, "", "")
		b.table.addWithTarget("second start to complete list", name, listAgain, 100*time.Millisecond, "", "")
	}
}

func (t *resultTable) addWithTarget(what, cache string, ts durations, target time.Duration, other, floor string) {
	t.addResult(result{what, cache, ts.formatSpread(), formatTarget(target), other, floor, ts.median() >= target})
}

func cacheName(cold bool) string {
	if cold {
		return "cold"
	}
	return "warm"
}

// prepareCache fills or empties the page cache.
func (b *benchmark) prepareCache(dir string, cold bool) {
	var err error
	if cold {
		err = dropPageCache(dir)
	} else {
		err = fillPageCache(dir)
	}
	if err != nil {
		b.Fatalf("%v", err)
	}
}

// fillPageCache reads every file under dir.
func fillPageCache(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(io.Discard, f)
		return err
	})
}

func (b *benchmark) measureStartOnce(home string, cold, cached bool) (page, list time.Duration) {
	b.prepareCache(b.work.Library, cold)
	began := time.Now()
	s := harness.StartServerIn(b, home, b.work.Library)
	resp, body := s.GetPage("/")
	page = time.Since(began)
	if resp.StatusCode != 200 || len(body) < 500 {
		b.Fatalf("the first page is no page: status %d, %d bytes", resp.StatusCode, len(body))
	}
	p := b.waitForCompleteList(s)
	list = time.Since(began)
	b.checkBytesScanned(p, cached)
	s.Stop()
	return page, list
}

const (
	// maxListTime limits how long a list may take.
	maxListTime = 10 * time.Minute
	// listPause is how long it takes to find out that a list is complete: short compared with the
	// targets, and long enough that asking for it does not take time from the server.
	listPause = 10 * time.Millisecond
)

// waitForCompleteList waits for the complete list.
func (b *benchmark) waitForCompleteList(s *harness.Server) (p health) {
	for began := time.Now(); !p.Complete; time.Sleep(listPause) {
		if time.Since(began) > maxListTime {
			b.Fatalf("the list is not complete after %s: %+v", formatDuration(maxListTime), p)
		}
		p = readHealth(b, s)
	}
	return p
}

// readHealth reads the figures of /healthz?verbose.
func readHealth(t harness.T, s *harness.Server) (p health) {
	_, body := s.GetPage("/healthz?verbose")
	if err := json.Unmarshal([]byte(body), &p); err != nil {
		t.Fatalf("/healthz?verbose returned %.100q: %v", body, err)
	}
	return p
}

// checkBytesScanned checks that the server read every byte.
func (b *benchmark) checkBytesScanned(p health, cached bool) {
	switch {
	case p.BytesPresent != b.work.Bytes || p.Files != b.work.Size.Sessions+1:
		b.Fatalf("the server found %d bytes in %d files, present are %d in %d", p.BytesPresent, p.Files, b.work.Bytes, b.work.Size.Sessions+1)
	case p.BytesScanned+p.BytesFromCache != p.BytesPresent:
		b.Fatalf("scanned %d and cached %d bytes are not the %d present", p.BytesScanned, p.BytesFromCache, p.BytesPresent)
	case cached && p.BytesFromCache == 0:
		b.Fatalf("%s", fmt.Sprint("the second start took nothing from the cache: ", p))
	}
}
