package web

import (
	"encoding/json"
	"runtime"
	"testing"
)

func TestHealth(t *testing.T) {
	own := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	own.write("one.jsonl", tr)
	own.fillCatalog()
	if a := own.get("/healthz"); a.body != "ok\n" {
		t.Errorf("healthz = %q, want ok", a.body)
	}
	var p struct {
		Complete                                   bool
		Files                                      int
		BytesPresent, BytesScanned, BytesFromCache int64
		Heap, HeapLive, Goroutines                 int64
	}
	runtime.GC() // which finds out what lives
	a := own.get("/healthz?verbose")
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatalf("healthz?verbose = %q: %v", a.body, err)
	}
	if !p.Complete || p.Files == 0 || p.BytesScanned+p.BytesFromCache != p.BytesPresent {
		t.Errorf("healthz?verbose = %+v, want every byte of a complete list", p)
	}

	if p.HeapLive <= 0 || p.HeapLive > 2*p.Heap || p.Goroutines <= 1 {
		t.Errorf("healthz?verbose = %+v, want what lives of the heap, and goroutines", p)
	}

	strangers := newSite(t, func(c *siteConfig) { c.auth.RequireToken = true })
	if a := strangers.get("/healthz?verbose"); a.body != "ok\n" {
		t.Errorf("healthz?verbose tells strangers %q", a.body)
	}
}
