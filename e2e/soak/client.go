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

	mu        sync.Mutex
	addresses map[string]string // by path
}

func newClient(base string) *client {
	return &client{base: base, addresses: map[string]string{},
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
func (c *client) address(path string) (address string, err error) {
	c.mu.Lock()
	address, ok := c.addresses[path]
	c.mu.Unlock()
	if ok {
		return address, nil
	}
	if !eventually(func() bool { // a file that is being rewritten may be empty for a moment
		address, ok = c.askAddress(path)
		return ok
	}) {
		return "", fmt.Errorf("explorer tree %s names no key", path)
	}
	return address, nil
}

// askAddress asks the program where the session of a file is served now.
func (c *client) askAddress(path string) (address string, ok bool) {
	out, err := exec.Command(os.Getenv("EXPLORER"), "tree", "--json", path).Output()
	m := keyField.FindSubmatch(out)
	if err != nil || m == nil {
		return "", false
	}
	address = "/sessions/" + string(m[1])
	c.mu.Lock()
	c.addresses[path] = address
	c.mu.Unlock()
	return address, true
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
