package harness

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server is a running explorer. It is stopped at the end of the test.
type Server struct {
	URL string // without a slash at the end

	t    T
	name string   // server-N of its test
	verb []string // without the address
	args []string
	home string
	cmd  *exec.Cmd
	done chan struct{}
	mu   sync.Mutex
	log  bytes.Buffer
}

var urlPattern = regexp.MustCompile(`^https?://\S+`) // a line of its own: warnings have others

// ExplorerPath returns the explorer to test: EXPLORER, or bin/explorer of this tree.
func ExplorerPath(t T) string {
	t.Helper()
	path := os.Getenv("EXPLORER")
	if path == "" {
		path = filepath.Join(SourceRoot(t), "bin", "explorer")
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("no explorer to test (run make build, or set EXPLORER): %v", err)
	}
	return path
}

// SourceRoot returns the top directory of the source tree.
func SourceRoot(t T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("%v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatalf("no go.mod above the working directory")
		}
		dir = up
	}
}

// StartServer serves the directories on a free port, with new directories for home, state
// and cache.
func StartServer(t T, args ...string) *Server {
	t.Helper()
	return StartServerIn(t, t.TempDir(), args...)
}

// StartServerIn is StartServer with a given home, so that a second start finds the caches
// of the first.
func StartServerIn(t T, home string, args ...string) *Server {
	t.Helper()
	return startServer(t, home, []string{"serve", "--no-open"}, args)
}

func startServer(t T, home string, verb, args []string) *Server {
	t.Helper()
	s := &Server{t: t, name: artifactName(t, "server"), verb: verb, args: args, home: home}
	t.Cleanup(func() {
		openPages.endConsoles(t)
		s.Stop()
		if t.Failed() {
			saveArtifact(t, s.name+".log", []byte(s.Output()))
		}
	})
	if err := s.startProcess("127.0.0.1:0"); err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

// Restart stops the server and starts it again on the same address.
func (s *Server) Restart() {
	s.t.Helper()
	s.Stop()
	s.StartAgain()
}

// mayStartLater matches why a server did not start that may start later: another process uses
// the port for a short connection, or its database restarts.
var mayStartLater = regexp.MustCompile(`another program listens on|address already in use|explorer: (database: |the people of the hub cannot be read: )`)

// StartAgain starts a stopped server on its previous address, as soon as that is possible.
func (s *Server) StartAgain() {
	s.t.Helper()
	listen := strings.TrimPrefix(s.URL, "http://")
	Until(s.t, listen+" to be free", func() bool {
		err := s.startProcess(listen)
		if err != nil && !mayStartLater.MatchString(err.Error()) {
			s.t.Fatalf("%v", err)
		}
		return err == nil
	})
}

// startProcess runs the program and waits until it prints its address.
func (s *Server) startProcess(listen string) error {
	s.t.Helper()
	cmd := exec.Command(ExplorerPath(s.t), slices.Concat(s.verb, []string{"--listen", listen}, s.args)...)
	cmd.Env = newEnv(s.home)
	r, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start explorer: %w", err)
	}
	found, done := make(chan string, 1), make(chan struct{})
	s.cmd, s.done = cmd, done
	go func() {
		_ = cmd.Wait() // an early end is reported below as a missing address
		w.Close()
		close(done)
	}()
	go s.readOutput(r, found)
	select {
	case s.URL = <-found:
		return nil
	case <-done:
		return fmt.Errorf("the explorer ended before it listened:\n%s", s.Output())
	case <-time.After(Patience):
		_ = cmd.Process.Signal(syscall.SIGQUIT) // it prints its goroutines
		<-done
		return fmt.Errorf("the explorer named no address:\n%s", s.Output())
	}
}

// readOutput collects the output and sends the first address in it.
func (s *Server) readOutput(r io.Reader, found chan<- string) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		s.mu.Lock()
		s.log.WriteString(line)
		s.mu.Unlock()
		if a := urlPattern.FindString(line); a != "" && found != nil {
			found <- strings.TrimRight(a, "/.,")
			found = nil
		}
		if err != nil {
			return
		}
	}
}

// Output returns everything the server has printed.
func (s *Server) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// Pid returns the process id.
func (s *Server) Pid() int { return s.cmd.Process.Pid }

// Stop interrupts the server as Ctrl+C does and waits until it has ended.
func (s *Server) Stop() {
	s.t.Helper()
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGINT) // it may have ended by itself
	select {
	case <-s.done:
	case <-time.After(Patience):
		_ = s.cmd.Process.Kill()
		<-s.done
		s.t.Errorf("the explorer did not end within %v of an interrupt", Patience)
	}
	s.cmd = nil
}

var httpClient = &http.Client{Timeout: Patience}

// GetPage returns the response to a request and its body.
func (s *Server) GetPage(path string) (*http.Response, string) {
	s.t.Helper()
	resp, err := httpClient.Get(s.URL + path)
	if err != nil {
		s.t.Fatalf("GET %s: %v", path, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatalf("GET %s: %v", path, err)
	}
	return resp, string(body)
}

// DialTCP opens a plain connection to the server.
func (s *Server) DialTCP() net.Conn {
	s.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		s.t.Fatalf("dial: %v", err)
	}
	s.t.Cleanup(func() { _ = c.Close() }) // closing twice is fine
	return c
}
