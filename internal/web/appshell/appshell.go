// Package appshell serves what browsers need to install the explorer as an app: the service
// worker, and the page that it shows while the server is not running. They contain nothing
// of any session.
package appshell

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"path"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"sessiontree/web/components"
	"sessiontree/web/static"
)

// offlinePath is the address of the page that the worker keeps.
const offlinePath = "/offline"

// offlineFiles are the static files of that page.
var offlineFiles = []string{"css/pages/all.css", "js/boot.js", "js/offline.js", "img/icon.svg"}

// AddRoutes adds the routes, which anybody may call.
func AddRoutes(r chi.Router) {
	r.Get("/worker.js", serveWorker)
	r.Get(offlinePath, templ.Handler(components.OfflinePage(static.Prefix())).ServeHTTP)
	r.Get("/favicon.ico", ServeFavicon)
}

// keptFiles tells the worker what to keep.
type keptFiles struct {
	Cache string   `json:"cache"` // name of the cache, other for other contents
	Page  string   `json:"page"`
	Files []string `json:"files"`
}

// serveWorker serves the script of the service worker. Its address stays the same, so that
// browsers replace the worker of an earlier version.
func serveWorker(w http.ResponseWriter, _ *http.Request) {
	kept := keptFiles{Cache: "shell-" + path.Base(static.Prefix()), Page: offlinePath}
	for _, name := range offlineFiles {
		kept.Files = append(kept.Files, static.Prefix()+"/"+name+components.OfflineQuery)
	}
	about, err := json.Marshal(kept)
	if err != nil { // it has only strings
		panic(err)
	}
	script, err := fs.ReadFile(static.Files(), "js/worker.js")
	if err != nil { // embedded files are always readable
		panic(err)
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write([]byte("const SHELL = " + string(about) + ";\n" + string(script))) // the client may be gone
}

// ServeFavicon serves the icon that browsers request for responses other than pages.
func ServeFavicon(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "private, max-age=86400")
	w.Header().Set("Content-Type", "image/svg+xml")
	http.ServeFileFS(w, r, static.Files(), "img/icon.svg")
}
