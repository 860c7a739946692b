package view

import (
	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// contents counts what some entries hold, kind by kind, to be included or not; hold
// says which are.
func contents(t *session.Tree, entries []session.Pos, hold map[string]bool) []components.ShareHold {
	var said, output, thinking, images int
	for _, p := range entries {
		if int(p) >= t.Len() { // the file was rewritten since
			break
		}
		e := t.At(p)
		switch {
		case e.Kind == session.KindUser, e.Kind == session.KindAssistant && e.Has(session.FlagText):
			said++
		case e.Kind == session.KindToolResult, e.Kind == session.KindShell:
			output++
		}
		for i := range e.Calls {
			if e.Calls[i].Outcome != nil { // recorded in the answer itself
				output++
			}
		}
		if e.Has(session.FlagThinking) {
			thinking++
		}
		if e.Has(session.FlagImages) {
			images++
		}
	}
	counted := func(n int) string { return plural(n, "entry", "entries") }
	return []components.ShareHold{
		{Text: "Prompts and answers", Count: counted(said), Always: true},
		{Name: HoldOutput, Text: "Tool output", Count: counted(output), On: hold[HoldOutput]},
		{Name: HoldThinking, Text: "Thinking", Count: counted(thinking), On: hold[HoldThinking]},
		{Name: HoldImages, Text: "Images", Count: counted(images), On: hold[HoldImages]},
	}
}
