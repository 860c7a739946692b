// Package static serves the embedded stylesheets, scripts and images below a content hash.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
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

// hashFiles returns a hash of the names and contents of all files. It is part of each start, so the
// files are not copied as a whole.
func hashFiles(tree fs.FS) string {
	all, one := sha256.New(), sha256.New()
	buf := make([]byte, 32<<10)
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := tree.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		one.Reset()
		if _, err := io.CopyBuffer(one, f, buf); err != nil {
			return err
		}
		all.Write([]byte(name + "\x00"))
		all.Write(one.Sum(nil))
		return nil
	})
	if err != nil { // embedded files are always readable
		panic(err)
	}
	return hex.EncodeToString(all.Sum(nil)[:8])
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
		if info, err := fs.Stat(files, name); !ok || err != nil || info.IsDir() {
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
		if small := compressed(name); small != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			h.Add("Vary", "Accept-Encoding")
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(small))
			return
		}
		http.ServeFileFS(w, r, files, name)
	})
}

// minCompressed is the size of the smallest file that is worth compressing.
const minCompressed = 1 << 10

// compressedFiles has the compressed contents of files by name, once they were requested.
var compressedFiles sync.Map // string to func() []byte

// compressed returns the compressed content of a script or stylesheet, or nil if the file is
// served as it is. It compresses as much as possible, once, because each page needs the files.
func compressed(name string) []byte {
	if ext := path.Ext(name); isFromDisk || ext != ".js" && ext != ".css" {
		return nil
	}
	compress, _ := compressedFiles.LoadOrStore(name, sync.OnceValue(func() []byte {
		data, err := fs.ReadFile(files, name)
		if err != nil || len(data) < minCompressed {
			return nil
		}
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails only for an unknown level
		_, _ = z.Write(data)                                  // the buffer takes it
		_ = z.Close()
		return b.Bytes()
	}))
	return compress.(func() []byte)()
}
