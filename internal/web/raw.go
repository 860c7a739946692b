package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
)

// rawHandlers serve what is in the files: lines, requests and images.
type rawHandlers struct {
	*responder
	*sessionSource
}

// pathParam returns an unescaped parameter of the path. An id may contain anything, even a
// slash.
func pathParam(r *http.Request, name string) (string, error) {
	v := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return v, nil // chi matched the unescaped path
	}
	id, err := url.PathUnescape(v)
	if err != nil {
		return "", fmt.Errorf("%w: %q in the address", session.ErrInvalid, v)
	}
	return id, nil
}

// maxReadTries limits how often an entry is read again when its file changes.
const maxReadTries = 3

// withEntryPos calls read with the position of an entry. If the file is rewritten
// meanwhile, it looks up the position again.
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

// serveRawLine serves the raw line of an entry.
func (h *rawHandlers) serveRawLine(w http.ResponseWriter, r *http.Request, sess *store.Session, id string) error {
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

// serveText serves the text of an entry to copy, see path.EntryText.
func (h *rawHandlers) serveText(w http.ResponseWriter, r *http.Request, sess *store.Session, id string) error {
	return withEntryPos(sess, id, func(p session.Pos) error {
		body, err := sess.ReadBody(r.Context(), p)
		if err != nil {
			return err
		}
		var kind session.Kind
		sess.ReadTree(func(t *session.Tree, _ store.Revision) { kind = t.At(p).Kind })
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", cacheNever)
		_, _ = io.WriteString(w, path.EntryText(kind, &body, r.URL.Query().Get("call"))) // the client may be gone
		return nil
	})
}

// serveRawRequest serves the recorded request that led to an entry, with its references
// resolved.
func (h *rawHandlers) serveRawRequest(w http.ResponseWriter, r *http.Request, sess *store.Session, id string) error {
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

// serveLineByNumber serves a raw line by its number, also one that is no entry. The line is
// in the session's main file or in the file with the index in file=.
func (h *rawHandlers) serveLineByNumber(w http.ResponseWriter, r *http.Request) error {
	sess, err := h.openSession(r)
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

// writePlainText writes a raw line as plain text.
func writePlainText(w http.ResponseWriter, line []byte) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", cacheNever)
	_, _ = w.Write(append(bytes.Clone(line), '\n')) // the client may be gone
}

// serveImage serves the n-th image of an entry if browsers render its type safely.
func (h *rawHandlers) serveImage(w http.ResponseWriter, r *http.Request) error {
	sess, err := h.openSession(r)
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
		b, ok := path.FindImage(body, n)
		if !ok || !path.IsSafeImage(b.Name) {
			return fmt.Errorf("%w: entry %q has no image %d that can be shown", session.ErrNotFound, id, n)
		}
		data := b.Data
		if b.Blob != "" {
			if data, err = sess.ReadBlob(r.Context(), b.Blob); err != nil {
				return err
			}
		}
		return h.writeImage(w, r, sess, b.Name, data)
	})
}

func (h *rawHandlers) writeImage(w http.ResponseWriter, r *http.Request, sess *store.Session, mime string, data []byte) error {
	epoch := strconv.FormatUint(sess.Revision().Epoch, 36)
	if h.checkNotModified(w, r, cacheRevalidate, "image", epoch, r.URL.Path, strconv.Itoa(len(data))) {
		return nil
	}
	w.Header().Set("Content-Type", mime)
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data)
	return nil
}
