package main

import (
	"fmt"
	"net/http"
	"strings"
)

// window is how many rows are asked for at once.
const window = 500

// checkCold compares what is served of every session with what is served after a new
// start, which reads all files from the beginning.
func (s *soak) checkCold() {
	live := s.readAll()
	s.http.idle()
	s.server.Restart()
	cold := s.readAll()
	different, last := 0, ""
	for path, want := range cold {
		if got := live[path]; got != want {
			different++
			last = fmt.Sprintf("(%s %s)", path, firstDifference(got, want))
			s.Logf("%s", last)
		}
	}
	s.add("sessions as a new start reads them", fmt.Sprintf("%d of %d %s", len(cold)-different, len(cold), last), "all", different == 0)
}

// readAll reads rows and path of all sessions as they are served.
func (s *soak) readAll() map[string]string {
	all := map[string]string{}
	for _, a := range s.agents {
		for _, path := range a.all {
			if !hasSession(path) {
				continue
			}
			text, err := s.readOne(path)
			if err != nil {
				s.errs.add("read %s: %v", path, err)
			}
			all[path] = text
		}
	}
	return all
}

func (s *soak) readOne(path string) (string, error) {
	address, err := s.http.address(path)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for at, total := 0, 1; at < total; at += window {
		var v view
		status, body, err := s.http.get(fmt.Sprintf("%s/rows?filter=all&at=%d&n=%d", address, at, window))
		if err != nil || status != http.StatusOK || !v.takeRows(body, true) {
			return "", fmt.Errorf("rows: status %d, %v", status, err)
		}
		total = v.total
		for i := range v.total {
			if row, ok := v.rows[i]; ok {
				text.WriteString(row + "\n")
			}
		}
	}
	status, body, err := s.http.get(address + "/path?before=none")
	if err != nil || status != http.StatusOK {
		return "", fmt.Errorf("path: status %d, %v", status, err)
	}
	text.WriteString(volatile.ReplaceAllString(body, ""))
	return text.String(), nil
}

// firstDifference returns where two texts differ first, by lines.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			k := 0
			for k < min(len(a[i]), len(b[i])) && a[i][k] == b[i][k] {
				k++
			}
			return fmt.Sprintf("line %d of %d (%.200s) at byte %d: %.120q, want %.120q", i, len(a), a[i], k, a[i][k:], b[i][k:])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}
