package pi

import (
	"path"
	"strconv"

	"sessiontree/internal/session"
)

// spawnCall is a call of the task tool.
type spawnCall struct {
	at     session.Pos
	names  []string // requested names
	ids    []string // ids according to the result
	failed bool
	result []session.Pos // the last one counts
}

// agentClaim is the call that started an agent.
type agentClaim struct {
	at session.Pos
	by *spawnCall // nil if only a message names the agent
}

// recordSpawns records the agents that an entry names.
func (f *fileTree) recordSpawns(at session.Pos, e *session.Entry, x *spawnFacts) {
	for _, call := range x.calls {
		s := &spawnCall{at: at, names: call.names}
		f.spawns, f.byCall[call.id] = append(f.spawns, s), s
	}
	switch {
	case e.Kind == session.KindToolResult:
		s := f.byCall[e.CallID()]
		if s == nil { // its call is gone
			s = &spawnCall{at: at}
			f.spawns = append(f.spawns, s)
		}
		s.ids, s.failed, s.result = x.ids, x.failed, append(s.result, at)
	case len(x.calls) == 0:
		for _, id := range x.ids {
			if _, known := f.announced[id]; !known {
				f.announced[id] = at
			}
		}
	}
}

// attachAgents determines the entry that each agent is attached to, and returns the agents for
// which it changed.
func (c *arrangement) attachAgents() (moved []*fileTree) {
	for _, f := range c.sorted {
		f.claimAgents()
	}
	starters := c.findStarters()
	used := map[*spawnCall]bool{}
	for i, f := range c.sorted {
		if !f.isBegunAgent() {
			continue
		}
		by := starters[i]
		if by.at != f.attachedTo {
			moved, f.attachedTo = append(moved, f), by.at
		}
		first := f.sessionPos[f.tree.Roots()[0]]
		c.out.Parent[first] = by.at
		l := &c.out.Threads[f.thread]
		l.At, l.Parent = by.at, ""
		if by.at != session.NoPos {
			l.Parent = c.threadName(by.at)
		}
		used[by.by] = true
	}
	for _, f := range c.sorted {
		for _, s := range f.spawns {
			for i, at := range s.result {
				c.subtractAgentCost(at, used[s] && i == len(s.result)-1)
			}
		}
	}
	return moved
}

// claimAgents records the ids of the agents that a file started. It assigns ids as the agent does:
// a name that is in use gets a number. Ids in results take precedence.
func (f *fileTree) claimAgents() {
	f.claimed = map[string]agentClaim{}
	for _, s := range f.spawns {
		for _, id := range s.ids {
			if _, known := f.claimed[id]; !known {
				f.claimed[id] = agentClaim{s.at, s}
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
			f.claimed[id] = agentClaim{s.at, s}
		}
	}
}

// isBegunAgent reports whether the file is of a sub-agent and has entries.
func (f *fileTree) isBegunAgent() bool { return f.name != "" && len(f.sessionPos) > 0 }

// findStarters returns the call that started each agent, by place in sorted. Agents name each
// other in messages. If they seem to have started each other, because the call is gone or not
// read yet, the first of them is attached to nothing.
func (c *arrangement) findStarters() []agentClaim {
	starters := make([]agentClaim, len(c.sorted))
	places := map[*fileTree]int32{} // in sorted
	for i, f := range c.sorted {
		places[f] = int32(i)
	}
	starterFiles := make([]int32, len(c.sorted))
	for i, f := range c.sorted {
		starters[i], starterFiles[i] = agentClaim{at: session.NoPos}, -1
		if !f.isBegunAgent() {
			continue
		}
		if by := c.findStarter(f); by.at != session.NoPos {
			starters[i], starterFiles[i] = by, places[c.files[c.out.Entries[by.at].Span.File]]
		}
	}
	session.BreakCycles(starterFiles, 0, func(at int32) {
		starters[at], starterFiles[at] = agentClaim{at: session.NoPos}, -1
	})
	return starters
}

// findStarter returns the call that started an agent. It searches the file that the agent's
// directory is named after or, if there is none, all files.
func (c *arrangement) findStarter(f *fileTree) agentClaim {
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
			if at, ok := by.announced[id]; ok && by != f {
				return agentClaim{at: at}
			}
		}
	}
	return agentClaim{at: session.NoPos}
}

// threadName returns the name of the thread of the entry at p.
func (c *arrangement) threadName(p session.Pos) string {
	return c.out.Threads[c.files[c.out.Entries[p].Span.File].thread].Name
}

// subtractAgentCost subtracts the cost of attached agents from a result, because the agents' own
// files record it.
func (c *arrangement) subtractAgentCost(at session.Pos, used bool) {
	e := c.out.Entries[at]
	recorded := recordedEntry(e)
	x, ok := recorded.Extra.(*spawnFacts)
	if !ok {
		return
	}
	cost := recorded.Cost()
	if used {
		cost -= x.cost
	}
	if e.Cost() == cost {
		return
	}
	own := *e
	charge := *e.Charge()
	charge.Cost = cost
	own.OwnDetails().Charge, own.Extra = &charge, &agentEntry{recorded}
	c.out.Entries[at] = &own
	if c.changed != nil {
		c.changed[at] = true
	}
}
