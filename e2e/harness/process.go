package harness

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Memory returns a field of /proc/PID/status of the server, in bytes. It reports false
// where the system does not tell.
func (s *Server) Memory(field string) (int64, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Pid()))
	if err != nil {
		return 0, false
	}
	m := regexp.MustCompile(field + `:\s*(\d+) kB`).FindSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(m[1]), 10, 64)
	return n * 1024, err == nil
}

// OpenFiles returns how many file descriptors the server has. It reports false where
// the system does not tell.
func (s *Server) OpenFiles() (int, bool) {
	all, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.Pid()))
	return len(all), err == nil
}

// CPU returns how much processor time the server has used; 0 where that is unknown.
func (s *Server) CPU() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.Pid()))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest) // from the third field on
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / 100 // ticks are 10 ms on Linux
}
