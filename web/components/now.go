package components

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
)

// pageTitle returns the title of the page, which begins with the number of sessions that wait.
func (m *NowModel) pageTitle() string {
	if m.Waiting > 0 {
		return fmt.Sprintf("(%d) %s", m.Waiting, m.Page.Title)
	}
	return m.Page.Title
}

// titledPage returns the page with the title of the model.
func (m *NowModel) titledPage() Page {
	p := m.Page
	p.Title = m.pageTitle()
	return p
}

// contentHash returns a hash by which the browser detects changed rows. The texts of elapsed
// times do not count: the browser writes them.
func (r NowRow) contentHash() string {
	r.Since.Text, r.Call.Since.Text = "", ""
	data, err := json.Marshal(r)
	if err != nil {
		return "" // never: a row has only texts and numbers
	}
	h := fnv.New64a()
	_, _ = h.Write(data) // never fails
	return strconv.FormatUint(h.Sum64(), 36)
}

// stateText returns the state of a row for assistive technology.
func (r NowRow) stateText() string {
	switch r.State {
	case "waits":
		return "Waits for you"
	case "working":
		return "Working"
	case "failed":
		return "Failed"
	case "stopped":
		return "Stopped"
	case "finished":
		return "Finished"
	}
	return "Inactive"
}
