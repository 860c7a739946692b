package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// anotherUser is the uid of the attacker, usually that of the user nobody.
const anotherUser = 65534

func init() { attackers["attack"] = attackMain }

// requireTool copies the test program under another name to a place where any user may
// run it and returns the path. TestMain runs what the name selects.
func requireTool(t testing.TB, name string) string {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "explorer-attack-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if os.Link(own, path) == nil {
		return path
	}
	from, err := os.Open(own)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// serveLimited starts the program as a process with a limit of n file descriptors and
// returns its address.
func serveLimited(t testing.TB, n int, args ...string) (url string) {
	t.Helper()
	args = append([]string{"-c", fmt.Sprintf(`ulimit -n %d && exec "$0" "$@"`, n), requireTool(t, "explorer"), "serve", "--no-open", "--listen", "127.0.0.1:0", "--state", t.TempDir()}, args...)
	cmd := exec.Command("sh", args...)
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address printed: %v", err)
	}
	return strings.TrimSpace(line)
}

// runAttack runs attackMain as another user. Its connections stay open until the end of
// the test.
func runAttack(t testing.TB, url string, connections int) (got map[string]int) {
	t.Helper()
	cmd := exec.Command(requireTool(t, "attack"), strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/"), strconv.Itoa(connections))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: anotherUser, Gid: anotherUser}}
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
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	if err := json.NewDecoder(out).Decode(&got); err != nil {
		t.Fatal(err)
	}
	return got
}

// attackMain opens all connections first and sends a request on each afterwards, so that
// the server has no descriptors left when it identifies the peer. It prints how many
// responses had which status and keeps the connections open.
func attackMain() {
	n, _ := strconv.Atoi(os.Args[2])
	var conns []net.Conn
	got := map[string]int{}
	for range n {
		c, err := net.DialTimeout("tcp", os.Args[1], 2*time.Second)
		if err != nil {
			got["not connected"]++
			continue
		}
		conns = append(conns, c)
	}
	for _, c := range conns {
		_, _ = fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", os.Args[1]) // reading finds out
	}
	patience := time.Now().Add(5 * time.Second)
	for _, c := range conns {
		_ = c.SetReadDeadline(patience)
		got[readStatus(c)]++
	}
	_ = json.NewEncoder(os.Stdout).Encode(got)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func readStatus(c net.Conn) string {
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "no answer"
	case err != nil:
		return "closed"
	}
	return strconv.Itoa(res.StatusCode)
}

// Another user who exhausts the file descriptors gets no access, and the owner keeps
// access.
func TestServe_ExhaustedDescriptors(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("another user's program can be started by root only")
	}
	dir := t.TempDir()
	writeSessionFile(t, dir)
	url := serveLimited(t, 256, dir)
	waitForText(t, url, "hello there")
	all := map[string]int{}
	for range 4 {
		for status, n := range runAttack(t, url, 400) {
			all[status] += n
		}
		for range 10 {
			if err := askAsOwner(url); err != nil {
				t.Errorf("the owner during the attack: %v", err)
			}
		}
	}
	t.Logf("another user: %v", all)
	if all["200"] > 0 || all["401"] == 0 {
		t.Errorf("another user is answered %v", all)
	}
}

// askAsOwner requests the list of sessions over a new connection.
func askAsOwner(url string) error {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	res, err := client.Get(url)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || !strings.Contains(string(body), "hello there") {
		return fmt.Errorf("status %d, %v", res.StatusCode, err)
	}
	return nil
}

// The owner's sockets fit into the usual limit of file descriptors.
func TestServe_ManySockets(t *testing.T) {
	url := serveLimited(t, 2048, t.TempDir())
	var conns []*websocket.Conn
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	for i := range 1000 {
		c, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(url, "http")+"live", nil)
		if errors.Is(err, syscall.EMFILE) {
			t.Skip("the test itself may not open so many")
		}
		if err != nil {
			t.Fatalf("socket %d: %v", i, err)
		}
		conns = append(conns, c)
		if _, _, err := c.ReadMessage(); err != nil {
			t.Fatalf("socket %d: %v", i, err)
		}
	}
}

// Every user can read the command line that opens the browser, so it must not contain the
// token, and its code must work only once.
func TestServe_BrowserCommand(t *testing.T) {
	bin := t.TempDir()
	argsFile := filepath.Join(bin, "said")
	script := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' \"$@\" > %[1]s.new && mv %[1]s.new %[1]s\n", argsFile)
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, args := range [][]string{
		{"--require-token", "--listen", "127.0.0.1:0"}, {"--listen", "0.0.0.0:0"}, {"--host", "tree.example", "--listen", "127.0.0.1:0"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			_ = os.Remove(argsFile)
			s := startServer(t, append(args, "--no-open=false", t.TempDir())...)
			base, token, ok := strings.Cut(s.url, "?token=")
			if !ok {
				t.Fatalf("printed is %q, which has no token", s.url)
			}
			addr := strings.TrimSpace(waitForFile(t, argsFile))
			if strings.Contains(addr, token) || !strings.HasPrefix(addr, base+"?code=") {
				t.Errorf("the browser is opened with %q", addr)
			}
			res, err := (&http.Client{Jar: cookies{}}).Get(addr)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != http.StatusOK || res.Request.URL.RawQuery != "" {
				t.Errorf("the browser gets %d at %v", res.StatusCode, res.Request.URL)
			}
			if status, _ := fetchPage(t, base); status == http.StatusOK {
				return // this user needs no token there
			}
			if status, _ := fetchPage(t, addr); status != http.StatusUnauthorized {
				t.Errorf("somebody who read the command line gets %d, want 401", status)
			}
		})
	}
}

// waitForFile returns the content of a file as soon as the file exists.
func waitForFile(t testing.TB, path string) string {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); runtime.Gosched() {
		if text, err := os.ReadFile(path); err == nil {
			return string(text)
		}
	}
	t.Fatalf("%s never appears", path)
	return ""
}
