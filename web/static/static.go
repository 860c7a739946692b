// Package static holds the stylesheets, scripts and pictures, embedded in the
// program, under one content hash.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

//go:embed css js img vendor
var files embed.FS

// Files is the embedded tree.
func Files() fs.FS { return files }

// Prefix is the URL below which the files are served: "/static/<hash>". The hash
// covers the whole tree, so that relative imports between modules stay within one
// version.
var Prefix = sync.OnceValue(func() string { return "/static/" + hashFiles(files) })

// hashFiles is over every file's name and content, in order.
func hashFiles(tree fs.FS) string {
	h := sha256.New()
	h.Write([]byte(strings.Join(stylesheets, " "))) // the joined stylesheet has an order
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		h.Write([]byte(name + "\x00"))
		h.Write(sum[:])
		return nil
	})
	if err != nil { // an embedded tree is always readable
		panic(err)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// mediaTypes are named here because a system's own table may know them otherwise.
var mediaTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".txt":  "text/plain; charset=utf-8",
	".json": "application/json",
}

// Handler serves the files below Prefix, for ever: another content has another
// address. Nothing else is there, no listing either.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, Prefix()+"/")
		if info, err := fs.Stat(files, name); !ok || name != StylesheetName && (err != nil || info.IsDir()) {
			http.Error(w, "no such file in this version", http.StatusNotFound)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("ETag", `"`+path.Base(Prefix())+`"`)
		if t, ok := mediaTypes[path.Ext(name)]; ok {
			h.Set("Content-Type", t)
		}
		if name == StylesheetName {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(joinStylesheets()))
			return
		}
		http.ServeFileFS(w, r, files, name)
	})
}
