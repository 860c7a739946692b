package wave

import (
	"cmp"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
)

// NoteNotAttached is the code of notes about subagents whose call is unknown.
const NoteNotAttached = "not-attached"

// attachAgents makes each subagent a child of the call that started it. Retracted calls count as
// well, because an agent's file stays when its call is retracted.
func (u *arrangement) attachAgents() {
	calls := u.spawnCalls()
	agents := slices.Clone(u.agents)
	slices.SortFunc(agents, func(a, b int32) int { // independent of the order of the files
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

// firstPrompt returns the first prompt of a subagent, "" if its file has none yet.
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
	n             int // of the calls of the same entry
	time          int64
	prompt, title string
	claimed       bool // an agent is attached to it
}

// spawnCalls holds the calls of a session that started subagents, the oldest first.
type spawnCalls struct {
	all      []*spawnCall
	byPrompt map[string][]*spawnCall
}

// spawnCalls returns the calls of the session itself, including retracted ones and excluding
// replays.
func (u *arrangement) spawnCalls() *spawnCalls {
	s := &spawnCalls{byPrompt: map[string][]*spawnCall{}}
	if len(u.agents) == 0 {
		return s
	}
	for p, e := range u.entries {
		if u.out.Entries[p].HasFlag(session.FlagArtifact) || isSubagentFile(u.fileName(e.Span.File)) {
			continue
		}
		for n, k := range e.Extra.(*facts).spawnRequests {
			s.all = append(s.all, &spawnCall{at: session.Pos(p), n: n, time: e.Time, prompt: rowtext.OneLine(k.prompt), title: k.title})
		}
	}
	slices.SortFunc(s.all, u.compareCalls)
	for _, c := range s.all {
		s.byPrompt[c.prompt] = append(s.byPrompt[c.prompt], c)
	}
	return s
}

// compareCalls compares two calls by their times. Of calls with the same time a retracted one is
// first: its agent stays with it. The order of positions does not count, because it depends on what
// was read first.
func (u *arrangement) compareCalls(a, b *spawnCall) int {
	x, y := u.entries[a.at].Span, u.entries[b.at].Span
	return cmp.Or(cmp.Compare(a.time, b.time), -cmp.Compare(min(x.File, 1), min(y.File, 1)), strings.Compare(u.fileName(x.File), u.fileName(y.File)),
		cmp.Compare(x.Off, y.Off), cmp.Compare(a.n, b.n))
}

// claimCall returns the call that started an agent with this prompt, nil if there is none. That is
// the last call before the agent began with the same prompt, else one whose prompt contains the
// agent's or is contained in it.
func (s *spawnCalls) claimCall(words string, begun int64) *spawnCall {
	words = rowtext.OneLine(words)
	c := lastCall(s.byPrompt[words], words, begun)
	if c == nil {
		c = lastCall(s.all, words, begun)
	}
	if c != nil {
		c.claimed = true
	}
	return c
}

// lastCall returns the last unclaimed call before begun with this prompt; of several at the same
// time the first. A call that seems slightly younger than the agent is the second choice.
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

// isSurelyLater reports whether a is after b by more than the clocks of two writers may differ.
func isSurelyLater(a, b int64) bool {
	const slack = 2000 // milliseconds
	return a != session.NoTime && b != session.NoTime && a > b && a-b > slack
}

// samePrompt reports whether an agent that was started with prompt may have recorded the other text
// as its prompt: they are equal, or one contains the other. Both are on one line.
func samePrompt(prompt, recorded string) bool {
	if prompt == "" || recorded == "" {
		return false
	}
	const enough = 20 // bytes that are unlikely to match by chance
	return prompt == recorded || len(prompt) >= enough && strings.Contains(recorded, prompt) || len(recorded) >= enough && strings.Contains(prompt, recorded)
}
