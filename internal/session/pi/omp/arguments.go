package omp

import "sessiontree/internal/session/jsonl"

// arguments names the most informative arguments of oh-my-pi's own tools, the best first. Rows of
// these tools show the first that is a text, instead of the beginning of the JSON.
var arguments = map[string][]string{
	"ask":           {"question", "questions"},
	"ast_edit":      {"path", "ops", "pat"},
	"ast_grep":      {"pat", "pattern", "path"},
	"browser":       {"url", "action", "name", "code"},
	"debug":         {"action", "program"},
	"eval":          {"title", "code"},
	"fetch":         {"url"},
	"github":        {"op", "query"},
	"glob":          {"pattern", "path"},
	"lsp":           {"action", "file"},
	"python":        {"code"},
	"search":        {"pattern", "path"},
	"ssh":           {"command"},
	"task":          {"description", "tasks", "task", "prompt", "agent"},
	"todo":          {"task", "phase", "op"},
	"todo_write":    {"todos", "op"},
	"web_search":    {"query"},
	"notebook":      {"notebook_path", "path"},
	"inspect_image": {"path"},
	"recall":        {"query"},
	"retain":        {"content"},
	"learn":         {"content", "lesson"},
	"think":         {"thought"},
	"yield":         {"status"},
}

// listedTexts are the keys of the text by which an item of a list is named.
var listedTexts = []string{"question", "name", "id", "description", "content", "title"}

// Arguments returns the most informative argument of a call, or the names of the tasks that it starts.
// It returns nil if the tool is unknown or its arguments have another shape.
func Arguments(tool string, args jsonl.Value) []jsonl.Value {
	if args.Kind() != '{' {
		return nil
	}
	o := jsonl.ObjectFields(args)
	for _, key := range arguments[tool] {
		texts := []jsonl.Value{o.Get(key)}
		if items := jsonl.ArrayElements(texts[0]); len(items) > 0 {
			if tool != "task" {
				items = items[:1]
			}
			texts = texts[:0]
			for _, item := range items {
				texts = append(texts, namedItem(item))
			}
		}
		if texts[0].IsString() && !texts[0].IsBlank() {
			return texts
		}
	}
	return nil
}

// namedItem returns the text by which an item of a list is named, or the item itself.
func namedItem(item jsonl.Value) jsonl.Value {
	if item.Kind() != '{' {
		return item
	}
	o := jsonl.ObjectFields(item)
	for _, key := range listedTexts {
		if v := o.Get(key); v.IsString() && !v.IsBlank() {
			return v
		}
	}
	return item
}
