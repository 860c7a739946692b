// Package recorder records the status and the size of HTTP responses.
package recorder

import (
	"bufio"
	"cmp"
	"net"
	"net/http"
)

// Recorder is a ResponseWriter that remembers the status and the size of the response. Package middleware of chi has one too, but it also links the profiler of
// net/http/pprof into the program.
type Recorder struct {
	http.ResponseWriter
	Status, Bytes int
}

// WriteHeader implements http.ResponseWriter.
func (w *Recorder) WriteHeader(status int) {
	if w.Status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		w.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *Recorder) Write(p []byte) (int, error) {
	w.Status = cmp.Or(w.Status, http.StatusOK)
	n, err := w.ResponseWriter.Write(p)
	w.Bytes += n
	return n, err
}

// Flush implements http.Flusher, which the compressor looks for.
func (w *Recorder) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Hijack implements http.Hijacker.
func (w *Recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

// Unwrap returns the writer, for http.ResponseController.
func (w *Recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
