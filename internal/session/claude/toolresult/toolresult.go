// Package toolresult reads the plans and the results of Claude Code's own tools: what the user answered,
// the links of a search, and the change of a cell of a notebook.
package toolresult

import (
	"regexp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// ReadAnswers returns the answers of the user to questions of the agent, from the recorded result, or
// from its text if the result is not recorded. The reason to refuse a call is an answer without a
// question.
func ReadAnswers(result jsonl.Value, blocks []session.Block) (answers []session.Answer) {
	o := jsonl.ObjectFields(result)
	asked := jsonl.ObjectFields(o.Get("answers"))
	for _, question := range jsonl.ArrayElements(o.Get("questions")) {
		text := jsonl.ObjectFields(question).Text("question")
		if answer := asked.Text(text); answer != "" {
			answers = append(answers, session.Answer{Question: text, Text: answer})
		}
	}
	for i := 0; i < len(blocks) && len(answers) == 0; i++ {
		answers = readTextAnswers(&blocks[i])
	}
	return answers
}

// answeredQuestion is a question with its answer in the text for the model.
var answeredQuestion = regexp.MustCompile(`"([^"]*)"="([^"]*)"`)

// reasonMarks precede the reason in the text of a call that the user refused.
var reasonMarks = []string{"The user provided the following reason for the rejection:", "the user said:"}

// readTextAnswers returns the answers in the text of a result.
func readTextAnswers(block *session.Block) (answers []session.Answer) {
	if block.Kind == session.BlockOutput && strings.HasPrefix(block.Text, "The user doesn't want to ") {
		for _, mark := range reasonMarks {
			if _, reason, found := strings.Cut(block.Text, mark); found && strings.TrimSpace(reason) != "" {
				return []session.Answer{{Text: strings.TrimSpace(reason)}}
			}
		}
	}
	if block.Kind != session.BlockOutput || !strings.HasPrefix(block.Text, "User has answered your questions: ") {
		return nil
	}
	for _, m := range answeredQuestion.FindAllStringSubmatch(block.Text, -1) {
		answers = append(answers, session.Answer{Question: m[1], Text: m[2]})
	}
	return answers
}
