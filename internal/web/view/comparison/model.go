package comparison

import (
	"net/url"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/compare"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/web/components"
)

// maxListedBranches limits the branches that the head of a side offers.
const maxListedBranches = 40

// builder builds the model of a comparison.
type builder struct {
	view.Scene
	*Plan
	render *path.Renderer
	bodies filediff.Bodies
	files  []compare.File
	ids    []string // of the ends

	diffLines int // on the page so far
}

// Model returns the model of the page.
func (pl *Plan) Model(s view.Scene, about components.Page, r *path.Renderer, bodies filediff.Bodies, edits *filediff.Edits) components.CompareModel {
	b := &builder{Scene: s, Plan: pl, render: r, bodies: bodies, files: pl.result.JoinFiles(s.Tree, edits)}
	for i := range pl.result.Sides {
		b.ids = append(b.ids, s.Tree.At(pl.result.Sides[i].End).ID)
	}
	name := view.SessionName(s.Tree)
	m := components.CompareModel{Page: about, Base: s.Base(), Project: view.ProjectName(s.Tree), Back: b.backLink(name), Names: factNames(), Tab: pl.params.Tab,
		Shared: components.Pluralize(pl.result.Shared, "shared entry", "shared entries")}
	m.Page.Title, m.Page.Live = "Compare branches, "+name, ""
	b.addAncestor(&m)
	b.addSides(&m)
	b.addFiles(&m)
	if edits.Left > 0 {
		m.FileEnd = strings.TrimSpace(m.FileEnd + " " + components.Pluralize(edits.Left, "edit is", "edits are") + " not included: there is too much text to compare.")
	}
	if len(b.ids) == 2 {
		m.Swap = b.href([]string{b.ids[1], b.ids[0]})
		m.Equal = b.equalText()
		b.addSteps(&m)
		b.addTabs(&m)
	}
	return m
}

func (b *builder) href(ids []string) string { return href(b.Base(), ids, b.params.Tab, 0) }

// backLink links to the session at the end of the first side.
func (b *builder) backLink(name string) components.Link {
	return components.Link{Text: name, Href: b.sideHref(0)}
}

// sideHref views a side. The path to the leaf follows the leaf.
func (b *builder) sideHref(i int) string {
	end := b.result.Sides[i].End
	if end == b.Tree.Leaf() {
		return b.Base()
	}
	return b.Base() + "?leaf=" + url.QueryEscape(b.Tree.At(end).ID)
}

// entryHref views an entry on the path of a side.
func (b *builder) entryHref(side int, p session.Pos) string {
	leaf := ""
	if end := b.result.Sides[side].End; end != b.Tree.Leaf() {
		leaf = b.Tree.At(end).ID
	}
	return view.Params{}.WithEntry(b.Tree.At(p).ID, leaf).Href(b.Base())
}

func (b *builder) addAncestor(m *components.CompareModel) {
	at := view.NearestMessage(b.Tree, b.result.Ancestor)
	if at == session.NoPos {
		return
	}
	numbers := view.EntryNumbers{Tree: b.Tree}
	m.Ancestor = &components.Link{Text: rowtext.Cut(view.EntryText(b.Tree, at), 160), Href: b.entryHref(0, at)}
	m.At, m.Time = "entry "+numbers.Format(at), b.Config.MillisModel(b.Tree.At(at).Time)
}

func (b *builder) addSides(m *components.CompareModel) {
	tips := b.Tree.BranchTips()
	facts := b.countFacts()
	for i := range b.result.Sides {
		s := &b.result.Sides[i]
		side := components.CompareSide{
			Letter: letter(i), ID: b.ids[i], Name: b.sideName(s), Href: b.sideHref(i), Current: s.End == b.Tree.Leaf(),
			Entries: components.Pluralize(s.Entries, "entry", "entries"), Time: b.Config.MillisModel(s.Time),
			Cells: factCells(facts, i), Summary: facts[i].summaryText(), Files: components.Pluralize(facts[i].Files, "file", "files"),
			Failures: b.render.CallCards(b.Scene, b.failures[i], b.bodies), FailureCount: b.earlier[i] + len(b.failures[i]),
		}
		if n := b.earlier[i]; n > 0 {
			side.Earlier = components.Pluralize(n, "earlier failure is", "earlier failures are") + " not listed"
		}
		if len(b.ids) == 2 {
			b.addOtherBranches(&side, i, tips)
		} else {
			b.addPrompts(&side, i)
		}
		m.Sides = append(m.Sides, side)
	}
}

// letter returns the letter of a side.
func letter(i int) string { return string(rune('A' + i)) }

// sideName returns the title of what a side has of its own.
func (b *builder) sideName(s *compare.Side) string {
	if head := s.Head(); head != session.NoPos {
		return view.BranchTitle(b.Tree, head)
	}
	return "The branch up to the fork"
}

// addOtherBranches adds the same comparison with other branches on a side.
func (b *builder) addOtherBranches(m *components.CompareSide, side int, tips []session.Tip) {
	for i := range tips {
		id := b.Tree.At(tips[i].Pos).ID
		if slices.Contains(b.ids, id) {
			continue
		}
		if len(m.Others) == maxListedBranches {
			m.More = b.Base() + "/branches"
			return
		}
		ids := slices.Clone(b.ids)
		ids[side] = id
		m.Others = append(m.Others, components.Link{Text: view.BranchTitle(b.Tree, tips[i].Head), Href: b.href(ids)})
	}
}

func (b *builder) addTabs(m *components.CompareModel) {
	counts := []int{-1, len(b.files), m.Sides[0].FailureCount + m.Sides[1].FailureCount}
	for i, text := range []string{"Conversation", "Files", "Failures"} {
		m.Tabs = append(m.Tabs, components.Chip{Name: tabs[i], Text: text, Count: counts[i], On: b.params.Tab == tabs[i], Href: href(b.Base(), b.ids, tabs[i], 0)})
	}
}

// equalText says so if one side ends where the other continues.
func (b *builder) equalText() string {
	for i := range 2 {
		if longer := &b.result.Sides[1-i]; len(b.result.Sides[i].Own) == 0 {
			return "The branches are equal up to the shorter end. " + letter(1-i) + " has " + components.Pluralize(longer.Entries, "more entry", "more entries") + "."
		}
	}
	return ""
}
