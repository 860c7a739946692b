package copies

import (
	"slices"
	"strconv"
	"strings"

	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// limits are the choices of the limit, in bytes.
var limits = []int64{1e9, 2e9, 5e9, 10e9, 20e9, 50e9, 100e9, 500e9}

// Dialog returns the dialog about copies. back is the address of the list.
func (s *Source) Dialog(page components.Page, back string) components.KeepModel {
	m := components.KeepModel{
		Page: page, Back: back, On: s.State.On, Paused: s.State.Paused, Used: s.usedText(), Bar: s.bar(),
		Limits: limitChoices(s.State.Limit), Notices: s.notices(),
		Copies: s.State.Sessions, Deleted: s.State.GoneSessions, Size: view.FormatFileSize(s.State.Stored),
	}
	m.Page.Live = "" // a form does not change while it is edited
	if s.ReadOnly {
		m.Reason = "The explorer was started read-only."
	}
	for _, f := range s.Folders {
		m.Folders = append(m.Folders, s.folderModel(f))
	}
	return m
}

// folderModel returns a folder with the number of its sessions and when agents delete them.
func (s *Source) folderModel(f Folder) components.KeepFolder {
	n := 0
	for i := range s.Sessions {
		if s.Sessions[i].Root == f.Path {
			n++
		}
	}
	parts := []string{components.Pluralize(n, "session", "sessions")}
	for _, r := range f.Folder.CleanUps {
		parts = append(parts, r.Agent+" deletes after "+daysText(r.After))
	}
	return components.KeepFolder{Path: view.EscapeInvisible(view.HomePath(f.Path, s.Config.Home)), Detail: strings.Join(parts, ", ")}
}

// bar returns how much of the limit is used.
func (s *Source) bar() components.KeepBar {
	only := s.State.GoneBytes
	also := max(s.State.Stored-only, 0)
	part := func(n int64) int {
		if n <= 0 || s.State.Limit <= 0 {
			return 0
		}
		return int(min(max(float64(n)/float64(s.State.Limit)*1000, 2), 1000)) // anything at all is seen
	}
	b := components.KeepBar{Only: part(only), Also: part(also), OnlyText: view.FormatFileSize(only) + " kept only here", AlsoText: view.FormatFileSize(also) + " also in the agent’s folder"}
	b.Also = min(b.Also, 1000-b.Only)
	return b
}

// limitChoices returns the choices of the limit, with the current one.
func limitChoices(now int64) (all []components.KeepLimit) {
	choices := limits
	if !slices.Contains(choices, now) {
		choices = append(slices.Clone(choices), now)
		slices.Sort(choices)
	}
	for _, n := range choices {
		all = append(all, components.KeepLimit{Value: strconv.FormatInt(n, 10), Text: limitText(n), On: n == now})
	}
	return all
}
