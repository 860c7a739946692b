package main

// File contents, outputs and diffs of the samples.
const (
	serveSource = `package tile

// ServeHTTP draws one tile and writes it as a PNG.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, err := parseID(r.URL.Path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	img := s.draw(id)
	w.Header().Set("Content-Type", "image/png")
	if err := png.Encode(w, img); err != nil {
		s.log.Warn("encode", "tile", id, "err", err)
	}
}
`
	profile = `Duration: 2.41s, Total samples = 2.18s (90.46%)
      flat  flat%   sum%        cum   cum%
     0.91s 41.74% 41.74%      1.61s 73.85%  image/png.(*encoder).writeImage
     0.42s 19.27% 61.01%      0.42s 19.27%  compress/flate.(*compressor).deflate
     0.33s 15.14% 76.15%      0.33s 15.14%  atlas/internal/feature.(*reader).next
     0.18s  8.26% 84.40%      0.18s  8.26%  atlas/internal/tile.(*Server).draw
`
	cacheSource = `package tile

import (
	"container/list"
	"sync"
)

// Cache keeps encoded tiles, bounded by their bytes, the oldest leave first.
type Cache struct {
	mu    sync.Mutex
	limit int
	used  int
	order *list.List
	tiles map[ID]*list.Element
}

type kept struct {
	id ID
	b  []byte
}

// NewCache makes a cache of at most limit bytes; 0 keeps nothing.
func NewCache(limit int) *Cache {
	return &Cache{limit: limit, order: list.New(), tiles: map[ID]*list.Element{}}
}
`
	serveDiff = `   9 		return
  10 	}
- 11 	img := s.draw(id)
- 12 	w.Header().Set("Content-Type", "image/png")
- 13 	if err := png.Encode(w, img); err != nil {
- 14 		s.log.Warn("encode", "tile", id, "err", err)
- 15 	}
+ 11 	w.Header().Set("Content-Type", "image/png")
+ 12 	if b, ok := s.cache.get(id); ok {
+ 13 		w.Write(b)
+ 14 		return
+ 15 	}
+ 16 	var buf bytes.Buffer
+ 17 	if err := png.Encode(&buf, s.draw(id)); err != nil {
+ 18 		s.fail(w, id, err)
+ 19 		return
+ 20 	}
+ 21 	s.cache.put(id, buf.Bytes())
+ 22 	w.Write(buf.Bytes())
  23 }
`
	evictDiff = `  38 	c.mu.Lock()
  39 	defer c.mu.Unlock()
- 40 	for c.used > c.limit {
+ 40 	for c.used+len(b) > c.limit {
  41 		c.dropOldest()
  42 	}
`
	contextDiff = `  18 		s.fail(w, id, err)
  19 		return
  20 	}
+ 21 	if err := r.Context().Err(); err != nil {
+ 22 		return // the client is gone and the tile may be cut short
+ 23 	}
- 21 	s.cache.put(id, buf.Bytes())
+ 24 	s.cache.put(id, buf.Bytes())
  25 	w.Write(buf.Bytes())
`
	metricsSource = `package metrics

// Page writes one line per counter.
func Page(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintf(w, "requests %d\n", requests.Load())
}
`
	metricsDiff = `   4 func Page(w http.ResponseWriter, _ *http.Request) {
   5 	fmt.Fprintf(w, "requests %d\n", requests.Load())
+  6 	fmt.Fprintf(w, "tile_cache_hits %d\n", cache.Hits())
+  7 	fmt.Fprintf(w, "tile_cache_misses %d\n", cache.Misses())
+  8 	fmt.Fprintf(w, "tile_cache_bytes %d\n", cache.Bytes())
   9 }
`
)

const diskSource = `package tile

import (
	"os"
	"path/filepath"
)

// store writes a tile to the disk. No reader sees a part of it.
func (d *disk) store(id ID, b []byte) error {
	tmp, err := os.CreateTemp(d.dir, "tile-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(b); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), filepath.Join(d.dir, id.String()))
}
`
