package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

var rowEntry = regexp.MustCompile(`role="treeitem" id="[^"]*" data-row="[0-9]+" data-entry="([^"]+)"`)

// label labels entries of random sessions, or takes labels away, twice a second.
func (s *soak) label(stop <-chan struct{}) {
	rng := rand.New(rand.NewPCG(s.seed, 7))
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		if err := s.labelOne(rng, n); err != nil {
			s.errs.add("label: %v", err)
		}
	}
}

func (s *soak) labelOne(rng *rand.Rand, n int) error {
	path, ok := s.agents[rng.IntN(len(s.agents))].someSession(rng)
	if !ok {
		return nil
	}
	address, err := s.http.address(path)
	if err != nil {
		return err
	}
	status, body, err := s.http.get(address + "/rows?at=end&n=50")
	if isStale(status) {
		return nil // not in the list yet, or being rewritten
	}
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("rows of %s: status %d, %v", address, status, err)
	}
	entries := rowEntry.FindAllStringSubmatch(body, -1)
	if len(entries) == 0 {
		return nil
	}
	form := url.Values{"entry": {entries[rng.IntN(len(entries))][1]}, "label": {fmt.Sprint("label ", n)}}
	if n%4 == 0 {
		form.Set("label", "")
	}
	began := time.Now()
	status, body, err = s.http.post(address+"/label", form)
	s.slowest.note("a label is set", time.Since(began))
	switch {
	case err != nil:
		return err
	case status == http.StatusOK:
		s.counts.labels.Add(1)
	case status == http.StatusConflict || status == http.StatusUnprocessableEntity || status == http.StatusNotFound:
		s.counts.refused.Add(1) // the agent wrote at the same time, or took the entry back
	default:
		return fmt.Errorf("%s: status %d, %.300s", path, status, body)
	}
	return nil
}
