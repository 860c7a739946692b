// Package health serves the address at which programs see that the server is alive, and its
// owner how much it uses.
package health

import (
	"encoding/json"
	"maps"
	"net/http"
	"runtime"
	"runtime/metrics"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/live"
)

// Handlers report the state of the server.
type Handlers struct {
	Library      *store.Library
	Catalog      *catalog.Catalog
	Access       *auth.Policy
	Sockets      *live.Sockets
	CountWatches func() int // how many directories are watched
}

// ServeHealth reports that the server is alive. With ?verbose it also reports to its owner
// the progress of the list and the server's memory.
func (h *Handlers) ServeHealth(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if !r.URL.Query().Has("verbose") || !h.Access.IsAdmitted(r) {
		h.ServeAlive(w, r)
		return
	}
	p := h.Catalog.Progress()
	w.Header().Set("Content-Type", "application/json")
	all := map[string]any{
		"complete": p.Complete, "files": p.Files, "bytesPresent": p.BytesPresent,
		"bytesScanned": p.BytesScanned, "bytesFromCache": p.BytesFromCache,
	}
	maps.Copy(all, h.memoryStats())
	_ = json.NewEncoder(w).Encode(all) // the client may be gone
}

// ServeAlive reports only that the server is alive. It closes the connection, because
// anybody may call it.
func (h *Handlers) ServeAlive(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Connection", "close")
	h.Access.SetProof(w, r)
	_, _ = w.Write([]byte("ok\n")) // the client may be gone
}

// memoryStats returns the figures that /healthz?verbose reports.
func (h *Handlers) memoryStats() map[string]any {
	heap, live := readHeapSize()
	return map[string]any{
		"heap": heap, "heapLive": live, "goroutines": runtime.NumGoroutine(),
		"sessions": len(h.Library.OpenSessions()), "sockets": h.Sockets.CountOpen(), "watches": h.CountWatches(),
	}
}

// readHeapSize returns how many bytes the heap has, and how many of them the last collection found in use:
// those without what is garbage already. Unlike runtime.ReadMemStats it does not stop the program.
func readHeapSize() (heap, live uint64) {
	sizes := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sizes)
	for i, n := range []*uint64{&heap, &live} {
		if sizes[i].Value.Kind() == metrics.KindUint64 {
			*n = sizes[i].Value.Uint64()
		}
	}
	return heap, live
}
