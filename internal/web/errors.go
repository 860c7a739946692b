package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"syscall"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/web/auth"
	"sessiontree/internal/web/live"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/comparison"
	"sessiontree/web/components"
)

// Errors of the HTTP layer; those of the domain are in package session.
var (
	errMethod   = errors.New("method not allowed")
	errTooLarge = errors.New("too large")
	errTooSlow  = errors.New("too slow")
	errNoShares = errors.New("sharing is off")
	errPanic    = errors.New("a bug of the explorer") // logged where it is recovered
)

// httpProblem is how an error is presented. The error's own message is shown only if detail
// is set.
type httpProblem struct {
	err    error
	status int
	title  string
	text   string
	detail bool // the error's message only repeats the request
	hint   []string
}

// httpProblems maps errors to responses. The first match counts; the last one is the
// default.
var httpProblems = []httpProblem{
	{
		err: auth.ErrNoToken, status: http.StatusUnauthorized, title: "This explorer needs a token",
		text: "It shows private sessions, so only the user who started it gets in without one. Open the address that the program printed when it started. This command prints it again, and the token to add to the address:",
		hint: []string{"explorer token"},
	},
	{
		err: auth.ErrUnknownHost, status: http.StatusMisdirectedRequest, title: "Unknown host name",
		text: "This explorer answers to localhost and to the addresses it listens on. To reach it by another name, start it with that name:",
		hint: []string{"explorer serve --host NAME"},
	},
	{err: errMethod, status: http.StatusMethodNotAllowed, title: "This address is read-only", text: "Use GET."},
	{err: live.ErrClosing, status: http.StatusServiceUnavailable, title: "The explorer is stopping", text: "Start it again, then reload this page."},
	{err: errTooLarge, status: http.StatusRequestEntityTooLarge, title: "Request too large", text: "The limit is one megabyte. Nothing was written."},
	{err: errTooSlow, status: http.StatusRequestTimeout, title: "The form took too long", text: "It did not arrive within 30 seconds. Nothing was written."},
	{err: safefile.ErrUnconfirmed, status: http.StatusInternalServerError, title: "Could not confirm the write to disk", text: "The change was written, but may not survive a crash of the system.", detail: true},
	{err: session.ErrReadOnly, status: http.StatusForbidden, title: "This cannot be changed", text: "Nothing was written.", detail: true},
	{err: session.ErrConflict, status: http.StatusConflict, title: "The session has changed", text: "Nothing was written. Review the current state, then try again.", detail: true},
	{err: session.ErrExists, status: http.StatusConflict, title: "The file already exists", text: "Nothing was written: existing files are never overwritten.", detail: true},
	{err: hook.ErrCancelled, status: http.StatusUnprocessableEntity, title: "A hook refused the change", text: "Nothing was written.", detail: true},
	{err: hook.ErrNoSummarizer, status: http.StatusUnprocessableEntity, title: "No summarizer is set", text: "Start the explorer with --summarizer COMMAND. Nothing was written."},
	{err: hook.ErrFailed, status: http.StatusUnprocessableEntity, title: "A program failed", text: "Nothing was written.", detail: true},
	{err: syscall.ENOSPC, status: http.StatusInsufficientStorage, title: "The disk is full", text: "Nothing was written."},
	{err: session.ErrStale, status: http.StatusConflict, title: "The file changed while it was read", text: "Reload the page to see it as it is now."},
	{err: session.ErrInvalid, status: http.StatusUnprocessableEntity, title: "Invalid address", text: "Part of it has an unknown value.", detail: true},
	{err: session.ErrNoSession, status: http.StatusUnprocessableEntity, title: "No longer a session", text: "The file exists, but no longer starts like a session file."},
	{err: comparison.ErrOneBranch, status: http.StatusNotFound, title: "Nothing to compare", text: "This session has only one branch."},
	{err: view.ErrNoEntry, status: http.StatusNotFound, title: "This entry is not in the session", text: "The file no longer contains it, or the link is incomplete.", detail: true},
	{err: session.ErrNotFound, status: http.StatusNotFound, title: "Not found", text: "It may have been moved or deleted since the link was made.", detail: true},
	{err: fs.ErrNotExist, status: http.StatusNotFound, title: "The file is gone", text: "The session's file was moved or deleted."},
	{err: fs.ErrPermission, status: http.StatusForbidden, title: "No permission to read the file", text: "Its permissions do not allow this user to read it."},
	{err: context.DeadlineExceeded, status: http.StatusServiceUnavailable, title: "This took too long", text: "Try again in a moment."},
	{err: errNoShares, status: http.StatusServiceUnavailable, title: "Sharing is off", text: "The explorer cannot write to its state directory. Start it with --state DIR to choose another."},
	{err: nil, status: http.StatusInternalServerError, title: internalErrorTitle, text: "The explorer could not do this. See its log; start it with --debug for details."},
}

