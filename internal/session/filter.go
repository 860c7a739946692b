package session

// wordless reports whether an answer has no text and ended as answers with tool
// calls do, so that pi gives it no row.
func wordless(e *Entry) bool {
	if e.Kind != KindAssistant || e.Has(FlagText) {
		return false
	}
	return e.Stop == "" || e.Stop == "stop" || e.Stop == "toolUse"
}

// passes reports whether filter f lets the entry at p through, apart from what a
// layout hides besides.
func (t *Tree) passes(p Pos, f Filter) bool {
	k := t.entries[p].Kind
	switch f {
	case FilterAll:
		return true
	case FilterUserOnly:
		return k == KindUser
	case FilterLabeledOnly:
		_, labeled := t.Label(p)
		return labeled
	case FilterNoTools:
		return k != KindToolResult && !settles(k)
	}
	return !settles(k)
}

// settles reports whether entries of kind k are hidden by default: settings and
// state, and the boundary of a reset.
func settles(k Kind) bool { return k.Bookkeeping() || k == KindReset }

// Unworded reports whether pi 0.58.3 has no words for entries of kind k: it
// lists what it does not know, with an empty text.
func (k Kind) Unworded() bool {
	return k == KindUnknown || k == KindEvent || k == KindReset || k == KindArchive
}
