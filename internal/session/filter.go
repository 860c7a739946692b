package session

// look is what filters ask of an entry, in two bytes beside the others': a walk
// over all entries need not touch the entries themselves.
type look uint16

const (
	looksUser    look = 1 << iota
	looksResult       // of a tool
	looksSetting      // hidden by default: settings and state, the boundary of a reset
	looksOdd          // listed by pi 0.58.3, hidden by newer agents
	looksUsage
	looksWordless // an answer without text that ended as answers with calls do
	looksCalling  // has tool calls
	looksWhole    // with what came of them
	looksMetadata // see FlagMetadata
)

func (e *Entry) look() (l look) {
	for _, fact := range []struct {
		is  bool
		bit look
	}{
		{e.Kind == KindUser && !e.Has(FlagSecondary), looksUser},
		{e.Kind == KindToolResult, looksResult},
		{e.Kind.Bookkeeping() || e.Kind == KindReset, looksSetting},
		{(e.Kind == KindName || e.Kind.Unworded()) && !e.Has(FlagMetadata), looksOdd},
		{e.Kind == KindUsage, looksUsage},
		{e.wordless(), looksWordless},
		{len(e.Calls) > 0, looksCalling},
		{len(e.Calls) > 0 && e.Calls[0].Outcome != nil, looksWhole},
		{e.Has(FlagMetadata), looksMetadata},
	} {
		if fact.is {
			l |= fact.bit
		}
	}
	return l
}

// wordless reports whether an answer has no text and ended as answers with tool
// calls do, so that pi gives it no row.
func (e *Entry) wordless() bool {
	if e.Kind != KindAssistant || e.Has(FlagText) {
		return false
	}
	return e.Stop == "" || e.Stop == "stop" || e.Stop == "toolUse"
}

func (l look) is(bits look) bool { return l&bits != 0 }

// weight is how much an entry adds to a count of entries.
func (l look) weight() int32 {
	if l.is(looksMetadata) {
		return 0
	}
	return 1
}

// passes reports whether filter f lets the entry at p through, apart from what a
// layout hides besides.
func (t *Tree) passes(p Pos, f Filter) bool {
	l := t.looks[p]
	switch f {
	case FilterAll:
		return true
	case FilterUserOnly:
		return l.is(looksUser)
	case FilterLabeledOnly:
		_, labeled := t.Label(p)
		return labeled
	case FilterNoTools:
		return !l.is(looksResult | looksSetting)
	}
	return !l.is(looksSetting)
}

// Unworded reports whether pi 0.58.3 has no words for entries of kind k: it
// lists what it does not know, with an empty text.
func (k Kind) Unworded() bool {
	return k == KindUnknown || k == KindEvent || k == KindReset || k == KindArchive
}
