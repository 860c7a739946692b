// Package deviceapi serves the devices that push sessions to a hub: package wire has the
// protocol.
package deviceapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/push/wire"
	"sessiontree/internal/session/team"
	"sessiontree/internal/web/auth"
)

// Handlers are the handlers for devices.
type Handlers struct {
	Archive  archive.TreeStore
	Registry team.Registry
	Log      *slog.Logger
	Clock    func() time.Time
	// OnAppend is called with the path in the archive of a file that grew. It must not block.
	OnAppend func(archived string)
	Limiter  *auth.LinkLimiter // of requests with unknown codes and tokens
}

// AddRoutes adds the addresses of package wire.
func (h *Handlers) AddRoutes(r chi.Router) {
	r.Post(wire.EnrollPath, h.handleErrors(h.enrollDevice))
	r.Group(func(r chi.Router) {
		r.Use(h.requireDevice)
		r.Post(wire.HeadsPath, h.handleErrors(h.listHeads))
		r.Put(wire.FilesPath+"{id}/{generation}", h.handleErrors(h.appendSegment))
	})
}

// failure is an error with the status of its response.
type failure struct {
	status int
	text   string
}

// Error implements error.
func (f failure) Error() string { return f.text }

func badRequest(format string, args ...any) error {
	return failure{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// retryAfter is how many seconds a device waits after a failure of the store.
const retryAfter = "5"

// handleErrors converts a handler that returns an error to an http.HandlerFunc.
func (h *Handlers) handleErrors(fn func(w http.ResponseWriter, r *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := fn(w, r); err != nil {
			h.writeError(w, r, err)
		}
	}
}

func (h *Handlers) writeError(w http.ResponseWriter, r *http.Request, err error) {
	var known failure
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &known):
	case errors.As(err, &tooLarge):
		known = failure{http.StatusRequestEntityTooLarge, "the request is too large"}
	case errors.Is(err, team.ErrDeleted):
		known = failure{http.StatusGone, err.Error()}
	default:
		h.Log.Error("a device was refused because of a failure of the store", "path", r.URL.Path, "err", err)
		w.Header().Set("Retry-After", retryAfter)
		known = failure{http.StatusServiceUnavailable, "the hub cannot store this now"}
	}
	writeJSON(w, known.status, wire.Failure{Error: known.text})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}

// readJSON reads the body of a request.
func readJSON(w http.ResponseWriter, r *http.Request, v any) error {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, wire.MaxBody))
	if err := d.Decode(v); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return err
		}
		return badRequest("the request is no valid JSON: %v", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return badRequest("there is something after the JSON of the request")
	}
	return nil
}

// deviceKey is the key of the device in the context of a request.
type deviceKey struct{}

func requestDevice(r *http.Request) team.Device {
	d, _ := r.Context().Value(deviceKey{}).(team.Device)
	return d
}

var (
	errToken   = failure{http.StatusUnauthorized, "the token of the device is unknown or was revoked"}
	errRole    = failure{http.StatusForbidden, "the owner of this device may not push"}
	errTooMany = failure{http.StatusTooManyRequests, "too many requests with an unknown code or token"}
)

// requireDevice finds the device of a request by its token.
func (h *Handlers) requireDevice(next http.Handler) http.Handler {
	return h.handleErrors(func(w http.ResponseWriter, r *http.Request) error {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		d, err := h.Registry.FindDeviceByToken(r.Context(), team.HashSecret(token))
		switch {
		case !ok || errors.Is(err, team.ErrNotFound):
			return h.refuseUnknown(w, r, errToken)
		case err != nil:
			return err
		case !d.Revoked.IsZero():
			return h.refuse(r, d, "", errToken)
		}
		owner, err := h.Registry.FindPerson(r.Context(), d.Person)
		if err != nil && !errors.Is(err, team.ErrNotFound) {
			return err
		}
		if owner.Role != team.Member && owner.Role != team.Admin {
			return h.refuse(r, d, "", errRole)
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), deviceKey{}, d)))
		return nil
	})
}

// refuseUnknown returns why a request with an unknown code or token is refused.
func (h *Handlers) refuseUnknown(w http.ResponseWriter, r *http.Request, why failure) error {
	if h.Limiter.AllowInvalidLink(r) {
		return why
	}
	w.Header().Set("Retry-After", retryAfter)
	return errTooMany
}

// refuse records that a request of a known device was refused, and returns why.
func (h *Handlers) refuse(r *http.Request, d team.Device, session string, why failure) error {
	err := h.Registry.AddEvent(r.Context(), team.Event{
		Time: h.Clock(), Person: d.Person, Device: d.ID, Action: team.Refuse, Session: session, Title: d.Name, Detail: why.text,
	})
	if err != nil {
		return err
	}
	return why
}
