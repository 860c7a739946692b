package path

import (
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// addThreadHead adds the note before the first entry of a thread.
func (ib *itemBuilder) addThreadHead(e *pathEntry) {
	j := e.ownThread
	if j == nil {
		return
	}
	m := &components.ThreadLink{ItemHead: components.ItemHead{ID: view.DomID("h-", j.headID), Entry: e.ID}, Icon: j.kind, Title: view.UpperFirst(j.kind), Detail: j.title}
	if j.kind == "agent" {
		m.Title, m.Session = "Sub-agent", j.agent.session
		j.fillAgentCard(m)
	}
	switch {
	case j.unattached:
		m.Warning = view.UnattachedText
	case j.kind == view.KindRetracted:
		m.Icon, m.Warning = "back", view.RetractedText
		if j.href != "" {
			m.Relation, m.Other = "came after", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
		}
	case j.href != "" && j.kind == "agent":
		m.Relation, m.Other = "started at", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
		m.Button = "Back to the call"
	case j.href != "":
		m.Relation, m.Other = "continues from", &components.Link{Text: "“" + j.anchor + "”", Href: j.href}
		m.Within = j.anchorThread
	}
	ib.addItem(m)
}

// addStartedThreads adds a link for each agent and session that starts at an entry.
func (ib *itemBuilder) addStartedThreads(e *pathEntry) {
	for _, j := range e.startedThreads {
		m := &components.ThreadLink{
			ItemHead: components.ItemHead{ID: view.DomID("j-", e.ID) + "-" + view.DomID("", j.headID), Entry: e.ID},
			Icon:     j.kind, Other: &components.Link{Text: j.title, Href: j.href}, Detail: components.Pluralize(j.size, "entry", "entries"),
		}
		switch j.kind {
		case "agent":
			m.Title, m.Button, m.Detail, m.LastLine = "Sub-agent", "Open sub-agent", "", j.agent.lastLine
			j.fillAgentCard(m)
		case view.KindRetracted:
			m.Icon, m.Title = "back", "Retracted"
		default:
			m.Title, m.Detail = "Session", "continues from here, "+m.Detail
		}
		ib.addItem(m)
	}
}

// fillAgentCard fills in what an agent did and what it cost.
func (j *threadLink) fillAgentCard(m *components.ThreadLink) {
	a := &j.agent
	m.Facts = append(m.Facts, components.Pluralize(j.size, "entry", "entries"))
	if a.calls > 0 {
		m.Facts = append(m.Facts, components.Pluralize(a.calls, "call", "calls"))
	}
	if a.failed > 0 {
		m.Failed = components.FormatCount(a.failed) + " failed"
	}
	for _, text := range []string{tokensText(a.tokens), view.FormatDollars(a.dollars), view.FormatDuration(a.duration)} {
		if text != "" {
			m.FactsAfter = append(m.FactsAfter, text)
		}
	}
}
