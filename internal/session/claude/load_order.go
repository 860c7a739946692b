package claude

import (
	"cmp"
	"sessiontree/internal/session/bools"
	"sessiontree/internal/session/claude/dag"
	"slices"
)

// fileFacts describes a file for the load order.
type fileFacts struct {
	index                int32
	forked               bool   // a line names a session that it was copied from
	earliestOwn          string // the earliest time of entries that only this file records
	earliestUnidentified string // the earliest time of lines without a uuid
	hasShared            bool   // other files hold an entry of it too
	sharesAnswer         bool   // an answer is among these
	lines                []int
	place                int             // index in the order by times
	copiedFrom           map[string]bool // sessions that copied assistant messages were made in
	ownSessions          map[string]bool // sessions whose own lines it holds
}

// loadOrder returns the lines sorted by file. Files that are not copies of others come first. Then
// files are sorted by the time of the earliest entry that no other file holds, then by name. A
// file with copied assistant messages always comes after the files of the sessions that they were
// made in.
func (u *fileGroup) loadOrder() []int {
	files := u.collectFileFacts()
	u.findEarliestOwn(files)
	slices.SortStableFunc(files, func(a, b *fileFacts) int {
		return cmp.Or(bools.Compare(a.forked, b.forked), bools.Compare(a.earliestOwn == "", b.earliestOwn == ""), cmp.Compare(a.earliestOwn, b.earliestOwn),
			cmp.Compare(u.fileName(a.index), u.fileName(b.index)))
	})
	files = orderOriginalsFirst(files)
	order := make([]int, 0, len(u.entries))
	u.ranks = make(map[int32]*fileRank, len(files))
	for k, f := range files {
		order = append(order, f.lines...)
		u.ranks[f.index] = &fileRank{k, f.forked, f.earliestOwn, f.hasShared, f.sharesAnswer}
	}
	return order
}

// collectFileFacts collects the facts of each file.
func (u *fileGroup) collectFileFacts() (files []*fileFacts) {
	at := map[int32]*fileFacts{}
	for i := range u.entries {
		f, ok := at[u.entries[i].Span.File]
		if !ok {
			f = &fileFacts{index: u.entries[i].Span.File, copiedFrom: map[string]bool{}, ownSessions: map[string]bool{}}
			at[f.index] = f
			files = append(files, f)
		}
		x := u.factsAt(i)
		f.lines = append(f.lines, i)
		f.forked = f.forked || x.isCopied()
		if x.Origin != "" {
			f.copiedFrom[x.Origin] = true
		} else if x.sessionID != "" {
			f.ownSessions[x.sessionID] = true
		}
	}
	return files
}

// findEarliestOwn finds the earliest time that only one file records. If no answer is shared, which
// would identify the copy, lines without a uuid count too: they are never copied.
func (u *fileGroup) findEarliestOwn(files []*fileFacts) {
	const several = -1
	in := map[string]int32{} // the file of an id
	for _, f := range files {
		for _, i := range f.lines {
			if x := u.factsAt(i); x.hasID && len(files) > 1 {
				if other, ok := in[x.ID]; ok && other != f.index {
					in[x.ID] = several
				} else {
					in[x.ID] = f.index
				}
			}
		}
	}
	for _, f := range files {
		for _, i := range f.lines {
			x := u.factsAt(i)
			shared := x.hasID && len(files) > 1 && in[x.ID] == several
			f.hasShared = f.hasShared || shared
			f.sharesAnswer = f.sharesAnswer || shared && x.Class == dag.ClassAssistant
			switch {
			case x.hasID && !shared:
				f.earliestOwn = earlierStamp(f.earliestOwn, x.Stamp)
			case !x.hasID:
				f.earliestUnidentified = earlierStamp(f.earliestUnidentified, x.Stamp)
			}
		}
		if f.hasShared && !f.sharesAnswer {
			f.earliestOwn = earlierStamp(f.earliestOwn, f.earliestUnidentified)
		}
	}
}

// earlierStamp returns the earlier one of two times, where "" is no time.
func earlierStamp(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// orderOriginalsFirst moves the files of sessions that others name as the source of their copies
// before those files, and keeps the order otherwise.
func orderOriginalsFirst(files []*fileFacts) []*fileFacts {
	holders := map[string][]*fileFacts{}
	for i, f := range files {
		f.place = i
		for s := range f.ownSessions {
			holders[s] = append(holders[s], f)
		}
	}
	out := make([]*fileFacts, 0, len(files))
	entered, placed := map[*fileFacts]bool{}, map[*fileFacts]bool{}
	for _, f := range files {
		for todo := []*fileFacts{f}; len(todo) > 0; {
			top := todo[len(todo)-1]
			if entered[top] {
				todo = todo[:len(todo)-1]
				if !placed[top] {
					placed[top] = true
					out = append(out, top)
				}
				continue
			}
			entered[top] = true
			originals := top.originalFiles(holders)
			for i := len(originals) - 1; i >= 0; i-- {
				if !entered[originals[i]] {
					todo = append(todo, originals[i])
				}
			}
		}
	}
	return out
}

// originalFiles lists the files of the sessions that f copied assistant messages from, in their
// order by times.
func (f *fileFacts) originalFiles(holders map[string][]*fileFacts) (all []*fileFacts) {
	for s := range f.copiedFrom {
		for _, o := range holders[s] {
			if o != f && !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	slices.SortFunc(all, func(a, b *fileFacts) int { return cmp.Compare(a.place, b.place) })
	return all
}
