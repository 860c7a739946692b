package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/push/wire"
)

// requestTimeout is how long a request may take: a megabyte over a slow line.
const requestTimeout = 2 * time.Minute

// maxResponse is how many bytes of a response are read.
const maxResponse = 4 << 20

// client sends requests to a hub.
type client struct {
	account Account
	http    *http.Client
}

func newClient(a Account) *client {
	return &client{account: a, http: &http.Client{
		Timeout: requestTimeout,
		// The token must not reach another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// hubError is a response of the hub that is no success.
type hubError struct {
	status int
	text   string
	after  time.Duration // how long to wait, 0 if the hub does not say
}

// Error implements error.
func (e *hubError) Error() string { return "the hub refused the request: " + e.text }

// isTemporary reports whether the same request may succeed later.
func isTemporary(err error) bool {
	var refused *hubError
	if errors.As(err, &refused) {
		return refused.status >= 500 || refused.status == http.StatusTooManyRequests || refused.status == http.StatusRequestTimeout
	}
	var unreachable *unreachableError
	var conflict *conflictError
	return errors.As(err, &unreachable) || errors.As(err, &conflict)
}

// unreachableError is a request without a response.
type unreachableError struct{ err error }

// Error implements error.
func (e *unreachableError) Error() string { return "the hub cannot be reached: " + e.err.Error() }

// Unwrap returns the cause.
func (e *unreachableError) Unwrap() error { return e.err }

// postJSON sends a request and decodes the response.
func (c *client) postJSON(ctx context.Context, path string, request, response any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	r, err := c.newRequest(ctx, http.MethodPost, path, body)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	got, text, err := c.send(r)
	switch {
	case err != nil:
		return err
	case got.StatusCode != http.StatusOK:
		return newHubError(got, text)
	}
	if err := json.Unmarshal(text, response); err != nil {
		return fmt.Errorf("the response of the hub is not valid: %w", err)
	}
	return nil
}

func (c *client) newRequest(ctx context.Context, method, path string, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.account.Hub, "/")+path, bytes.NewReader(body))
	if err == nil && c.account.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.account.Token)
	}
	return r, err
}

// send sends a request and reads the response.
func (c *client) send(r *http.Request) (*http.Response, []byte, error) {
	got, err := c.http.Do(r)
	if err != nil {
		return nil, nil, &unreachableError{err}
	}
	defer got.Body.Close()
	text, err := io.ReadAll(io.LimitReader(got.Body, maxResponse))
	if err != nil {
		return nil, nil, &unreachableError{err}
	}
	return got, text, nil
}

func newHubError(got *http.Response, text []byte) error {
	var f wire.Failure
	e := &hubError{status: got.StatusCode, text: "HTTP status " + got.Status}
	if json.Unmarshal(text, &f) == nil && f.Error != "" {
		e.text = f.Error
	}
	if n, err := strconv.Atoi(got.Header.Get("Retry-After")); err == nil && n > 0 {
		e.after = time.Duration(n) * time.Second
	}
	return e
}

// listHeads returns what the hub has of files.
func (c *client) listHeads(ctx context.Context, hidden int, files []wire.File) (heads []wire.FileHead, err error) {
	for len(files) > 0 {
		n := min(len(files), wire.MaxFiles)
		var result wire.HeadsResult
		if err := c.postJSON(ctx, wire.HeadsPath, wire.Heads{Hidden: hidden, Files: files[:n]}, &result); err != nil {
			return nil, err
		}
		if len(result.Files) != n {
			return nil, fmt.Errorf("the hub returned %d heads for %d files", len(result.Files), n)
		}
		heads, files = append(heads, result.Files...), files[n:]
	}
	return heads, nil
}

// conflictError says that a file or a segment of it does not continue what the hub has.
type conflictError struct{ head wire.FileHead }

// Error implements error.
func (e *conflictError) Error() string {
	return fmt.Sprintf("the file is being rewritten or another explorer pushes it: the hub has generation %d up to byte %d", e.head.Generation, e.head.End)
}

// encoder compresses segments. Its checksum protects them on the way.
var encoder = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(archive.MaxSegment), zstd.WithEncoderCRC(true))
	if err != nil {
		panic(err) // the options are valid
	}
	return e
})

// putSegment sends a segment. It returns the end and the chain that the hub has then.
func (c *client) putSegment(ctx context.Context, id string, s archive.Segment) (end int64, chain archive.Chain, err error) {
	path := fmt.Sprintf("%s%s/%d?off=%d", wire.FilesPath, id, s.Generation, s.Off)
	r, err := c.newRequest(ctx, http.MethodPut, path, encoder().EncodeAll(s.Data, nil))
	if err != nil {
		return 0, chain, err
	}
	r.Header.Set(wire.ChainHeader, wire.FormatChain(s.Before))
	r.Header.Set(wire.TimeHeader, strconv.FormatInt(s.ModTime.UnixNano(), 10))
	got, text, err := c.send(r)
	switch {
	case err != nil:
		return 0, chain, err
	case got.StatusCode == http.StatusConflict:
		var conflict wire.Conflict
		if err := json.Unmarshal(text, &conflict); err != nil {
			return 0, chain, fmt.Errorf("the response of the hub is not valid: %w", err)
		}
		return 0, chain, &conflictError{conflict.Head}
	case got.StatusCode != http.StatusNoContent:
		return 0, chain, newHubError(got, text)
	}
	if end, err = strconv.ParseInt(got.Header.Get(wire.EndHeader), 10, 64); err == nil {
		chain, err = wire.ParseChain(got.Header.Get(wire.ChainHeader))
	}
	if err != nil {
		return 0, chain, fmt.Errorf("the response of the hub is not valid: %w", err)
	}
	return end, chain, nil
}
