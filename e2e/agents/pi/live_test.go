//go:build e2eagents

// Package pi tests with a real pi that writes a session while a real browser shows it.
// make e2e-agents installs pi and runs it.
package pi

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
)

// step is one output line of play.mjs.
type step struct {
	Step, File, Leaf string
}

// line is the part of a recorded line that the test reads.
type line struct {
	Type, ID string
	Version  int
	Message  struct{ Role string }
}

// knownVersion is the format version that internal/session/pi supports. If pi writes
// another one, the format must be reviewed.
const knownVersion = 3

func TestLive(t *testing.T) {
	work := t.TempDir()
	sessions := filepath.Join(work, "agent", "sessions")
	if err := os.MkdirAll(sessions, 0o755); err != nil {
		t.Fatal(err)
	}
	server := harness.StartServer(t, sessions)
	browser := harness.NewBrowser(t)
	defer browser.Close()
	visit := browser.NewProfile(t)
	index, page := visit.NewPage(), visit.NewPage()
	index.Open(server.URL)
	index.WaitForElement(".state")

	pi := playSession(t, work)
	w := &watcher{t: t, server: server, index: index, page: page, seen: map[string]bool{}}
	steps := 0
	for pi.lines.Scan() {
		var s step
		if err := json.Unmarshal(pi.lines.Bytes(), &s); err != nil {
			t.Fatalf("play.mjs printed %q: %v", pi.lines.Text(), err)
		}
		if s.Step == "end" {
			break
		}
		steps++
		began := time.Now()
		w.waitForStep(s)
		t.Logf("%-22s on the page after %v", s.Step, time.Since(began).Round(time.Millisecond))
		if _, err := io.WriteString(pi.next, "\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := pi.cmd.Wait(); err != nil || steps != 17 {
		t.Fatalf("%d steps were played, want 17 (%v)", steps, err)
	}
}

type player struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
	next  io.WriteCloser
}

func playSession(t *testing.T, work string) player {
	home := os.Getenv("PI_HOME")
	node, err := os.ReadFile(filepath.Join(home, "node-path"))
	if err != nil {
		t.Fatalf("PI_HOME must name what install.sh made (run make e2e-agents): %v", err)
	}
	cmd := exec.Command(strings.TrimSpace(string(node)), "play.mjs", filepath.Join(home, "pi", "package"), work)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close() }) // play.mjs ends with its input
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	return player{cmd: cmd, lines: lines, next: in}
}

// watcher checks a session's page and the index.
type watcher struct {
	t           *testing.T
	server      *harness.Server
	index, page *harness.Page
	file        string
	seen        map[string]bool
}

// waitForStep waits until the page shows all entries of the file.
func (w *watcher) waitForStep(s step) {
	w.t.Helper()
	recorded, err := readLines(s.File)
	if err != nil {
		w.t.Fatalf("%s: %v", s.Step, err)
	}
	if s.File != w.file {
		w.file = s.File
		w.openFromIndex(s)
	}
	last := ""
	for _, l := range recorded {
		if l.Type == "session" {
			if l.Version != knownVersion {
				w.t.Fatalf("pi writes version %d of its format, the explorer knows %d", l.Version, knownVersion)
			}
			continue
		}
		last = l.ID
		if w.seen[s.File+l.ID] {
			continue
		}
		w.seen[s.File+l.ID] = true
		w.page.WaitForElement(fmt.Sprintf(`#tree .row[data-entry=%q]`, l.ID))
		if l.Message.Role == "user" || l.Message.Role == "assistant" {
			w.page.WaitForElement(fmt.Sprintf(`#path [data-entry=%q]`, l.ID))
		}
	}
	w.page.WaitForElement(fmt.Sprintf(`#facts[data-session-leaf=%q]`, last))
	if mark := stepMarks[s.Step]; mark != "" {
		w.page.WaitForElement(mark)
	}
}

// stepMarks are the elements that a step shows besides its entries.
var stepMarks = map[string]string{
	"tool call":  `#path .tool`,
	"thinking":   `#path .thinking`,
	"label":      `#tree .row .chip`,
	"branch":     `#tree .row--branch`,
	"summary":    `#tree .row--summary`,
	"failure":    `#path .failed`,
	"compaction": `#tree .row--compaction`,
}

// openFromIndex waits for the session on the open index and opens its page.
func (w *watcher) openFromIndex(s step) {
	w.t.Helper()
	key := w.server.SessionKey(s.File)
	w.index.WaitForElement(fmt.Sprintf(`a.session-link[href*=%q]`, key))
	w.page.Open(w.server.URL + "/sessions/" + key + "?filter=all")
}

func readLines(path string) ([]line, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []line
	for _, l := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		var r line
		if err := json.Unmarshal([]byte(l), &r); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", path, l, err)
		}
		out = append(out, r)
	}
	return out, nil
}
