package session

// rowTraits is what filters need of an entry, in two bytes: a scan of all entries need
// not access the entries themselves.
type rowTraits uint16

const (
	traitUser         rowTraits = 1 << iota
	traitToolResult             // of a tool
	traitSetting                // hidden by default: settings and state, the boundary of a reset
	traitLegacyListed           // listed by pi 0.58.3, hidden by newer agents
	traitUsage
	traitWordless // an answer without text that ended like one with calls
	traitCalls    // has tool calls
	traitOutcomes // has the outcomes of its calls
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

// isWordless reports whether an answer has no text and ended like one with tool calls,
// so that pi gives it no row.
func (e *Entry) isWordless() bool {
	if e.Kind != KindAssistant || e.HasFlag(FlagText) {
		return false
	}
	return e.StopReason() == "" || e.StopReason() == "stop" || e.StopReason() == "toolUse"
}

func (l rowTraits) hasAnyTrait(bits rowTraits) bool { return l&bits != 0 }

// countWeight returns how many entries it counts as, 0 or 1.
func (l rowTraits) countWeight() int32 {
	if l.hasAnyTrait(traitMetadata) {
		return 0
	}
	return 1
}

// passesFilter reports whether the entry at p passes filter f. A layout may hide it
// nevertheless.
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

// IsUnworded reports whether pi 0.58.3 has no words for entries of kind k. It lists
// them with an empty text.
func (k Kind) IsUnworded() bool {
	return k == KindUnknown || k == KindEvent || k == KindReset || k == KindArchive
}
