package session

import "iter"

// Traits are the facts about an entry that filters need, in two bytes: a scan of all
// entries need not access the entries themselves.
type Traits uint16

// The traits.
const (
	TraitUser         Traits = 1 << iota
	TraitToolResult          // of a tool
	TraitSetting             // hidden by default: settings and state, the boundary of a reset
	TraitLegacyListed        // listed by pi 0.58.3, hidden by newer agents
	TraitUsage
	TraitWordless // an answer without text that ended like one with calls
	TraitCalls    // has tool calls
	TraitOutcomes // has the outcomes of its calls
	TraitMetadata // see FlagMetadata
	TraitFailed   // a failed tool call, or its output
)

// Traits returns the traits of the entry at p.
func (t *Tree) Traits(p Pos) Traits { return t.traits[p] }

func (e *Entry) computeTraits() (l Traits) {
	for _, fact := range []struct {
		is  bool
		bit Traits
	}{
		{e.Kind == KindUser && !e.HasFlag(FlagSecondary), TraitUser},
		{e.Kind == KindToolResult, TraitToolResult},
		{e.Kind.IsBookkeeping() || e.Kind == KindReset, TraitSetting},
		{(e.Kind == KindName || e.Kind.IsUnworded()) && !e.HasFlag(FlagMetadata), TraitLegacyListed},
		{e.Kind == KindUsage, TraitUsage},
		{e.isWordless(), TraitWordless},
		{len(e.Calls()) > 0, TraitCalls},
		{len(e.Calls()) > 0 && e.Calls()[0].Outcome != nil, TraitOutcomes},
		{e.HasFlag(FlagMetadata), TraitMetadata},
		{e.hasFailedCall(), TraitFailed},
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

// FinishedCalls returns the finished calls that an entry records, and whether each failed: the
// one whose output it is, with the number -1, or the calls of an answer that has their outcomes,
// with their numbers among its calls.
func (e *Entry) FinishedCalls() iter.Seq2[int, bool] {
	return func(yield func(n int, failed bool) bool) {
		if e.Kind == KindToolResult || e.Kind == KindShell {
			yield(-1, e.HasFlag(FlagError))
			return
		}
		calls := e.Calls()
		for i := range calls {
			if o := calls[i].Outcome; o != nil && !yield(i, o.Failed) {
				return
			}
		}
	}
}

// CountCalls returns how many finished calls an entry records, and how many of them failed.
func (e *Entry) CountCalls() (finished, failed int) {
	if e.Kind != KindToolResult && e.Kind != KindShell && len(e.Calls()) == 0 {
		return 0, 0
	}
	for _, isFailed := range e.FinishedCalls() {
		finished++
		if isFailed {
			failed++
		}
	}
	return finished, failed
}

func (e *Entry) hasFailedCall() bool {
	_, failed := e.CountCalls()
	return failed > 0
}

// HasAny reports whether one of bits is set.
func (l Traits) HasAny(bits Traits) bool { return l&bits != 0 }

// CountWeight returns how many entries it counts as, 0 or 1.
func (l Traits) CountWeight() int32 {
	if l.HasAny(TraitMetadata) {
		return 0
	}
	return 1
}

// IsUnworded reports whether pi 0.58.3 has no words for entries of kind k. It lists
// them with an empty text.
func (k Kind) IsUnworded() bool {
	return k == KindUnknown || k == KindEvent || k == KindReset || k == KindArchive
}
