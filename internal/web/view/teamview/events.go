package teamview

import (
	"strings"

	"sessiontree/internal/session/team"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// EventModels returns events as texts for their viewer.
func EventModels(c view.Config, viewer string, people []team.Person, events []team.Event) []components.TeamEvent {
	b := &builder{config: c, source: Source{Viewer: team.Person{ID: viewer}}, people: map[string]team.Person{}}
	for _, p := range people {
		b.people[p.ID] = p
	}
	return b.eventModels(events)
}

func (b *builder) eventModels(events []team.Event) (models []components.TeamEvent) {
	for _, e := range events {
		who := b.people[e.Person]
		m := components.TeamEvent{Who: NewAvatar(who), Name: who.Name, Object: e.Title, Time: b.config.TimeModel(e.Time)}
		switch {
		case e.Person == "" || e.Action == team.Refuse:
			m.Who, m.Name = components.Avatar{}, "Hub"
		case e.Person == b.source.Viewer.ID:
			m.Name = "You"
		case who.Name == "":
			m.Name = "Somebody"
		default:
			m.Name, _, _ = strings.Cut(who.Name, " ")
		}
		m.Verb, m.Rest = eventTexts(e)
		models = append(models, m)
	}
	return models
}

// eventTexts returns what is before and after the title of an event.
func eventTexts(e team.Event) (verb, rest string) {
	switch e.Action {
	case team.Read:
		return "read", ""
	case team.Search:
		return "searched for", ""
	case team.Share:
		return "shared", " with the team"
	case team.Unshare:
		return "made private", ""
	case team.AddLabel:
		return "labeled an entry of", ""
	case team.RemoveLabel:
		return "removed a label from", ""
	case team.Delete:
		return "deleted", ""
	case team.Purge:
		return "purged", ", " + e.Detail
	case team.AddDevice:
		return "added the device", ""
	case team.RevokeDevice:
		return "revoked the device", ""
	case team.Refuse:
		return "refused", ": " + e.Detail
	case team.Invite:
		return "invited", " as " + e.Detail
	case team.SetRole:
		if e.Detail == string(team.None) {
			return "removed the access of", ""
		}
		return "made", " a " + e.Detail
	case team.Rename:
		return "renamed", " to " + e.Detail
	case team.SetProject:
		return "set the project", " to " + e.Detail
	}
	return string(e.Action), ""
}
