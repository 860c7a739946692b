package deviceapi

import (
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"
	"github.com/klauspost/compress/zstd"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/push/wire"
	"sessiontree/internal/session/team"
)

// noteInterval is how often a request of a device is recorded, at most.
const noteInterval = time.Minute

// listHeads returns what the hub has of the files of a device.
func (h *Handlers) listHeads(w http.ResponseWriter, r *http.Request) error {
	var request wire.Heads
	if err := readJSON(w, r, &request); err != nil {
		return err
	}
	if len(request.Files) > wire.MaxFiles {
		return badRequest("%d files at once; the limit is %d", len(request.Files), wire.MaxFiles)
	}
	d, now := requestDevice(r), h.Clock()
	if now.Sub(d.Seen) >= noteInterval || request.Hidden > d.Hidden {
		if err := h.Registry.NoteDevice(r.Context(), d.ID, now, max(d.Hidden, request.Hidden)); err != nil {
			return err
		}
	}
	result := wire.HeadsResult{Files: make([]wire.FileHead, len(request.Files))}
	for i, f := range request.Files {
		head, err := h.addFile(r, d, f)
		if err != nil {
			return err
		}
		result.Files[i] = head
	}
	writeJSON(w, http.StatusOK, result)
	return nil
}

// addFile stores the description of a file and returns what the hub has of it.
func (h *Handlers) addFile(r *http.Request, d team.Device, f wire.File) (wire.FileHead, error) {
	switch {
	case !isValidPath(f.Path) || !isValidPath(f.Session):
		return wire.FileHead{Refused: "the path is not valid"}, nil
	case !slices.Contains(d.Projects, f.Project):
		return wire.FileHead{Refused: "this device may not push the project " + strconv.Quote(f.Project)}, nil
	case f.Rules == "" || len(f.Rules) > 64 || len(f.Format) > 64:
		return wire.FileHead{Refused: "the description of the file is not valid"}, nil
	}
	archived := archivePath(d, f.Path)
	err := h.Registry.PutFile(r.Context(), team.File{
		Path: archived, Session: archivePath(d, f.Session), Device: d.ID, Person: d.Person, Project: f.Project, Format: f.Format, Rules: f.Rules,
	})
	if errors.Is(err, team.ErrDeleted) {
		return wire.FileHead{Refused: err.Error()}, nil
	}
	if err != nil {
		return wire.FileHead{}, err
	}
	heads, err := h.Archive.Heads(r.Context(), archived)
	if err != nil {
		return wire.FileHead{}, err
	}
	var head archive.Head
	if len(heads) > 0 {
		head = heads[len(heads)-1]
	}
	return fileHead(f.Path, head), nil
}

// archivePath returns the path in the archive of a file of a device.
func archivePath(d team.Device, p string) string { return "/" + d.ID + p }

// isValidPath reports whether a path is absolute, without "." and "..", without hidden files,
// which no session is, and printable.
func isValidPath(p string) bool {
	return len(p) > 1 && len(p) <= 1024 && p[0] == '/' && path.Clean(p) == p && utf8.ValidString(p) &&
		!strings.Contains(p, "/.") && !strings.ContainsFunc(p, func(r rune) bool { return unicode.IsControl(r) || r == '\\' })
}

func fileHead(p string, head archive.Head) wire.FileHead {
	return wire.FileHead{ID: base64.RawURLEncoding.EncodeToString([]byte(p)), Generation: head.Generation, End: head.End, Chain: wire.FormatChain(head.Chain)}
}

// appendSegment stores a segment of a file.
func (h *Handlers) appendSegment(w http.ResponseWriter, r *http.Request) error {
	file, segment, err := h.parseSegment(w, r)
	if err != nil {
		return err
	}
	head, err := h.Archive.Append(r.Context(), segment)
	var conflict *archive.ConflictError
	if errors.As(err, &conflict) {
		text := "the segment does not continue what the hub has"
		writeJSON(w, http.StatusConflict, wire.Conflict{Error: text, Head: fileHead(file, conflict.Head)})
		return nil
	}
	if err != nil {
		return err
	}
	if err := h.purgeIfDeleted(r, segment.Path); err != nil {
		return err
	}
	h.OnAppend(segment.Path)
	w.Header().Set(wire.EndHeader, strconv.FormatInt(head.End, 10))
	w.Header().Set(wire.ChainHeader, wire.FormatChain(head.Chain))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// purgeIfDeleted deletes the bytes of a file whose session was deleted while a segment of it was
// stored.
func (h *Handlers) purgeIfDeleted(r *http.Request, archived string) error {
	_, err := h.Registry.FindFile(r.Context(), archived)
	if !errors.Is(err, team.ErrNotFound) {
		return err
	}
	return errors.Join(team.ErrDeleted, h.Archive.DeleteFile(r.Context(), archived))
}

// parseSegment reads the segment of a request, whose file must be one of the device. file is
// its path on the device.
func (h *Handlers) parseSegment(w http.ResponseWriter, r *http.Request) (file string, s archive.Segment, err error) {
	d := requestDevice(r)
	id, err := base64.RawURLEncoding.DecodeString(chi.URLParam(r, "id"))
	if file = string(id); err != nil || !isValidPath(file) {
		return "", s, badRequest("the id of the file is not valid")
	}
	known, err := h.Registry.FindFile(r.Context(), archivePath(d, file))
	switch {
	case errors.Is(err, team.ErrNotFound):
		return "", s, failure{http.StatusNotFound, "the hub does not know this file; ask for its head first"}
	case err != nil:
		return "", s, err
	case !slices.Contains(d.Projects, known.Project):
		return "", s, h.refuse(r, d, known.Session, failure{http.StatusForbidden, "this device may not push the project " + strconv.Quote(known.Project)})
	}
	s = archive.Segment{Path: known.Path}
	generation, err1 := strconv.Atoi(chi.URLParam(r, "generation"))
	off, err2 := strconv.ParseInt(r.URL.Query().Get("off"), 10, 64)
	nanos, err3 := strconv.ParseInt(r.Header.Get(wire.TimeHeader), 10, 64)
	before, err4 := wire.ParseChain(r.Header.Get(wire.ChainHeader))
	if err := errors.Join(err1, err2, err3, err4); err != nil || generation < 1 || off < 0 {
		return "", s, badRequest("the generation, off, %s or %s is missing or not valid", wire.TimeHeader, wire.ChainHeader)
	}
	s.Generation, s.Off, s.Before, s.ModTime = generation, off, before, time.Unix(0, nanos)
	s.Data, err = readSegment(w, r)
	return file, s, err
}

// decoder decompresses segments, which are not larger than archive.MaxSegment whatever they
// claim. Several goroutines may use it.
var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(archive.MaxSegment))
	if err != nil {
		panic(err) // the options are valid
	}
	return d
})

// readSegment reads and decompresses the body of a request.
func readSegment(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, wire.MaxFrame))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, err
		}
		return nil, badRequest("the body did not arrive: %v", err)
	}
	data, err := decoder().DecodeAll(body, nil)
	switch {
	case errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) || len(data) > archive.MaxSegment:
		return nil, failure{http.StatusRequestEntityTooLarge, "the segment is longer than " + strconv.Itoa(archive.MaxSegment) + " bytes"}
	case err != nil:
		return nil, badRequest("the body is not compressed with zstd: %v", err)
	}
	return data, nil
}
