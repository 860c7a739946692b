package session

// sendableItems returns the messages that a provider accepts again. It omits assistant
// messages of nothing but calls without a result, and failed and aborted ones with the
// results of their calls.
func (b *contextBuilder) sendableItems() []ContextItem {
	items := b.context.Items
	results := map[string]bool{}
	for _, item := range items {
		if e := b.entries[item.Pos]; e.Kind == KindToolResult {
			results[e.CallID()] = true
		}
	}
	skipped := map[string]bool{} // calls of failed assistant messages
	out := make([]ContextItem, 0, len(items))
	for i, item := range items {
		switch e := b.entries[item.Pos]; {
		case e.Kind == KindToolResult && skipped[e.CallID()]:
			continue
		case e.Kind != KindAssistant:
		case e.HasFlag(FlagError) && !b.resumesThinking(items[i+1:]):
			for _, call := range e.Calls() {
				skipped[call.ID] = true
			}
			continue
		case e.hasOnlyCalls() && !containsCall(e.Calls(), results):
			continue
		}
		out = append(out, item)
	}
	return out
}

// resumesThinking reports whether the first of the items continues the thinking of the
// answer before it.
func (b *contextBuilder) resumesThinking(items []ContextItem) bool {
	if len(items) == 0 || items[0].Role != "custom" {
		return false
	}
	name := b.entries[items[0].Pos].CustomType()
	return name != "" && name == b.rules.ResumingType
}

func (e *Entry) hasOnlyCalls() bool {
	return len(e.Calls()) > 0 && e.Flags&(FlagText|FlagThinking|FlagImages) == 0
}

func containsCall(calls []ToolCall, ids map[string]bool) bool {
	for _, call := range calls {
		if ids[call.ID] {
			return true
		}
	}
	return false
}
