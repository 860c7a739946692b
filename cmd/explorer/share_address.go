package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// lastServed is the file that says what links to shares begin with.
const lastServed = "share-address"

// shareBase is what links begin with: as told, else as the explorer that served last
// said, else as one serves by default.
func (p *program) shareBase(told string) (string, error) {
	if told != "" {
		return strings.TrimRight(told, "/"), nil
	}
	state, err := p.stateDir()
	if err != nil {
		return "", err
	}
	if text, err := os.ReadFile(filepath.Join(state, lastServed)); err == nil && checkShareURL(strings.TrimSpace(string(text))) == nil {
		return strings.TrimSpace(string(text)), nil
	}
	return "http://127.0.0.1:7777", nil
}

// checkShareURL wants an address that links can begin with.
func checkShareURL(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("--share-url %s: this is no address", text)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return fmt.Errorf("--share-url %s: want http://HOST or https://HOST", text)
	case u.User != nil, strings.Trim(u.Path, "/") != "", u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return errors.New("--share-url is a scheme and a host, and nothing after them")
	}
	return nil
}

// rememberServed notes what links to shares begin with, for those made in a terminal.
// base is that of a listener for shares, "" when they are served with the rest.
func (p *program) rememberServed(base string, l net.Listener, tls bool) error {
	if base == "" {
		base = strings.TrimSuffix(address(l, tls), "/")
	}
	state, err := p.stateDir()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(state, lastServed), []byte(base+"\n"), 0o600)
}
