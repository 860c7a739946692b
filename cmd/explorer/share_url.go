package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// findShareURL returns the beginning of links: named if it is set, else that of the
// running server. It returns an error if no server is running.
func (p *program) findShareURL(ctx context.Context, named string) (string, error) {
	if named != "" {
		return strings.TrimRight(named, "/"), nil
	}
	s, ok, err := p.findRunningServer(ctx)
	if err != nil {
		return "", err
	}
	if !ok || checkShareURL(s.ShareURL) != nil {
		return "", errNoServer
	}
	return s.ShareURL, nil
}

// checkShareURL returns an error if text cannot be the beginning of links.
func checkShareURL(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("--share-url %s: not an address", text)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return fmt.Errorf("--share-url %s: want http://HOST or https://HOST", text)
	case u.User != nil, strings.Trim(u.Path, "/") != "", u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return errors.New("--share-url must be a scheme and a host only")
	}
	return nil
}
