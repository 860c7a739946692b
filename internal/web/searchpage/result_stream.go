package searchpage

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/visits"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	"sessiontree/internal/web/view/results"
	"sessiontree/web/components"
)

// maxListedResults is the number of sessions that are listed. The hits of further ones are
// only counted.
const maxListedResults = 500

// progressInterval is the least time between two lines that only report progress.
const progressInterval = 50 * time.Millisecond

// streamLine is a line of the streamed results. The last one has Done or Problem.
type streamLine struct {
	HTML     string               `json:"html,omitempty"` // a session with hits
	Counts   *results.FacetCounts `json:"counts,omitempty"`
	Copies   []copyJSON           `json:"copies,omitempty"`
	Progress *progressJSON        `json:"progress,omitempty"`
	Problem  string               `json:"problem,omitempty"` // why the query cannot be searched, as HTML
	Done     bool                 `json:"done,omitempty"`
	// Elapsed is how long the search took, in ms.
	Elapsed int64 `json:"elapsed,omitempty"`
	// Listing is set if some sessions were not known yet.
	Listing bool `json:"listing,omitempty"`
}

type progressJSON struct {
	Bytes         int64  `json:"bytes"`
	TotalBytes    int64  `json:"totalBytes"`
	Sessions      int    `json:"sessions"`
	TotalSessions int    `json:"totalSessions"`
	Failed        int    `json:"failed,omitempty"`    // sessions that could not be read
	OnlyTexts     int    `json:"onlyTexts,omitempty"` // sessions of which only texts were searched
	Reached       string `json:"reached,omitempty"`   // RFC 3339: last activity of the session read last
}

// copyJSON is a listed hit that a later session records too.
type copyJSON struct {
	Key   string `json:"key"` // of the listed session
	Entry string `json:"entry"`
	Href  string `json:"href"` // of the copy
	Title string `json:"title"`
}

// resultStream writes the results of one search.
type resultStream struct {
	ctx     context.Context
	w       http.ResponseWriter
	encoder *json.Encoder
	builder results.Builder
	counts  *results.FacetCounts
	visits  visits.Snapshot
	listed  map[string]map[string]bool // entries of the listed hits by the keys of their sessions
	written time.Time                  // when the last line was written
}

// StreamResults serves the results as lines of JSON, each as soon as it is found. The search
// ends with the request.
func (h *Handlers) StreamResults(w http.ResponseWriter, r *http.Request) error {
	q, err := h.parseRequest(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	s := &resultStream{ctx: r.Context(), w: w, encoder: json.NewEncoder(w), builder: h.newBuilder(q), counts: results.NewFacetCounts(), visits: h.Visits.Snapshot(), listed: map[string]map[string]bool{}}
	if q.err != nil {
		html, err := s.renderProblem(results.ProblemModel(q.text, q.err))
		if err != nil {
			return err
		}
		_ = s.writeLine(streamLine{Problem: html}) // the client may be gone
		return nil
	}
	began, listing := time.Now(), !h.Searcher.Catalog.Progress().Complete
	var last searchall.Progress
	if !q.query.IsEmpty() {
		searcher, err := h.newSearcher(q)
		if err != nil {
			return err
		}
		err = searcher.Search(r.Context(), q.query, func(e searchall.Event) error {
			last = e.Progress
			return s.writeEvent(e)
		})
		if err != nil {
			h.abortStream(r, err)
			return nil
		}
	}
	_ = s.writeLine(streamLine{Counts: s.counts, Progress: progressModel(last), Done: true, Elapsed: max(1, time.Since(began).Milliseconds()), Listing: listing})
	return nil
}

// abortStream ends a response early, which the client detects, after an error of the search.
func (h *Handlers) abortStream(r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // the client is gone
	}
	h.Log.Error("search failed", "err", err)
	panic(http.ErrAbortHandler)
}

func (s *resultStream) renderProblem(p components.SearchProblem) (string, error) {
	var b bytes.Buffer
	err := components.SearchError(p).Render(s.ctx, &b)
	return b.String(), err
}

// writeLine writes a line and sends it.
func (s *resultStream) writeLine(line streamLine) error {
	if err := s.encoder.Encode(line); err != nil {
		return err
	}
	s.written = time.Now()
	return http.NewResponseController(s.w).Flush()
}

// writeEvent writes a result, or the progress if the last line is old enough.
func (s *resultStream) writeEvent(e searchall.Event) error {
	if e.Result == nil {
		if time.Since(s.written) < progressInterval {
			return nil
		}
		return s.writeLine(streamLine{Progress: progressModel(e.Progress)})
	}
	line := streamLine{Progress: progressModel(e.Progress), Copies: s.listedCopies(e.Result)}
	if len(e.Result.Hits) > 0 {
		sum := &e.Result.Session
		s.counts.AddResult(s.builder.View, e.Result, results.SessionStates{Live: sum.IsLive(s.builder.Now), Starred: s.visits.IsStarred(sum)})
		line.Counts = s.counts
		var err error
		if line.HTML, err = s.renderResult(e.Result); err != nil {
			return err
		}
	}
	return s.writeLine(line)
}

// renderResult returns a session with its best hits, or "" if enough sessions are listed.
func (s *resultStream) renderResult(r *searchall.Result) (string, error) {
	if len(s.listed) == maxListedResults {
		return "", nil
	}
	m := s.builder.BestHits(r)
	entries := map[string]bool{}
	for _, b := range m.Branches {
		for _, h := range b.List {
			entries[strings.Clone(h.Entry)] = true // it may be a part of a line
		}
	}
	s.listed[r.Session.Key] = entries
	var b bytes.Buffer
	err := components.SearchResultGroup(m).Render(s.ctx, &b)
	return b.String(), err
}

// listedCopies returns the copies of hits that are listed.
func (s *resultStream) listedCopies(r *searchall.Result) (copies []copyJSON) {
	var title string
	for _, c := range r.Copies {
		if !s.listed[c.Key][c.Entry] {
			continue
		}
		if title == "" {
			title = index.SummaryTitle(&r.Session)
		}
		copies = append(copies, copyJSON{Key: c.Key, Entry: c.Entry, Title: title,
			Href: view.Params{Entry: c.Entry}.Href(view.SessionURL(r.Session.Key))})
	}
	return copies
}

func progressModel(p searchall.Progress) *progressJSON {
	m := &progressJSON{Bytes: p.Bytes, TotalBytes: p.TotalBytes, Sessions: p.Sessions, TotalSessions: p.TotalSessions, Failed: p.Failed, OnlyTexts: p.OnlyTexts}
	if !p.Reached.IsZero() {
		m.Reached = p.Reached.UTC().Format(time.RFC3339)
	}
	return m
}
