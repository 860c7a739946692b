package wave

import (
	"cmp"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// NoteNotAttached is the code of notes about subagents that no call is known of.
const NoteNotAttached = "not-attached"

// attachAgents makes each subagent a child of the call that started it. Calls that
// were taken back count as well: an agent's file stays when its call goes.
func (u *unit) attachAgents() {
	calls := u.spawnCalls()
	agents := slices.Clone(u.agents)
	slices.SortFunc(agents, func(a, b int32) int { // whatever the order of the files
		return cmp.Or(cmp.Compare(u.firstOf(a).Time, u.firstOf(b).Time), cmp.Compare(u.name(a), u.name(b)))
	})
	for _, file := range agents {
		line := &u.out.Lines[u.lines[file]]
		first := line.Entries[0]
		begins := *u.out.Entries[first]
		begins.Flags |= session.FlagAgent
		words := u.firstPrompt(line)
		u.wordless[file] = words == ""
		if c := calls.take(words, begins.Time); c != nil {
			line.At, line.Parent, line.Title = c.at, stem(u.name(0)), c.title
			u.out.Parent[first] = c.at
		} else {
			u.out.Notes = append(u.out.Notes, session.Note{Code: NoteNotAttached, File: int(file), Line: int(begins.Span.Line), Entry: begins.ID,
				Text: "Parent unknown: no call in this session asked for what this subagent was asked. It is shown as a root."})
		}
		u.out.Entries[first] = &begins
	}
}

// firstOf returns the first entry of an agent's file.
func (u *unit) firstOf(file int32) *session.Entry {
	return u.given[u.out.Lines[u.lines[file]].Entries[0]]
}

// firstPrompt returns what a subagent was asked, "" while its file does not say.
func (u *unit) firstPrompt(line *session.DAGLine) string {
	for _, p := range line.Entries {
		if x := u.given[p].Extra.(*facts); x.words != "" {
			return x.words
		}
	}
	return ""
}

// spawnCall is a call that started a subagent.
type spawnCall struct {
	at           session.Pos
	time         int64
	words, title string
	taken        bool // by an agent
}

// spawnCalls are the calls of a session that started subagents, the oldest first.
type spawnCalls struct {
	all     []*spawnCall
	byWords map[string][]*spawnCall
}

// spawnCalls lists the calls of the session itself, with those that were taken
// back, without what was recorded twice.
func (u *unit) spawnCalls() *spawnCalls {
	s := &spawnCalls{byWords: map[string][]*spawnCall{}}
	if len(u.agents) == 0 {
		return s
	}
	for p, e := range u.given {
		if u.out.Entries[p].Has(session.FlagArtifact) || isAgent(u.name(e.Span.File)) {
			continue
		}
		for _, k := range e.Extra.(*facts).asked {
			s.all = append(s.all, &spawnCall{at: session.Pos(p), time: e.Time, words: foldSpace(k.prompt), title: k.title})
		}
	}
	slices.SortStableFunc(s.all, func(a, b *spawnCall) int { return cmp.Compare(a.time, b.time) })
	for _, c := range s.all {
		s.byWords[c.words] = append(s.byWords[c.words], c)
	}
	return s
}

// take returns the call that an agent with these first words is of, nil when there
// is none: the last one before the agent began that has the same words, else one
// whose words hold the agent's or lie within them.
func (s *spawnCalls) take(words string, begun int64) *spawnCall {
	words = foldSpace(words)
	c := lastCall(s.byWords[words], words, begun)
	if c == nil {
		c = lastCall(s.all, words, begun)
	}
	if c != nil {
		c.taken = true
	}
	return c
}

// lastCall returns the last of calls before begun with these words that no agent
// has, of several at one time the first. One that seems a little younger than the
// agent is second best.
func lastCall(calls []*spawnCall, words string, begun int64) (best *spawnCall) {
	for _, c := range calls {
		switch {
		case c.taken || later(c.time, begun) || !alike(c.words, words):
		case best == nil, c.time > best.time && c.time <= begun:
			best = c
		}
	}
	return best
}

// later reports whether a is surely after b. Times are of two writers.
func later(a, b int64) bool {
	const slack = 2000 // ms
	return a != session.NoTime && b != session.NoTime && a > b && a-b > slack
}

// foldSpace returns a text with each run of white space as one blank.
func foldSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// alike reports whether an agent that was asked one thing may have begun with the
// other: the same words, or one within the other. Both are one line.
func alike(asked, said string) bool {
	if asked == "" || said == "" {
		return false
	}
	const enough = 20 // bytes that are no chance
	return asked == said || len(asked) >= enough && strings.Contains(said, asked) || len(said) >= enough && strings.Contains(asked, said)
}
