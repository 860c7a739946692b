package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"sessiontree/e2e/harness"
)

// client asks the server as a page does, and knows the addresses of sessions.
type client struct {
	base string
	http *http.Client

	mu   sync.Mutex
	keys map[string]string // by path
}

func newClient(base string) *client {
	return &client{base: base, keys: map[string]string{},
		http: &http.Client{Timeout: harness.Patience, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
}

// get returns what is at an address.
func (c *client) get(path string) (status int, body string, err error) {
	resp, err := c.http.Get(c.base + path)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// post sends a form as a page does.
func (c *client) post(path string, form url.Values) (status int, body string, err error) {
	r, err := http.NewRequest(http.MethodPost, c.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", c.base)
	resp, err := c.http.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// idle closes connections that are not in use.
func (c *client) idle() { c.http.CloseIdleConnections() }

// vitals are what the server says of itself.
type vitals struct {
	Complete                               bool
	Heap, HeapLive                         int64
	Goroutines, Sessions, Sockets, Watches int
}

func (c *client) vitals() (v vitals) {
	_, body, err := c.get("/healthz?verbose")
	if err == nil {
		err = json.Unmarshal([]byte(body), &v)
	}
	if err != nil {
		return vitals{}
	}
	return v
}

var keyField = regexp.MustCompile(`"key":\s*"([0-9a-f]{16})"`)

// address returns where the session of a file is served.
func (c *client) address(path string) (string, error) {
	c.mu.Lock()
	key, ok := c.keys[path]
	c.mu.Unlock()
	if ok {
		return "/sessions/" + key, nil
	}
	ok = eventually(func() bool { // a file that is being rewritten may be empty for a moment
		out, err := exec.Command(os.Getenv("EXPLORER"), "tree", "--json", path).Output()
		if m := keyField.FindSubmatch(out); err == nil && m != nil {
			key = string(m[1])
		}
		return key != ""
	})
	if !ok {
		return "", fmt.Errorf("explorer tree %s names no key", path)
	}
	c.mu.Lock()
	c.keys[path] = key
	c.mu.Unlock()
	return "/sessions/" + key, nil
}

// eventually calls ok until it returns true, at most for as long as tests wait.
func eventually(ok func() bool) bool {
	for end := time.Now().Add(harness.Patience); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
