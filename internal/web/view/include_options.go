package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// includeOptions counts the kinds of content in the entries; hold selects the included
// kinds.
func includeOptions(t *session.Tree, entries []session.Pos, include map[string]bool) []components.IncludeOption {
	var messages, output, thinking, images int
	for _, p := range entries {
		if int(p) >= t.Len() { // the file was rewritten meanwhile
			break
		}
		e := t.At(p)
		switch {
		case e.Kind == session.KindUser, e.Kind == session.KindAssistant && e.HasFlag(session.FlagText):
			messages++
		case e.Kind == session.KindToolResult, e.Kind == session.KindShell:
			output++
		}
		for i := range e.Calls() {
			if e.Calls()[i].Outcome != nil { // recorded in the answer itself
				output++
			}
		}
		if e.HasFlag(session.FlagThinking) {
			thinking++
		}
		if e.HasFlag(session.FlagImages) {
			images++
		}
	}
	counted := func(n int) string { return components.Pluralize(n, "entry", "entries") }
	return []components.IncludeOption{
		{Text: "Prompts and answers", Count: counted(messages), Always: true},
		{Name: IncludeOutput, Text: "Tool output", Count: counted(output), On: include[IncludeOutput]},
		{Name: IncludeThinking, Text: "Thinking", Count: counted(thinking), On: include[IncludeThinking]},
		{Name: IncludeImages, Text: "Images", Count: counted(images), On: include[IncludeImages]},
	}
}
