// Package copies builds what pages say about copies of sessions: the dialog, the question
// whether to keep them, and notices.
package copies

import (
	"fmt"
	"strconv"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	"sessiontree/web/components"
)

// Source is what is known about copies.
type Source struct {
	Config   view.Config
	State    keep.State
	Folders  []Folder
	Sessions []catalog.Summary
	ReadOnly bool // the explorer changes nothing
	Now      time.Time
}

// Folder is a folder whose sessions are copied, with the rules by which agents delete them.
type Folder struct {
	Path string // canonical
	keep.Folder
}

// CleanUps returns the rules of all folders.
func (s *Source) CleanUps() (rules []index.CleanUp) {
	for _, f := range s.Folders {
		for _, r := range f.Folder.CleanUps {
			rules = append(rules, index.CleanUp{Root: f.Path, Format: r.Format, Agent: r.Agent, After: r.After})
		}
	}
	return rules
}

// KeepState returns what the list shows. back is its address.
func (s *Source) KeepState(back string) index.KeepState {
	m := &components.KeepSummary{Name: "Kept", Href: components.KeepAddress("", back), Notices: s.notices()}
	switch {
	case !s.State.On:
		m.Name, m.State = "Keep copies", "off"
	case s.State.Paused:
		m.State = "paused"
	default:
		m.State = s.usedText()
	}
	if !s.State.On && !s.State.Asked && !s.ReadOnly {
		m.Question = s.question()
	}
	return index.KeepState{CleanUps: s.CleanUps(), CanRestore: !s.ReadOnly, Summary: m}
}

// usedText returns how much of the limit is used: "1.9 of 10 GB".
func (s *Source) usedText() string {
	used, limit := s.State.Stored, s.State.Limit
	if used >= 1e8 && limit >= 1e9 {
		return fmt.Sprintf("%.1f of %s", float64(used)/1e9, limitText(limit))
	}
	return view.FormatFileSize(used) + " of " + limitText(limit)
}

// limitText returns a limit without unneeded digits: "10 GB".
func limitText(n int64) string {
	if n >= 1e9 {
		return strconv.FormatFloat(float64(n)/1e9, 'f', -1, 64) + " GB"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', -1, 64) + " MB"
}

// removedAge is for how long the list says which copies were removed.
const removedAge = 7 * 24 * time.Hour

// notices returns the errors, and what was removed because of the limit.
func (s *Source) notices() (all []components.KeepNotice) {
	if n := s.State.Report; s.State.On && n.Error != "" {
		all = append(all, errorNotice(n))
	}
	if s.State.On && s.State.NearlyFull && s.State.Error == "" {
		all = append(all, components.KeepNotice{Kind: "warn", Strong: "Copies take more than 90 % of the limit.", Text: "When it is full, the oldest copies of deleted sessions go first."})
	}
	if n, last := s.countRemoved(); n > 0 {
		all = append(all, components.KeepNotice{
			Kind: "warn", Strong: components.Pluralize(n, "copy was removed.", "copies were removed."),
			Text: "All copies together reached the limit of " + limitText(s.State.Limit) + ". The last one was of " + view.EscapeInvisible(view.HomePath(last.Path, s.Config.Home)) + ".",
		})
	}
	return all
}

func errorNotice(r keep.Report) components.KeepNotice {
	switch {
	case r.DiskFull:
		return components.KeepNotice{Kind: "error", Strong: "The disk is full.", Text: "New lines are not copied until there is space."}
	case r.LimitFull:
		return components.KeepNotice{Kind: "error", Strong: "The limit for copies is reached.", Text: "New lines are not copied. Raise the limit, or delete copies."}
	}
	return components.KeepNotice{Kind: "error", Strong: "Some files cannot be copied.", Text: view.EscapeInvisible(r.Error)}
}

// countRemoved returns how many copies were removed of late, and the last one.
func (s *Source) countRemoved() (n int, last keep.Removed) {
	for _, r := range s.State.Removed {
		if s.Now.Sub(r.Time) < removedAge {
			n, last = n+1, r
		}
	}
	return n, last
}
