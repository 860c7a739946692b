// Package static serves the embedded stylesheets, scripts and images below a content hash.
package static

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Files returns the files.
func Files() fs.FS { return files }

// Prefix returns the URL prefix of the files: "/static/<hash>". The hash covers the whole
// tree, so that relative imports between modules stay within one version.
var Prefix = sync.OnceValue(func() string { return "/static/" + hashFiles(files) })

// hashFiles returns a hash of the names and contents of all files.
func hashFiles(tree fs.FS) string {
	h := sha256.New()
	h.Write([]byte(strings.Join(stylesheets, " "))) // the order of stylesheets matters
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
	if err != nil { // embedded files are always readable
		panic(err)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// mediaTypes overrides the system's table of media types.
var mediaTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".txt":         "text/plain; charset=utf-8",
	".json":        "application/json",
	".webmanifest": "application/manifest+json",
}

// Handler serves the files below Prefix, to be cached forever: changed content has another
// address. It does not list directories.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, Prefix()+"/")
		if info, err := fs.Stat(files, name); !ok || name != StylesheetName && (err != nil || info.IsDir()) {
			http.Error(w, "no such file in this version", http.StatusNotFound)
			return
		}
		h := w.Header()
		if isFromDisk {
			h.Set("Cache-Control", "no-store")
		} else {
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
			h.Set("ETag", `"`+path.Base(Prefix())+`"`)
		}
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
