package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A request interrupted by a shutdown reports the shutdown, not an internal error.
func TestFail_whileClosing(t *testing.T) {
	s := newSite(t)
	s.Server.Close()
	for name, err := range map[string]error{"cancelled": context.Canceled, "closed": errors.New("file already closed")} {
		w := httptest.NewRecorder()
		s.writeError(w, httptest.NewRequest("GET", "/", nil), err)
		if w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s: status %d, want 503", name, w.Code)
		}
		w = httptest.NewRecorder()
		s.viewers.writeViewerError(w, httptest.NewRequest("GET", "/share/x", nil), err)
		if w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s, of a share: status %d, want 503", name, w.Code)
		}
	}
}

// The warning is shown above the list.
func TestShowWarning(t *testing.T) {
	s := newSite(t)
	s.fillCatalog()
	before := s.getOK("/").Header.Get("ETag")
	s.ShowWarning("Raise <fs.inotify.max_user_watches>.")
	a := s.getOK("/", header("If-None-Match", before))
	if !strings.Contains(a.body, "Raise &lt;fs.inotify.max_user_watches&gt;.") {
		t.Error("the list does not show the warning")
	}
}
