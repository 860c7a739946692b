package omp

import "sessiontree/internal/session"

// ActivityRules say how a file shows what oh-my-pi does.
var ActivityRules = session.ActivityRules{
	EntryTurn:    entryTurn,
	ReadQuestion: session.ReadQuestionArgs,
	Explanations: []string{
		"Questions are recorded as calls of the tool ask without a result.",
		"Any other tool call without a result is running. Every answer records why the model stopped.",
	},
}

// entryTurn returns what the messages change that oh-my-pi sends to the model itself:
// reminders, and results of background jobs.
func entryTurn(e *session.Entry) session.TurnChange {
	if e.Kind == session.KindMessage && e.Role == "developer" || e.CustomType() == "async-result" && e.Kind == session.KindCustomMessage {
		return session.TurnBegins
	}
	return session.TurnUnchanged
}
