package wave

import "sessiontree/internal/session"

// activityRules say how a file shows what Wave does. It saves an answer when its tools have
// ended, so neither running tools nor questions are in the file.
var activityRules = session.ActivityRules{
	EntryTurn:    entryTurn,
	ReadQuestion: session.ReadQuestionArgs,
	Explanations: []string{
		"Wave saves an answer after its tools have ended. A running tool, a question and a request for permission are not in the file: all of them look as if the model worked.",
		"An answer without tool calls ends the turn.",
	},
}

// entryTurn returns what a notice of a background task changes: the model reacts to it.
func entryTurn(e *session.Entry) session.TurnChange {
	if e.Kind == session.KindCustomMessage && e.Name == "task" {
		return session.TurnBegins
	}
	return session.TurnUnchanged
}