const internalErrorTitle = "Something went wrong"

func problemForError(err error) httpProblem {
	for _, p := range httpProblems {
		if p.err != nil && errors.Is(err, p.err) {
			return p
		}
	}
	return httpProblems[len(httpProblems)-1]
}

// writeError responds with an error: a page for browsers, JSON for programs.
func (s *responder) writeError(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return // the client is gone
	}
	p, detail := s.describeError(r, err)
	h := w.Header()
	h.Del("ETag")
	h.Set("Cache-Control", "no-store")
	if p.status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Token realm="session explorer"`)
	}
	if wantsHTML(r) {
		if err := s.renderComponent(w, r, p.status, components.ErrorPage(s.errorModel(r, p, detail))); err != nil {
			s.log.Error("error page", "err", err)
			http.Error(w, p.title, p.status)
		}
		return
	}
	writeProblemJSON(w, p, detail)
}

// describeError returns the problem and the detail to show for an error. It logs unexpected
// errors.
func (s *responder) describeError(r *http.Request, err error) (p httpProblem, detail string) {
	p = problemForError(err)
	if p.err == nil && s.ctx.Err() != nil {
		p = problemForError(live.ErrClosing) // interrupted by Close
	}
	if p.err == nil && !errors.Is(err, errPanic) {
		s.log.Error("request failed", "path", loggablePath(r), "err", err)
	}
	if p.detail {
		detail = strings.TrimPrefix(err.Error(), p.err.Error()+": ")
	}
	return p, detail
}

// wantsHTML reports whether the client accepts HTML. Browsers ask for it when they
// navigate; scripts and programs accept anything.
func wantsHTML(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

// errorModel returns the model of the error page for a problem.
func (s *responder) errorModel(r *http.Request, p httpProblem, detail string) components.ErrorModel {
	m := components.ErrorModel{
		Page:   s.pageModel(r, p.title),
		Status: p.status,
		Title:  p.title,
		Text:   p.text,
		Detail: detail,
		Hint:   p.hint,
	}
	m.Live = "" // an error page has nothing to follow
	switch p.status {
	case http.StatusUnauthorized:
		m.Hint = append([]string{fmt.Sprintf("http://%s/?token=TOKEN", r.Host)}, p.hint...)
	case http.StatusMisdirectedRequest:
	default:
		m.Links = []components.Link{{Text: "All sessions", Href: "/"}}
	}
	if p.err == view.ErrNoEntry {
		m.Links = append([]components.Link{{Text: "Open the session at its leaf", Href: "/sessions/" + chi.URLParam(r, "key")}}, m.Links...)
	}
	return m
}

func writeProblemJSON(w http.ResponseWriter, p httpProblem, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.status)
	_ = json.NewEncoder(w).Encode(struct {
		Type   string   `json:"type"`
		Title  string   `json:"title"`
		Status int      `json:"status"`
		Detail string   `json:"detail,omitempty"`
		Hint   []string `json:"hint,omitempty"`
	}{"about:blank", p.title, p.status, detail, p.hint})
}
