//go:build e2e

package harness

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// A page without a network reaches no server, also not on this computer.
func TestGoOffline(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>t</title><link rel="icon" href="data:,">`))
	}))
	defer site.Close()
	browser := NewBrowser(t)
	defer browser.Close()
	p := browser.NewProfile(t).NewPage()
	p.AllowConsole("ERR_INTERNET_DISCONNECTED")
	p.Open(site.URL)
	const fetchPage = `fetch("/").then(() => true, () => false)`
	if !EvalScript[bool](p, fetchPage) {
		t.Fatal("the page does not reach its server before it goes offline")
	}
	p.GoOffline()
	if EvalScript[bool](p, fetchPage) {
		t.Error("a page that is offline reached its server")
	}
}
