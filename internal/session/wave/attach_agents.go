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
func (u *arrangement) attachAgents() {
	calls := u.spawnCalls()
	agents := slices.Clone(u.agents)
	slices.SortFunc(agents, func(a, b int32) int { // whatever the order of the files
		return cmp.Or(cmp.Compare(u.firstEntry(a).Time, u.firstEntry(b).Time), cmp.Compare(u.fileName(a), u.fileName(b)))
	})
	for _, file := range agents {
		line := &u.out.Threads[u.threadOf[file]]
		first := line.Entries[0]
		begins := *u.out.Entries[first]
		begins.Flags |= session.FlagAgent
		words := u.firstPrompt(line)
		u.withoutPrompt[file] = words == ""
		if c := calls.claimCall(words, begins.Time); c != nil {
			line.At, line.Parent, line.Title = c.at, fileStem(u.fileName(0)), c.title
			u.out.Parent[first] = c.at
		} else {
			u.out.Notes = append(u.out.Notes, session.Note{Code: NoteNotAttached, File: int(file), Line: int(begins.Span.Line), Entry: begins.ID,
				Text: "Parent unknown: no call in this session matches this sub-agent's task. It is shown as a root."})
		}
		u.out.Entries[first] = &begins
	}
}

// firstEntry returns the first entry of an agent's file.
func (u *arrangement) firstEntry(file int32) *session.Entry {
	return u.entries[u.out.Threads[u.threadOf[file]].Entries[0]]
}

// firstPrompt returns what a subagent was asked, "" while its file does not say.
func (u *arrangement) firstPrompt(line *session.Thread) string {
	for _, p := range line.Entries {
		if x := u.entries[p].Extra.(*facts); x.prompt != "" {
			return x.prompt
		}
	}
	return ""
}

// spawnCall is a call that started a subagent.
type spawnCall struct {
	at            session.Pos
	time          int64
	prompt, title string
	claimed       bool // by an agent
}

// spawnCalls are the calls of a session that started subagents, the oldest first.
type spawnCalls struct {
	all      []*spawnCall
	byPrompt map[string][]*spawnCall
}

// spawnCalls lists the calls of the session itself, with those that were taken
// back, without what was recorded twice.
func (u *arrangement) spawnCalls() *spawnCalls {
	s := &spawnCalls{byPrompt: map[string][]*spawnCall{}}
	if len(u.agents) == 0 {
		return s
	}
	for p, e := range u.entries {
		if u.out.Entries[p].HasFlag(session.FlagArtifact) || isSubagentFile(u.fileName(e.Span.File)) {
			continue
		}
		for _, k := range e.Extra.(*facts).spawnRequests {
			s.all = append(s.all, &spawnCall{at: session.Pos(p), time: e.Time, prompt: foldSpace(k.prompt), title: k.title})
		}
	}
	slices.SortStableFunc(s.all, func(a, b *spawnCall) int { return cmp.Compare(a.time, b.time) })
	for _, c := range s.all {
		s.byPrompt[c.prompt] = append(s.byPrompt[c.prompt], c)
	}
	return s
}

// claimCall returns the call that an agent with these first words is of, nil when there
// is none: the last one before the agent began that has the same words, else one
// whose words hold the agent's or lie within them.
func (s *spawnCalls) claimCall(words string, begun int64) *spawnCall {
	words = foldSpace(words)
	c := lastCall(s.byPrompt[words], words, begun)
	if c == nil {
		c = lastCall(s.all, words, begun)
	}
	if c != nil {
		c.claimed = true
	}
	return c
}

// lastCall returns the last of calls before begun with these words that no agent
// has, of several at one time the first. One that seems a little younger than the
// agent is second best.
func lastCall(calls []*spawnCall, words string, begun int64) (best *spawnCall) {
	for _, c := range calls {
		switch {
		case c.claimed || isSurelyLater(c.time, begun) || !samePrompt(c.prompt, words):
		case best == nil, c.time > best.time && c.time <= begun:
			best = c
		}
	}
	return best
}

// isSurelyLater reports whether a is surely after b. Times are of two writers.
func isSurelyLater(a, b int64) bool {
	const slack = 2000 // ms
	return a != session.NoTime && b != session.NoTime && a > b && a-b > slack
}

// foldSpace returns a text with each run of white space as one blank.
func foldSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// samePrompt reports whether an agent that was asked one thing may have begun with the
// other: the same words, or one within the other. Both are one line.
func samePrompt(asked, said string) bool {
	if asked == "" || said == "" {
		return false
	}
	const enough = 20 // bytes that are no chance
	return asked == said || len(asked) >= enough && strings.Contains(said, asked) || len(said) >= enough && strings.Contains(asked, said)
}
