package claude

import (
	"cmp"
	"slices"
)

// fileFacts is what the load order asks of a file.
type fileFacts struct {
	index   int32
	forked  bool   // a line names a session that it was copied from
	own     string // the earliest time of what only this file records
	untold  string // the same of lines without a uuid
	shares  bool   // other files hold an entry of it too
	answers bool   // and an answer is among these
	lines   []int
	place   int             // in the order by times
	from    map[string]bool // sessions in which requests of copied answers were made
	holds   map[string]bool // sessions whose own lines it holds
}

// loadOrder sorts the lines by their files: files that are no copies of others first,
// then by the time of the earliest entry that is in no other file, then by name.
// Where copied answers say in which session their request was made, the files of
// that session come before the copy, whatever the times say.
func (u *unit) loadOrder() []int {
	files := u.fileFacts()
	u.findOwn(files)
	slices.SortStableFunc(files, func(a, b *fileFacts) int {
		return cmp.Or(rank(a.forked, b.forked), rank(a.own == "", b.own == ""), cmp.Compare(a.own, b.own),
			cmp.Compare(u.name(a.index), u.name(b.index)))
	})
	files = originalsFirst(files)
	order := make([]int, 0, len(u.given))
	u.ranks = make(map[int32]*ranked, len(files))
	for k, f := range files {
		order = append(order, f.lines...)
		u.ranks[f.index] = &ranked{k, f.forked, f.own, f.shares, f.answers}
	}
	return order
}

// fileFacts collects the lines of each file.
func (u *unit) fileFacts() (files []*fileFacts) {
	at := map[int32]*fileFacts{}
	for i := range u.given {
		f, ok := at[u.given[i].Span.File]
		if !ok {
			f = &fileFacts{index: u.given[i].Span.File, from: map[string]bool{}, holds: map[string]bool{}}
			at[f.index] = f
			files = append(files, f)
		}
		x := u.facts(i)
		f.lines = append(f.lines, i)
		f.forked = f.forked || x.copied()
		if x.origin != "" {
			f.from[x.origin] = true
		} else if x.about != "" {
			f.holds[x.about] = true
		}
	}
	return files
}

// findOwn finds the earliest time of what each file alone records. Where no answer
// is shared, which would tell who copied, lines without a uuid count too: they are
// never copied.
func (u *unit) findOwn(files []*fileFacts) {
	const several = -1
	in := map[string]int32{} // the file of an id
	for _, f := range files {
		for _, i := range f.lines {
			if x := u.facts(i); x.hasID && len(files) > 1 {
				if other, ok := in[x.id]; ok && other != f.index {
					in[x.id] = several
				} else {
					in[x.id] = f.index
				}
			}
		}
	}
	for _, f := range files {
		for _, i := range f.lines {
			x := u.facts(i)
			shared := x.hasID && len(files) > 1 && in[x.id] == several
			f.shares = f.shares || shared
			f.answers = f.answers || shared && x.class == classAssistant
			switch {
			case x.hasID && !shared:
				f.own = earliest(f.own, x.stamp)
			case !x.hasID:
				f.untold = earliest(f.untold, x.stamp)
			}
		}
		if f.shares && !f.answers {
			f.own = earliest(f.own, f.untold)
		}
	}
}

// earliest is the smaller one of two times; "" is none.
func earliest(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// originalsFirst moves the files of sessions that others name as the source of their
// copies before those, and else keeps the order.
func originalsFirst(files []*fileFacts) []*fileFacts {
	holders := map[string][]*fileFacts{}
	for i, f := range files {
		f.place = i
		for s := range f.holds {
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
			originals := top.originals(holders)
			for i := len(originals) - 1; i >= 0; i-- {
				if !entered[originals[i]] {
					todo = append(todo, originals[i])
				}
			}
		}
	}
	return out
}

// originals lists the files of the sessions that f copied answers from.
func (f *fileFacts) originals(holders map[string][]*fileFacts) (all []*fileFacts) {
	for s := range f.from {
		for _, o := range holders[s] {
			if o != f && !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	slices.SortFunc(all, func(a, b *fileFacts) int { return cmp.Compare(a.place, b.place) })
	return all
}

func rank(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
