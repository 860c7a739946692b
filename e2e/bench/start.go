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

// progress is what the server tells its owner of the list.
type progress struct {
	Files          int
	BytesPresent   int64
	BytesScanned   int64
	BytesFromCache int64
	Complete       bool
}

// start measures from the start of the program to the first page and to the
// complete list, without and with the cache of an earlier start.
func (b *bench) start() {
	for _, cold := range []bool{true, false} {
		var page, list, pageAgain, listAgain times
		for range b.runs {
			home := b.TempDir()
			p, l := b.startOnce(home, cold, false)
			page, list = append(page, p), append(list, l)
			p, l = b.startOnce(home, cold, true)
			pageAgain, listAgain = append(pageAgain, p), append(listAgain, l)
		}
		name := cacheName(cold)
		b.limit("start to first page", name, page, 300*time.Millisecond, "34 s (agentsview)", "0.11 to 0.13 s for 300 MB")
		b.limit("start to complete list", name, list, time.Second, "34 s (agentsview)", "")
		b.limit("second start to first page", name, pageAgain, 300*time.Millisecond, "", "")
		b.limit("second start to complete list", name, listAgain, time.Second, "", "")
	}
}

func (b *bench) limit(what, cache string, ts times, target time.Duration, other, floor string) {
	b.table.add(result{what, cache, ts.spread(), under(target), other, floor, ts.median() >= target})
}

func cacheName(cold bool) string {
	if cold {
		return "cold"
	}
	return "warm"
}

// prepare brings the page cache into the state that is to be measured.
func (b *bench) prepare(dir string, cold bool) {
	var err error
	if cold {
		err = chill(dir)
	} else {
		err = heat(dir)
	}
	if err != nil {
		b.Fatalf("%v", err)
	}
}

// heat reads every file under dir.
func heat(dir string) error {
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

func (b *bench) startOnce(home string, cold, cached bool) (page, list time.Duration) {
	b.prepare(b.work.Library, cold)
	began := time.Now()
	s := harness.StartIn(b, home, b.work.Library)
	resp, body := s.Get("/")
	page = time.Since(began)
	if resp.StatusCode != 200 || len(body) < 500 {
		b.Fatalf("the first page is no page: status %d, %d bytes", resp.StatusCode, len(body))
	}
	p := b.complete(s)
	list = time.Since(began)
	b.account(p, cached)
	s.Stop()
	return page, list
}

// complete waits for the whole list.
func (b *bench) complete(s *harness.Server) progress {
	var p progress
	harness.Until(b, "the complete list", func() bool {
		_, body := s.Get("/healthz?verbose")
		if err := json.Unmarshal([]byte(body), &p); err != nil {
			b.Fatalf("/healthz?verbose answered %.100q: %v", body, err)
		}
		return p.Complete
	})
	return p
}

// account makes sure that no byte was left out.
func (b *bench) account(p progress, cached bool) {
	switch {
	case p.BytesPresent != b.work.Bytes || p.Files != b.work.Size.Sessions+1:
		b.Fatalf("the server found %d bytes in %d files, present are %d in %d", p.BytesPresent, p.Files, b.work.Bytes, b.work.Size.Sessions+1)
	case p.BytesScanned+p.BytesFromCache != p.BytesPresent:
		b.Fatalf("scanned %d and cached %d bytes are not the %d present", p.BytesScanned, p.BytesFromCache, p.BytesPresent)
	case cached && p.BytesFromCache == 0:
		b.Fatalf("%s", fmt.Sprint("the second start took nothing from the cache: ", p))
	}
}
