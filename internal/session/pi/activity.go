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
