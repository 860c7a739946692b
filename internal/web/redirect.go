package web

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/follow"
)

// redirectMoved redirects to the new address if err is a follow.MovedError.
func redirectMoved(w http.ResponseWriter, r *http.Request, err error) bool {
	var moved *follow.MovedError
	if !errors.As(err, &moved) {
		return false
	}
	to := *r.URL
	here := func(path string) string {
		return strings.Replace(path, "/sessions/"+chi.URLParam(r, "key"), "/sessions/"+moved.Key, 1)
	}
	to.Path, to.RawPath = here(r.URL.Path), here(r.URL.EscapedPath()) // an id may contain a slash
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.RequestURI(), http.StatusTemporaryRedirect)
	return true
}

func handleNotFound(_ http.ResponseWriter, r *http.Request) error {
	return fmt.Errorf("%w: nothing at %q", session.ErrNotFound, r.URL.Path)
}
