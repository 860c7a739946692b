// Package teamview makes the models of the pages of a hub.
package teamview

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/team"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	"sessiontree/web/components"
)

// Source is what the page shows to a person.
type Source struct {
	Viewer   team.Person
	Hub      string // host name
	Sessions []catalog.Summary
	FileOf   func(path string) (team.File, bool) // by the path of a Summary
	People   []team.Person
	Devices  []team.Device
	Projects []team.Project
	Events   []team.Event // the newest first
}

// Params is what the address of the page selects.
type Params struct {
	Person  string // id, "" for everybody
	Live    bool
	Private bool
	Limit   int // rows
}

// pageRows is how many rows the page shows at first, and adds at a time.
const pageRows = 200

// maxRows is how many rows the page shows at most.
const maxRows = 20_000

// ParseParams parses the query of the address.
func ParseParams(q url.Values) Params {
	limit, err := strconv.Atoi(q.Get("rows"))
	if err != nil || limit < pageRows {
		limit = pageRows
	}
	return Params{Person: q.Get("person"), Live: q.Has("live"), Private: q.Has("private"), Limit: min(limit, maxRows)}
}

// href returns the address of the page with the parameters.
func (p Params) href() string {
	q := url.Values{}
	if p.Person != "" {
		q.Set("person", p.Person)
	}
	if p.Live {
		q.Set("live", "1")
	}
	if p.Private {
		q.Set("private", "1")
	}
	if p.Limit > pageRows {
		q.Set("rows", strconv.Itoa(p.Limit))
	}
	if len(q) == 0 {
		return "/"
	}
	return "/?" + q.Encode()
}

// item is a session with its file on the hub.
type item struct {
	summary *catalog.Summary
	file    team.File
	team    bool // the team may read it
	live    bool
}

// builder makes the model.
type builder struct {
	config   view.Config
	now      time.Time
	source   Source
	params   Params
	people   map[string]team.Person
	devices  map[string]string // names by id
	projects map[string]team.Project
	items    []item
}

// NewTeamModel makes the page.
func NewTeamModel(c view.Config, page components.Page, src Source, p Params, now time.Time) components.TeamModel {
	b := &builder{config: c, now: now, source: src, params: p, people: map[string]team.Person{}, devices: map[string]string{}, projects: map[string]team.Project{}}
	b.index()
	m := components.TeamModel{
		Page: page, Hub: src.Hub, Me: NewAvatar(src.Viewer), Role: string(src.Viewer.Role), Sessions: len(b.items), Total: len(src.People),
		CanPush: src.Viewer.Role != team.Reader, IsAdmin: src.Viewer.Role == team.Admin,
		Live: b.liveChip(), Private: b.privateChip(), People: b.personChips(), Devices: b.deviceModels(), Events: b.eventModels(src.Events),
	}
	m.Groups, m.More = b.groups()
	return m
}

func (b *builder) index() {
	for _, p := range b.source.People {
		b.people[p.ID] = p
	}
	for _, d := range b.source.Devices {
		b.devices[d.ID] = d.Name
	}
	for _, p := range b.source.Projects {
		b.projects[p.Name] = p
	}
	for i := range b.source.Sessions {
		s := &b.source.Sessions[i]
		f, ok := b.source.FileOf(s.Path)
		if !ok {
			continue // it was hidden a moment ago
		}
		b.items = append(b.items, item{s, f, team.CanRead("", f, b.projects[f.Project]), s.IsLive(b.now)})
	}
}

// NewAvatar returns how a person is shown.
func NewAvatar(p team.Person) components.Avatar { return components.Avatar{ID: p.ID, Name: p.Name} }

func (b *builder) isOwn(it *item) bool { return it.file.Person == b.source.Viewer.ID }

// matches reports whether the filters let a session through.
func (p Params) matches(b *builder, it *item) bool {
	return (p.Person == "" || it.file.Person == p.Person) && (!p.Live || it.live) && (!p.Private || b.isOwn(it) && !it.team)
}

func (b *builder) count(is func(*item) bool) (n int) {
	for i := range b.items {
		if is(&b.items[i]) {
			n++
		}
	}
	return n
}

func (b *builder) liveChip() components.Chip {
	other := b.params
	other.Live = !other.Live
	return components.Chip{Name: "live", On: b.params.Live, Href: other.href(), Count: b.count(func(it *item) bool { return it.live })}
}

func (b *builder) privateChip() components.Chip {
	other := b.params
	other.Private = !other.Private
	return components.Chip{Name: "private", On: b.params.Private, Href: other.href(), Count: b.count(func(it *item) bool { return b.isOwn(it) && !it.team })}
}

// personChips returns the filter by people who have sessions: everybody, the viewer, others by
// name.
func (b *builder) personChips() []components.TeamPerson {
	live, has := map[string]bool{}, map[string]bool{b.source.Viewer.ID: true}
	for i := range b.items {
		has[b.items[i].file.Person] = true
		live[b.items[i].file.Person] = live[b.items[i].file.Person] || b.items[i].live
	}
	people := slices.DeleteFunc(slices.Clone(b.source.People), func(p team.Person) bool { return !has[p.ID] })
	slices.SortStableFunc(people, func(x, y team.Person) int {
		return cmp.Or(-compareBool(x.ID == b.source.Viewer.ID, y.ID == b.source.Viewer.ID), cmp.Compare(x.Name, y.Name))
	})
	to := func(id string) string { other := b.params; other.Person = id; return other.href() }
	chips := []components.TeamPerson{{Text: "Everyone", Href: to(""), On: b.params.Person == ""}}
	for _, p := range people {
		chip := components.TeamPerson{Avatar: NewAvatar(p), Text: p.Name, Href: to(p.ID), On: b.params.Person == p.ID, Live: live[p.ID]}
		if p.ID == b.source.Viewer.ID {
			chip.Text = "You"
		}
		chips = append(chips, chip)
	}
	return chips
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return 1
	}
	return -1
}

// groups returns the sessions that pass the filters by project, the project of the newest
// session first.
func (b *builder) groups() (groups []components.TeamGroup, more *components.Link) {
	at, shown := map[string]int{}, 0
	for i := range b.items {
		it := &b.items[i]
		if !b.params.matches(b, it) {
			continue
		}
		n, ok := at[it.file.Project]
		if !ok {
			n = len(groups)
			at[it.file.Project] = n
			groups = append(groups, components.TeamGroup{Project: it.file.Project, Rules: describeRules(b.projects[it.file.Project])})
		}
		g := &groups[n]
		if g.Count++; shown < b.params.Limit {
			g.Rows = append(g.Rows, b.row(it))
			shown++
		} else if more == nil {
			other := b.params
			other.Limit += pageRows
			more = &components.Link{Text: "Show more sessions", Href: other.href()}
		}
	}
	return slices.DeleteFunc(groups, func(g components.TeamGroup) bool { return len(g.Rows) == 0 }), more
}

// describeRules returns the rules of a project as a text.
func describeRules(p team.Project) string {
	text := "private by default"
	if p.Visibility == team.Team {
		text = "team by default"
	}
	if p.RetainDays > 0 {
		text += fmt.Sprintf(", kept %d days", p.RetainDays)
	}
	return text
}

func (b *builder) row(it *item) components.TeamRow {
	r := index.SessionRowModel(b.config, it.summary, b.now)
	owner := cmp.Or(b.people[it.file.Person].Name, "somebody")
	return components.TeamRow{
		Session: r, Owner: components.Avatar{ID: it.file.Person, Name: owner}, Own: b.isOwn(it), Device: b.devices[it.file.Device], Team: it.team,
	}
}
