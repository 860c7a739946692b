package session

// rowTraits is what filters ask of an entry, in two bytes beside the others': a walk
// over all entries need not touch the entries themselves.
type rowTraits uint16

const (
	traitUser         rowTraits = 1 << iota
	traitToolResult             // of a tool
	traitSetting                // hidden by default: settings and state, the boundary of a reset
	traitLegacyListed           // listed by pi 0.58.3, hidden by newer agents
	traitUsage
	traitWordless // an answer without text that ended as answers with calls do
	traitCalls    // has tool calls
	traitOutcomes // with what came of them
	traitMetadata // see FlagMetadata
)

func (e *Entry) computeTraits() (l rowTraits) {
	for _, fact := range []struct {
		is  bool
		bit rowTraits
	}{
		{e.Kind == KindUser && !e.HasFlag(FlagSecondary), traitUser},
		{e.Kind == KindToolResult, traitToolResult},
		{e.Kind.IsBookkeeping() || e.Kind == KindReset, traitSetting},
		{(e.Kind == KindName || e.Kind.IsUnworded()) && !e.HasFlag(FlagMetadata), traitLegacyListed},
		{e.Kind == KindUsage, traitUsage},
		{e.isWordless(), traitWordless},
		{len(e.Calls()) > 0, traitCalls},
		{len(e.Calls()) > 0 && e.Calls()[0].Outcome != nil, traitOutcomes},
		{e.HasFlag(FlagMetadata), traitMetadata},
	} {
		if fact.is {
			l |= fact.bit
		}
	}
	return l
}

// isWordless reports whether an answer has no text and ended as answers with tool
// calls do, so that pi gives it no row.
func (e *Entry) isWordless() bool {
	if e.Kind != KindAssistant || e.HasFlag(FlagText) {
		return false
	}
	return e.StopReason() == "" || e.StopReason() == "stop" || e.StopReason() == "toolUse"
}

func (l rowTraits) hasAnyTrait(bits rowTraits) bool { return l&bits != 0 }

// countWeight is how much an entry adds to a count of entries.
func (l rowTraits) countWeight() int32 {
	if l.hasAnyTrait(traitMetadata) {
		return 0
	}
	return 1
}

// passesFilter reports whether filter f lets the entry at p through, apart from what a
// layout hides besides.
func (t *Tree) passesFilter(p Pos, f Filter) bool {
	l := t.traits[p]
	switch f {
	case FilterAll:
		return true
	case FilterUserOnly:
		return l.hasAnyTrait(traitUser)
	case FilterLabeledOnly:
		_, labeled := t.Label(p)
		return labeled
	case FilterNoTools:
		return !l.hasAnyTrait(traitToolResult | traitSetting)
	}
	return !l.hasAnyTrait(traitSetting)
}

// IsUnworded reports whether pi 0.58.3 has no words for entries of kind k: it
// lists what it does not know, with an empty text.
func (k Kind) IsUnworded() bool {
	return k == KindUnknown || k == KindEvent || k == KindReset || k == KindArchive
}
