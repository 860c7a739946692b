package finder

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
)

// Request is a search in one session.
type Request struct {
	Session *store.Session
	Config  view.Config
	Text    string         // what the person typed
	Failed  bool           // search failed tool calls instead
	Viewed  string         // id of the viewed entry, "" = the leaf
	Since   store.Revision // zero, or search only the entries added since
}

// startLine is the first line of a stream.
type startLine struct {
	Rev    string     `json:"rev"`
	Words  []string   `json:"words"`            // to highlight
	Added  bool       `json:"added"`            // the hits are in addition to those of the revision in the request
	Viewed *placeJSON `json:"viewed,omitempty"` // where the viewed entry is
}

// placeJSON is the place of an entry: the id of its branch and its order in it.
type placeJSON struct {
	Branch string `json:"branch"`
	Order  int    `json:"order"`
}

// partLine is a further line: hits, the end, or why there is none.
type partLine struct {
	Branches []branchJSON `json:"branches,omitempty"` // new ones
	Hits     []hitJSON    `json:"hits,omitempty"`
	Done     bool         `json:"done,omitempty"`
	Error    string       `json:"error,omitempty"`
}

// flushInterval is how long hits are held back, except the first ones.
const flushInterval = 40 * time.Millisecond

// stream writes the hits of a search as lines of JSON.
type stream struct {
	Request
	out      *json.Encoder
	flush    func()
	rev      store.Revision
	query    *query.Query
	found    []session.Pos
	branches map[session.Pos]string // ids of known branches by their heads
	pending  partLine
	flushed  time.Time
}

// WriteHits searches a session and writes the hits to w while they are found, a line of
// JSON at a time. A query that is not valid is reported in a line of its own. The cache
// remembers the entries of a finished search.
func (c *Cache) WriteHits(ctx context.Context, w io.Writer, flush func(), r Request) error {
	ctx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	s := &stream{Request: r, out: json.NewEncoder(w), flush: flush, rev: r.Session.Revision(), branches: map[session.Pos]string{}}
	text := r.Text
	if r.Failed {
		text = "is:failed"
	}
	var invalid *query.Error
	q, err := query.Parse(text, time.Now())
	if errors.As(err, &invalid) {
		return s.writeLine(partLine{Error: invalid.Reason, Done: true})
	}
	s.query = q
	from, err := s.writeStart()
	if err != nil {
		return err
	}
	if !q.IsEmpty() {
		err = searchall.FindInSession(ctx, r.Session, q, from, s.addHits)
	}
	if err != nil {
		return s.writeFailure(ctx, err)
	}
	if !r.Failed && from == 0 {
		c.addResult(cacheKey{r.Session.Key(), r.Text}, newResult(s.rev, q, s.found))
	}
	s.pending.Done = true
	return s.writeLine(s.pending)
}

// writeFailure reports why a search did not end. The request may just have been canceled.
func (s *stream) writeFailure(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return nil
	case errors.Is(err, session.ErrStale):
		return s.writeLine(partLine{Error: "stale"})
	case ctx.Err() != nil:
		return s.writeLine(partLine{Error: "The search took too long."})
	}
	if writeErr := s.writeLine(partLine{Error: "The session could not be read."}); writeErr != nil {
		return writeErr
	}
	return err
}

func (s *stream) writeLine(line any) error {
	if err := s.out.Encode(line); err != nil {
		return err
	}
	s.flush()
	s.flushed = time.Now()
	return nil
}

// writeStart writes the first line. It returns the position to search from.
func (s *stream) writeStart() (from session.Pos, err error) {
	if s.Since != (store.Revision{}) && s.Since.Epoch == s.rev.Epoch {
		from = firstStalePos(s.Session, s.Since)
	}
	line := startLine{Rev: s.rev.String(), Words: append([]string{}, s.query.Words()...), Added: from > 0}
	places, epoch := searchall.FindPlaces(s.Session)
	s.Session.ReadTree(func(t *session.Tree, rev store.Revision) {
		p := t.Leaf()
		if s.Viewed != "" {
			p = t.FindID(s.Viewed)
		}
		if p != session.NoPos && rev.Epoch == epoch && places.Has(p) {
			line.Viewed = &placeJSON{branchID(t, places.Head(p)), places.Order(p)}
		}
	})
	return from, s.writeLine(line)
}

// addHits adds hits to the stream.
func (s *stream) addHits(hits []searchall.SessionHit) error {
	s.found = appendPositions(s.found, hits)
	valid := true
	s.Session.ReadTree(func(t *session.Tree, rev store.Revision) {
		if valid = rev.Epoch == s.rev.Epoch; !valid {
			return
		}
		for i := range hits {
			s.pending.Hits = append(s.pending.Hits, s.describeHit(t, &hits[i]))
		}
	})
	if !valid {
		return session.ErrStale
	}
	if len(s.found) > len(hits) && time.Since(s.flushed) < flushInterval {
		return nil
	}
	line := s.pending
	s.pending = partLine{}
	return s.writeLine(line)
}
