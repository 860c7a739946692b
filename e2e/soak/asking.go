package main

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/e2e/harness"
)

// quiet is the least time between two looks at the list.
const quiet = 250 * time.Millisecond

// asking is how a page follows: it asks for what is new, one question at a time, and
// takes what comes meanwhile together.
type asking struct {
	*follower
	conn   *websocket.Conn
	id     int
	busy   bool // an answer is awaited
	waits  bool // something came since
	kind   string
	looked time.Time // at the list
}

var strength = map[string]int{"append": 0, "label": 1, "rewrite": 2, "remove": 3}

func (q *asking) notice(n notice) error {
	if !q.waits || strength[n.Kind] > strength[q.kind] || q.kind == "remove" {
		q.kind = n.Kind
	}
	q.waits = true
	return q.next()
}

// next asks for what waits.
func (q *asking) next() error {
	if q.busy || !q.waits {
		return nil
	}
	q.waits = false
	switch {
	case q.list:
		time.Sleep(time.Until(q.looked.Add(quiet)))
		q.looked = time.Now()
		return q.lookAtList()
	case q.kind != "append":
		return q.reload()
	}
	q.busy = true
	q.id++
	q.soak.counts.news.Add(1)
	form := url.Values{"since": {q.view.rev}}
	if q.view.complete {
		after := q.view.anchor
		if after == "" {
			after = "none"
		}
		form.Set("after", after)
		form.Set("n", "200")
	}
	return q.conn.WriteJSON(map[string]any{"get": q.view.address + "/news?" + form.Encode(), "id": q.id})
}

// answer applies a response of the socket. Parts that it omits are fetched as a whole.
func (q *asking) answer(status int, body string) error {
	q.busy = false
	if status >= http.StatusInternalServerError {
		return fmt.Errorf("news: status %d", status)
	}
	rows, path := q.view.takeRows(body, false), q.view.takePath(body, false)
	if !rows {
		if err := q.loadRows(); err != nil {
			return err
		}
	}
	if !path {
		if err := q.loadPath(); err != nil {
			return err
		}
	}
	return q.next()
}

// open loads the page of a session that is written, or of the list.
func (f *follower) open() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.list {
		return f.lookAtList()
	}
	if !f.soak.ending.Load() || f.path == "" {
		ok := false
		for !ok { // a project that just begins has none
			f.path, ok = f.soak.agents[f.rng.IntN(len(f.soak.agents))].someSession(f.rng)
		}
	}
	address, err := f.soak.http.address(f.path)
	if err != nil {
		return err
	}
	status, body, err := f.soak.http.get(address)
	for began := time.Now(); err == nil && status != http.StatusOK && hasSession(f.path) && time.Since(began) < harness.Patience; {
		if status >= http.StatusInternalServerError {
			break
		}
		// It is not in the list yet, or its file is being rewritten and is empty. Its address may change,
		// because the first line may not tell which agent wrote it.
		time.Sleep(quiet)
		if now, ok := f.soak.http.askAddress(f.path); ok {
			address = now
		}
		status, body, err = f.soak.http.get(address)
		f.soak.slowest.note("a new session is served", time.Since(began))
	}
	if !hasSession(f.path) {
		return nil // everything was retracted
	}
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("%s (%s): status %d, %v", address, f.path, status, err)
	}
	f.view = view{address: address}
	if !f.view.takeRows(body, true) || !f.view.takePath(body, true) {
		return fmt.Errorf("%s has no rows, or no path", address)
	}
	return nil
}

// isStale reports whether the file was being rewritten when it was read: it changed, or
// it was empty and therefore not in the list. A notice of its new state follows.
func isStale(status int) bool {
	return status == http.StatusConflict || status == http.StatusUnprocessableEntity || status == http.StatusNotFound
}

// reload asks for rows and path as they are now.
func (f *follower) reload() error {
	f.soak.counts.reloads.Add(1)
	if err := f.loadRows(); err != nil {
		return err
	}
	return f.loadPath()
}

func (f *follower) loadRows() error {
	status, body, err := f.soak.http.get(f.view.address + "/rows?at=end&n=200")
	switch {
	case err == nil && status == http.StatusOK:
		f.view.takeRows(body, true)
		return nil
	case isStale(status):
		f.soak.counts.stale.Add(1)
		return nil
	}
	return fmt.Errorf("rows of %s: status %d, %v", f.view.address, status, err)
}

func (f *follower) loadPath() error {
	status, body, err := f.soak.http.get(f.view.address + "/path?before=none")
	switch {
	case err == nil && status == http.StatusOK:
		f.view.takePath(body, true)
		return nil
	case isStale(status):
		f.soak.counts.stale.Add(1)
		return nil
	}
	return fmt.Errorf("path of %s: status %d, %v", f.view.address, status, err)
}

func (f *follower) lookAtList() error {
	status, body, err := f.soak.http.get("/?part=list")
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("list: status %d, %v", status, err)
	}
	f.view.rev = attribute(body, "data-rev")
	return nil
}
