package htmlexport

import (
	"context"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/view/tree"
	"sessiontree/web/components"
)

// pageTree is the script's initial knowledge of the tree. Entries are numbered by position.
type pageTree struct {
	Leaf      int32
	IDs       []string
	Parent    []int32 // distance from an entry to its parent; from a root to -1
	Stretches struct{ Last, Size, Up, Tip []int32 }
	// Pages are in the order of writing; Parts counts the pages of each element.
	Pages   struct{ Stretch, Size []int32 }
	Parts   []int32
	Filters []pageFilter
	Ticks   []pageTick
	Facts   string            // HTML around the panes, with everything that may be shown there
	Ends    map[string]string // HTML of the item after the last entry: leaf, other, none
	Print   int               // how many entries are printed
}

// pageTick is a mark on the ruler.
type pageTick struct {
	At    int32
	Class string
	Title string `json:",omitempty"`
	Time  string `json:",omitempty"`
}

// maxPrintedEntries limits the entries of a path that the page prints, because a browser
// lays out all of them at once.
const maxPrintedEntries = 2000

func (d *pageTree) fillFromTree(t *session.Tree, all []session.Segment) {
	d.Leaf, d.Print = int32(t.Leaf()), maxPrintedEntries
	d.IDs, d.Parent = make([]string, t.Len()), make([]int32, t.Len())
	for i := range d.IDs {
		p := session.Pos(i)
		d.IDs[i], d.Parent[i] = t.At(p).ID, int32(p-t.Parent(p))
	}
	s := &d.Stretches
	for _, r := range all {
		s.Last, s.Size = append(s.Last, int32(r.Last)), append(s.Size, int32(r.Size))
		s.Up, s.Tip = append(s.Up, int32(r.ParentIndex)), append(s.Tip, int32(r.Tip))
	}
}

// renderFrame renders the parts around rows and path that depend on the view.
func (d *pageTree) renderFrame(ctx context.Context, r *path.Renderer, s view.Scene) error {
	tree.VisitTicks(s, func(p session.Pos, t components.Tick) {
		d.Ticks = append(d.Ticks, pageTick{int32(p), t.Class, t.Title, t.Time.ISO})
	})
	m := tree.SessionFrame(s, tree.SessionInfo{})
	m.Layouts, m.Ticks = nil, nil
	// Render everything that any view may show; the script hides the rest.
	m.View.AtLeaf, m.View.Query, m.Facts.Hits = false, "?", 0
	for i := range m.Filters {
		m.Filters[i].On = false
	}
	d.Ends = map[string]string{}
	leaf, other, none := r.EndItems(s)
	for name, item := range map[string]*components.PathEnd{"leaf": leaf, "other": other, "none": none} {
		var html strings.Builder
		if err := item.Render(ctx, &html); err != nil {
			return err
		}
		d.Ends[name] = html.String()
	}
	var html strings.Builder
	err := components.SessionFacts(m).Render(ctx, &html)
	d.Facts = html.String()
	return err
}

// pageFacts holds the facts of all paths that end at a tip.
type pageFacts struct {
	Tip  []int32
	HTML []string
}

// maxCountedEntries limits the entries counted for the facts of all paths, for formats that
// count each path separately. The facts of further paths contain only their length;
// otherwise a tree with many deep branches would take quadratic time.
const maxCountedEntries = 20_000_000

// pathStatesByEnd returns the states of all paths by the last entry of a segment. It is
// empty for formats that count each path separately.
func (m *pageRenderer) pathStatesByEnd() map[session.Pos]session.PathState {
	byTip := map[session.Pos]session.PathState{}
	m.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
		states, _ := session.PathStates(t, m.segments)
		for i, s := range states {
			byTip[m.segments[i].Last] = s
		}
	})
	return byTip
}

// writePathFacts writes the facts of each path, beginning with the path to the leaf.
func (m *pageRenderer) writePathFacts(ctx context.Context, p *partWriter) error {
	var f pageFacts
	states, costs := m.pathStatesByEnd(), m.newPathCosts()
	seen, left := map[session.Pos]bool{}, maxCountedEntries
	add := func(tip session.Pos) error {
		if seen[tip] || left < 0 && tip != session.NoPos {
			return ctx.Err()
		}
		seen[tip] = true
		var facts components.Facts
		if state, ok := states[tip]; ok {
			facts = tree.StateFacts(state)
		} else {
			m.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
				trail := t.Trail(tip)
				left -= len(trail.Path)
				facts = tree.PathFacts(view.Scene{Tree: t, View: outline.View{Leaf: tip}}, trail)
			})
		}
		facts.Spent = costs.spentOn(tip)
		var html strings.Builder
		err := components.FactsList(facts).Render(ctx, &html)
		f.Tip, f.HTML = append(f.Tip, int32(tip)), append(f.HTML, html.String())
		return err
	}
	if err := add(session.Pos(m.tree.Leaf)); err != nil {
		return err
	}
	for _, s := range m.segments {
		if err := add(s.Tip); err != nil {
			return err
		}
	}
	if err := add(session.NoPos); err != nil { // the place before the first entry
		return err
	}
	return p.writeJSONPart("facts", f)
}

// pathCosts is what all paths of a session cost.
type pathCosts struct {
	spent *components.Spent // of the path to the leaf, nil if there are no requests
	sums  spend.Sums
	paths []float64 // by position of the last entry
}

func (m *pageRenderer) newPathCosts() (c pathCosts) {
	m.sess.ReadTree(func(t *session.Tree, _ store.Revision) {
		s := view.Scene{Config: m.config, Tree: t, View: outline.View{Leaf: t.Leaf()}, Audience: m.sess.Audience}
		costs := s.Costs()
		c = pathCosts{tree.SpentModel(s), costs.Total().Sums, costs.PathCosts()}
	})
	return c
}

// spentOn returns what the path to a tip cost.
func (c *pathCosts) spentOn(tip session.Pos) *components.Spent {
	if c.spent == nil {
		return nil
	}
	spent, cost := *c.spent, 0.0
	if tip != session.NoPos {
		cost = c.paths[tip]
	}
	spent.Path = tree.PathCostText(cost, &c.sums)
	return &spent
}
