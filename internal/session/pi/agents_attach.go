package pi

import (
	"path"
	"strconv"

	"sessiontree/internal/session"
)

// spawn is a call of the task tool in a file.
type spawn struct {
	at     session.Pos
	names  []string // as asked for
	ids    []string // as the result tells
	failed bool
	result []session.Pos // the last one counts
}

// claim is by which call an agent was started.
type claim struct {
	at session.Pos
	by *spawn // nil: only a message tells of it
}

// learn takes in what a line of a file says of agents.
func (f *fileTree) learn(at session.Pos, e *session.Entry, x *spawned) {
	for _, call := range x.calls {
		s := &spawn{at: at, names: call.names}
		f.spawns, f.byCall[call.id] = append(f.spawns, s), s
	}
	switch {
	case e.Kind == session.KindToolResult:
		s := f.byCall[e.Call]
		if s == nil { // its call is gone
			s = &spawn{at: at}
			f.spawns = append(f.spawns, s)
		}
		s.ids, s.failed, s.result = x.ids, x.failed, append(s.result, at)
	case len(x.calls) == 0:
		for _, id := range x.ids {
			if _, known := f.told[id]; !known {
				f.told[id] = at
			}
		}
	}
}

// attach decides where agents hang, and returns those that hung elsewhere.
func (c *arrangement) attach() (moved []*fileTree) {
	for _, f := range c.sorted {
		f.claim()
	}
	used := map[*spawn]bool{}
	for _, f := range c.sorted {
		if f.name == "" || len(f.at) == 0 {
			continue
		}
		by := c.starter(f)
		if by.at != f.up {
			moved, f.up = append(moved, f), by.at
		}
		first := f.at[f.tree.Roots()[0]]
		c.out.Parent[first] = by.at
		l := &c.out.Lines[f.line]
		l.At, l.Parent = by.at, ""
		if by.at != session.NoPos {
			l.Parent = c.lineOf(by.at)
		}
		used[by.by] = true
	}
	for _, f := range c.sorted {
		for _, s := range f.spawns {
			for i, at := range s.result {
				c.discount(at, used[s] && i == len(s.result)-1)
			}
		}
	}
	return moved
}

// claim names the agents that a file started, as the agent does: a name that is taken
// gets a number. What results tell counts first.
func (f *fileTree) claim() {
	f.claimed = map[string]claim{}
	for _, s := range f.spawns {
		for _, id := range s.ids {
			if _, known := f.claimed[id]; !known {
				f.claimed[id] = claim{s.at, s}
			}
		}
	}
	prefix := ""
	if f.name != "" {
		prefix = path.Base(f.name) + "."
	}
	for _, s := range f.spawns {
		for _, name := range s.names {
			if len(s.ids) > 0 || s.failed || name == "" {
				continue
			}
			id := prefix + name
			for n := 2; f.claimed[id].by != nil; n++ {
				id = prefix + name + "-" + strconv.Itoa(n)
			}
			f.claimed[id] = claim{s.at, s}
		}
	}
}

// starter finds the entry that started an agent: in the file that its directory is named
// after, which alone is asked where it is there, else in any.
func (c *arrangement) starter(f *fileTree) claim {
	names, order := []string{path.Base(f.name)}, c.sorted
	if above := path.Dir(f.name); above != "." && c.byName[above] != nil {
		names, order = append(names, path.Base(above)+"."+names[0]), []*fileTree{c.byName[above]}
	}
	for _, by := range order {
		for _, id := range names {
			if found, ok := by.claimed[id]; ok && by != f {
				return found
			}
		}
	}
	for _, by := range order {
		for _, id := range names {
			if at, ok := by.told[id]; ok && by != f {
				return claim{at: at}
			}
		}
	}
	return claim{at: session.NoPos}
}

// lineOf names the line that the entry at p is on.
func (c *arrangement) lineOf(p session.Pos) string {
	return c.out.Lines[c.files[c.out.Entries[p].Span.File].line].Name
}

// discount takes from a result what its agents spent, if there are any: their own files
// say it.
func (c *arrangement) discount(at session.Pos, used bool) {
	e := c.out.Entries[at]
	recorded := recordedEntry(e)
	x, ok := recorded.Extra.(*spawned)
	if !ok {
		return
	}
	cost := recorded.Cost
	if used {
		cost -= x.cost
	}
	if e.Cost == cost {
		return
	}
	own := *e
	own.Cost, own.Extra = cost, &agentEntry{recorded}
	c.out.Entries[at] = &own
	if c.changed != nil {
		c.changed[at] = true
	}
}
