//go:build e2efirefox

package firefox

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/e2e/harness"
)

// browser is a Firefox with one tab, controlled by WebDriver BiDi.
type browser struct {
	t         *testing.T
	conn      *websocket.Conn
	tab       string // its browsing context
	lastID    int    // of a command
	responses chan message

	mu      sync.Mutex
	console []string // messages and uncaught errors
}

// message is a response or an event.
type message struct {
	ID      int
	Type    string // "success", "error", "event"
	Method  string // of an event
	Params  json.RawMessage
	Result  json.RawMessage
	Error   string
	Message string
}

// startBrowser starts Firefox: FIREFOX, or the first one in PATH. At the end of the test, the
// console has to be empty.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	b := &browser{t: t, responses: make(chan message, 1)}
	conn, _, err := websocket.DefaultDialer.Dial(startProcess(t)+"/session", nil)
	if err != nil {
		t.Fatalf("connect to Firefox: %v", err)
	}
	b.conn = conn
	go b.readMessages()
	b.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	b.call("session.subscribe", map[string]any{"events": []string{"log.entryAdded"}}, nil)
	var tree struct{ Contexts []struct{ Context string } }
	b.call("browsingContext.getTree", map[string]any{}, &tree)
	b.tab = tree.Contexts[0].Context
	t.Cleanup(func() {
		b.checkConsole()
		_ = conn.Close()
	})
	return b
}

var addressLine = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// startProcess starts Firefox with a new profile and returns the address it listens on.
func startProcess(t *testing.T) string {
	t.Helper()
	path := os.Getenv("FIREFOX")
	if path == "" {
		for _, name := range []string{"firefox-esr", "firefox"} {
			if found, err := exec.LookPath(name); err == nil {
				path = found
				break
			}
		}
	}
	if path == "" {
		t.Fatal("no Firefox (e2e/firefox/firefox.sh tells how to get one)")
	}
	home, err := os.MkdirTemp("", "firefox")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", home)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"), "TZ=UTC", "MOZ_CRASHREPORTER_DISABLE=1")
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start Firefox: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(home) // Firefox may still write to it
	})
	found := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := addressLine.FindStringSubmatch(lines.Text()); m != nil {
				found <- m[1]
			}
		}
	}()
	select {
	case address := <-found:
		return address
	case <-time.After(harness.Patience):
		t.Fatal("Firefox names no address of WebDriver BiDi")
		return ""
	}
}

// readMessages passes on the responses and collects the console until the connection ends.
func (b *browser) readMessages() {
	defer close(b.responses)
	for {
		var m message
		if err := b.conn.ReadJSON(&m); err != nil {
			return
		}
		if m.Type != "event" {
			b.responses <- m
			continue
		}
		var entry struct{ Level, Text string }
		if err := json.Unmarshal(m.Params, &entry); m.Method == "log.entryAdded" && err == nil {
			b.mu.Lock()
			b.console = append(b.console, entry.Level+": "+entry.Text)
			b.mu.Unlock()
		}
	}
}

// call sends a command and stores its result in the value that result points to, if any.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.lastID++
	if err := b.conn.WriteJSON(map[string]any{"id": b.lastID, "method": method, "params": params}); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	for {
		select {
		case m, ok := <-b.responses:
			switch {
			case !ok:
				b.t.Fatalf("%s: Firefox has ended the connection", method)
			case m.ID != b.lastID:
				continue
			case m.Type == "error":
				b.t.Fatalf("%s: %s: %s", method, m.Error, m.Message)
			case result != nil:
				if err := json.Unmarshal(m.Result, result); err != nil {
					b.t.Fatalf("%s: %v", method, err)
				}
			}
			return
		case <-time.After(harness.Patience):
			b.t.Fatalf("%s: no response", method)
		}
	}
}

// checkConsole reports what the pages wrote to the console.
func (b *browser) checkConsole() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.console) > 0 {
		b.t.Errorf("console:\n%s", strings.Join(b.console, "\n"))
	}
}

// forgetConsole drops what the pages wrote to the console.
func (b *browser) forgetConsole() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.console = nil
}
