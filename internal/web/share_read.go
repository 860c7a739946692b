package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/onepage"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// errShareLimit: a peer asked for too many links that are none.
var errShareLimit = errors.New("too many links that are none")

// readers are the addresses below /share. They show snapshots by the handlers of
// sessions, and know nothing else.
func (s *Server) readers(zip func(http.Handler) http.Handler) http.Handler {
	r := chi.NewRouter()
	r.Use(forReaders)
	none := func(w http.ResponseWriter, r *http.Request) { s.failReader(w, r, session.ErrNotFound) }
	r.NotFound(none)
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) { s.failReader(w, r, errMethod) })
	r.With(s.shared).Get("/{token}/live", s.toReader(s.shareLive))
	r.Group(func(r chi.Router) {
		r.Use(zip, s.shared)
		r.Get("/{token}", s.toReader(s.sharePage))
		r.Get("/{token}/rows", s.toReader(s.rows))
		r.Get("/{token}/path", s.toReader(s.path))
		r.Get("/{token}/facts", s.toReader(s.facts))
		r.Get("/{token}/news", s.toReader(s.news))
		r.Get("/{token}/search", s.toReader(s.search))
		r.Get("/{token}/lines/{line}", s.toReader(s.line))
		r.Get("/{token}/entries/{id}", s.toReader(s.entry))
		r.Get("/{token}/entries/{id}/image/{n}", s.toReader(s.image))
		r.Get("/{token}/download", s.toReader(s.shareFile))
	})
	return r
}

// forReaders sets what every answer about a share has: nobody keeps it, no search
// engine lists it, and where it was read is not told.
func forReaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Robots-Tag", "noindex, nofollow")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", keepNot)
		next.ServeHTTP(w, r)
	})
}

// shareKey is where a context holds the share that is read.
type shareKey struct{}

// token is the secret part of a link.
func token(r *http.Request) string { return chi.URLParam(r, "token") }

// shared finds the snapshot of the link, for the handlers of sessions.
func (s *Server) shared(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sess, sh, err := s.shares.Open(r.Context(), token(r))
		if err != nil {
			if errors.Is(err, session.ErrNotFound) && !s.limiter.wrong(r) {
				err = errShareLimit
			}
			s.failReader(w, r, err)
			return
		}
		stand := view.Stand{Base: "/share/" + token(r)}
		var project, format string
		sess.Read(func(t *session.Tree, _ store.Rev) { project, format = view.Project(t), t.Header().Format })
		if !sh.Names {
			project = ""
		}
		stand.Reader = s.builder.Reader(&sh, stand.Base, project, format, s.now())
		ctx := context.WithValue(r.Context(), shareKey{}, sh)
		next.ServeHTTP(w, r.WithContext(withShown(ctx, view.Shown{Session: sess, Stand: stand})))
	})
}

// toReader is serve for those who read a share: what goes wrong is told without a
// word about the rest of the explorer.
func (s *Server) toReader(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.failReader(w, r, err)
		}
	}
}

// sharePage is the page of a share. Asking for it is a visit.
func (s *Server) sharePage(w http.ResponseWriter, r *http.Request) error {
	if sh, ok := r.Context().Value(shareKey{}).(share.Share); ok && r.Method == http.MethodGet && wantsPage(r) {
		s.shares.Visited(sh.ID)
	}
	return s.sessionPage(w, r)
}

// mostFiles is how many snapshots are made into files at a time: a page that stands
// by itself is work.
const mostFiles = 2

// shareFile answers the snapshot as a file.
func (s *Server) shareFile(w http.ResponseWriter, r *http.Request) error {
	sess, err := s.session(r)
	if err != nil {
		return err
	}
	as := export.Kind(r.URL.Query().Get("as"))
	if as != export.JSONL && as != export.HTML {
		return session.ErrNotFound
	}
	if err := s.files.Acquire(r.Context(), 1); err != nil {
		return err
	}
	defer s.files.Release(1)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	job, err := export.Prepare(ctx, sess, export.Options{Part: export.Part{Scope: export.Tree}, As: as, Origin: store.Origin{Untold: true}, Page: s.sharePaint(r)})
	if err != nil {
		return err
	}
	return s.send(ctx, fileOf(w, job), r, job)
}

