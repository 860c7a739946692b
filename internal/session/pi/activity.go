package pi

import "sessiontree/internal/session"

// activityRules say how a file shows what pi does. pi runs tools without asking.
var activityRules = session.ActivityRules{
	ReadQuestion: session.ReadQuestionArgs,
	Explanations: []string{
		"pi runs tools without asking, so a tool call without a result is running.",
		"Every answer records why the model stopped. It waits for you if an extension asks a question with a tool.",
	},
}

// ompActivityRules say how a file shows what oh-my-pi does.
var ompActivityRules = session.ActivityRules{
	EntryTurn:    ompEntryTurn,
	ReadQuestion: session.ReadQuestionArgs,
	Explanations: []string{
		"Questions are recorded as calls of the tool ask without a result.",
		"Any other tool call without a result is running. Every answer records why the model stopped.",
	},
}

// ompEntryTurn returns what the messages change that oh-my-pi sends to the model itself:
// reminders, and results of background jobs.
func ompEntryTurn(e *session.Entry) session.TurnChange {
	if e.Kind == session.KindMessage && e.Role == "developer" || e.CustomType() == "async-result" && e.Kind == session.KindCustomMessage {
		return session.TurnBegins
	}
	return session.TurnUnchanged
}
