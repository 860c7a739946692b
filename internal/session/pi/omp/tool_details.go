// Package omp knows what only oh-my-pi does: the calls and results of its own tools, and how its
// files show what it does.
package omp

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// ReadAnswers returns the answers of the user that oh-my-pi's tool "ask" records: one, or a list.
func ReadAnswers(details jsonl.Object) (answers []session.Answer) {
	if details.Get("question").IsString() {
		answers = appendAnswer(answers, details)
	}
	for _, item := range jsonl.ArrayElements(details.Get("results")) {
		answers = appendAnswer(answers, jsonl.ObjectFields(item))
	}
	return answers
}

// appendAnswer appends the chosen options and the user's own words, if there are any.
func appendAnswer(answers []session.Answer, o jsonl.Object) []session.Answer {
	var chosen []string
	for _, item := range jsonl.ArrayElements(o.Get("selectedOptions")) {
		chosen = append(chosen, item.Text())
	}
	for _, key := range []string{"customInput", "note"} {
		if own := o.Text(key); own != "" {
			chosen = append(chosen, own)
		}
	}
	if len(chosen) == 0 {
		return answers
	}
	return append(answers, session.Answer{Question: o.Text("question"), Text: strings.Join(chosen, ", ")})
}

// ReadTodos returns the todo list as oh-my-pi's tool "todo" left it: tasks in phases.
func ReadTodos(details jsonl.Object) (todos []session.Todo) {
	phases := jsonl.ArrayElements(details.Get("phases"))
	for _, item := range phases {
		phase := jsonl.ObjectFields(item)
		for _, task := range jsonl.ArrayElements(phase.Get("tasks")) {
			o := jsonl.ObjectFields(task)
			t := session.Todo{Text: o.Text("content"), Status: o.Text("status")}
			if len(phases) > 1 {
				t.Group = phase.Text("name")
			}
			todos = append(todos, t)
		}
	}
	return todos
}