// sharePaint makes the page that a reader takes along: it says what the page of the
// link does, but for when that ends.
func (s *Server) sharePaint(r *http.Request) export.Painter {
	shown, _ := isShown(r.Context())
	own := *shown.Stand.Reader
	own.Expires, own.Never = components.Time{}, false
	return onepage.Painter(onepage.Options{View: s.builder.Config(), Reader: &own, Now: s.now})
}

// readerProblems are what readers are told of errors; the rest is not theirs.
var readerProblems = []problem{
	{err: errMethod, status: http.StatusMethodNotAllowed, title: "This page can only be read", text: "Nothing can be changed here."},
	{err: errShareLimit, status: http.StatusTooManyRequests, title: "Too many links that are none", text: "Wait a little, then try again."},
	{err: view.ErrNoEntry, status: http.StatusNotFound, title: "This entry is not in what was shared", text: "It may have been left out, or the link was cut short."},
	{err: session.ErrNotFound, status: http.StatusNotFound, title: "There is nothing here", text: "Perhaps the link was cut short. Ask whoever sent it for a new one."},
	{err: session.ErrInvalid, status: http.StatusNotFound, title: "There is nothing here", text: "Perhaps the link was cut short. Ask whoever sent it for a new one."},
	{err: session.ErrStale, status: http.StatusConflict, title: "This changed while it was read", text: "Reload the page to see it as it is now."},
	{err: context.DeadlineExceeded, status: http.StatusServiceUnavailable, title: "This took too long", text: "Try again in a moment."},
	{err: errClosing, status: http.StatusServiceUnavailable, title: "This is not served at the moment", text: "Try again later."},
}

// readerProblem is what a reader is told of an error.
func (s *Server) readerProblem(r *http.Request, err error) problem {
	if errors.Is(err, share.ErrGone) {
		return gone(s.goneShare(r))
	}
	for _, p := range readerProblems {
		if errors.Is(err, p.err) || errors.Is(p.err, errClosing) && s.ctx.Err() != nil {
			return p
		}
	}
	s.log.Error("request for a share failed", "path", safePath(r), "err", err)
	return problem{status: http.StatusInternalServerError, title: wrong, text: "Try again, or tell whoever sent you the link."}
}

// goneShare is the share that is not shown any more.
func (s *Server) goneShare(r *http.Request) share.Share {
	sh, _ := s.shares.Find(token(r))
	return sh
}

// gone tells of a share that is not shown any more. One whose file was deleted was
// revoked, too, if by other means.
func gone(sh share.Share) problem {
	p := problem{status: http.StatusGone, title: "This link has expired", text: "Ask whoever sent it for a new one."}
	if !sh.Revoked.IsZero() || sh.Lost || sh.Damage != "" {
		p.title = "This link was revoked"
	}
	return p
}

// failReader tells a reader of an error.
func (s *Server) failReader(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return // the reader left
	}
	p := s.readerProblem(r, err)
	h := w.Header()
	h.Del("ETag")
	h.Set("Cache-Control", keepNot)
	if p.status == http.StatusTooManyRequests {
		h.Set("Retry-After", strconv.Itoa(int(wrongEvery/time.Second)))
	}
	if !wantsPage(r) {
		failJSON(w, p, "")
		return
	}
	m := components.ShareEnd{Page: s.page(r, p.title), Status: p.status, Title: p.title, Text: p.text}
	m.Live = ""
	if sess, ok := isShown(r.Context()); ok {
		m.Link = &components.Link{Text: "Read it from the beginning", Href: sess.Stand.Base}
	}
	if err := s.render(w, r, p.status, components.ShareEndPage(m)); err != nil {
		s.log.Error("error page", "err", err)
		http.Error(w, p.title, p.status)
	}
}
