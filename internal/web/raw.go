package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
)

// pathParam is a part of the path as it was before escaping. An id may hold anything,
// a slash too.
func pathParam(r *http.Request, name string) (string, error) {
	v := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return v, nil // nothing was escaped that chi has not seen unescaped
	}
	id, err := url.PathUnescape(v)
	if err != nil {
		return "", fmt.Errorf("%w: %q in the address", session.ErrInvalid, v)
	}
	return id, nil
}

// maxReadTries is how often an entry is read when its file changes meanwhile.
const maxReadTries = 3

// withEntryPos finds an entry and hands its place to read. A place is void once the
// file was rewritten; then it is looked up again.
func withEntryPos(sess *store.Session, id string, read func(p session.Pos) error) error {
	var err error
	for range maxReadTries {
		at := session.NoPos
		sess.ReadTree(func(t *session.Tree, _ store.Revision) { at = t.FindID(id) })
		if at == session.NoPos {
			return fmt.Errorf("%w: %q", view.ErrNoEntry, id)
		}
		if err = read(at); !errors.Is(err, session.ErrStale) {
			return err
		}
	}
	return err
}

// serveRawLine answers the recorded line of an entry.
func (s *Server) serveRawLine(w http.ResponseWriter, r *http.Request, sess *store.Session, id string) error {
	return withEntryPos(sess, id, func(p session.Pos) error {
		line, err := sess.ReadRawLine(r.Context(), p)
		if err != nil {
			return err
		}
		sess.ReadTree(func(t *session.Tree, _ store.Revision) {
			if sess.HasRequest(t, p) {
				w.Header().Set("Link", "<?raw=request>; rel=related; title=request")
			}
		})
		writePlainText(w, line)
		return nil
	})
}

// serveRawRequest writes the request that an entry answers as it was recorded, with what
// it names put in.
func (s *Server) serveRawRequest(w http.ResponseWriter, r *http.Request, sess *store.Session, id string) error {
	return withEntryPos(sess, id, func(p session.Pos) error {
		request, err := sess.ReadRequest(r.Context(), p)
		if err != nil {
			return err
		}
		var text bytes.Buffer
		to := json.NewEncoder(&text)
		to.SetEscapeHTML(false)
		to.SetIndent("", "  ")
		if err := to.Encode(request); err != nil {
			return err
		}
		writePlainText(w, bytes.TrimSuffix(text.Bytes(), []byte("\n")))
		return nil
	})
}

// serveLineByNumber answers a recorded line by its number, of the session's main file or of the
// one that file= counts: what is no entry can be read, too.
func (s *Server) serveLineByNumber(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.openSession(r)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(chi.URLParam(r, "line"))
	if err != nil || n < 1 {
		return fmt.Errorf("%w: lines are counted from 1", session.ErrInvalid)
	}
	file := 0
	if q := r.URL.Query().Get("file"); q != "" {
		if file, err = strconv.Atoi(q); err != nil || file < 0 {
			return fmt.Errorf("%w: files are counted from 0", session.ErrInvalid)
		}
	}
	line, err := sess.ReadNoteLine(r.Context(), session.Note{Line: n, File: file})
	if err != nil {
		return err
	}
	writePlainText(w, line)
	return nil
}

// writePlainText shows a recorded line as text, whatever it holds.
func writePlainText(w http.ResponseWriter, line []byte) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", cacheNever)
	_, _ = w.Write(append(bytes.Clone(line), '\n')) // the reader may have left
}

// serveImage answers the n-th image of an entry, if its type is one that browsers
// draw and never run.
func (s *Server) serveImage(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.openSession(r)
	if err != nil {
		return err
	}
	id, err := pathParam(r, "id")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(chi.URLParam(r, "n"))
	if err != nil || n < 0 {
		return fmt.Errorf("%w: images are counted from 0", session.ErrInvalid)
	}
	return withEntryPos(sess, id, func(p session.Pos) error {
		body, err := sess.ReadBody(r.Context(), p)
		if err != nil {
			return err
		}
		b, ok := view.FindImage(body, n)
		if !ok || !view.IsSafeImage(b.Name) {
			return fmt.Errorf("%w: entry %q has no image %d that can be shown", session.ErrNotFound, id, n)
		}
		data := b.Data
		if b.Blob != "" {
			if data, err = sess.ReadBlob(r.Context(), b.Blob); err != nil {
				return err
			}
		}
		return s.writeImage(w, r, sess, b.Name, data)
	})
}

func (s *Server) writeImage(w http.ResponseWriter, r *http.Request, sess *store.Session, mime string, data []byte) error {
	epoch := strconv.FormatUint(sessionRevision(sess).Epoch, 36)
	if s.checkNotModified(w, r, cacheRevalidate, "image", epoch, r.URL.Path, strconv.Itoa(len(data))) {
		return nil
	}
	w.Header().Set("Content-Type", mime)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data)
	return nil
}
