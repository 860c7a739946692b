package pi

import "sessiontree/internal/session/jsonl"

// ompArguments names the most informative arguments of oh-my-pi's own tools, the best first. Rows of
// these tools show the first that is a text, instead of the beginning of the JSON.
var ompArguments = map[string][]string{
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

// appendNamedArgument appends the most informative argument of a tool of oh-my-pi, as far as a row
// shows it. It appends nothing if the tool is unknown or its arguments have another shape.
func (p *stringPacker) appendNamedArgument(name string, args jsonl.Value) {
	if args.Kind() != '{' {
		return
	}
	o := jsonl.ObjectFields(args)
	for _, key := range ompArguments[name] {
		v := o.Get(key)
		if items := jsonl.ArrayElements(v); len(items) > 0 {
			v = namedItem(items[0])
			if name == "task" && len(items) > 1 {
				p.appendItemNames(items)
				return
			}
		}
		if v.IsString() && !v.IsBlank() {
			p.appendCommand(v)
			return
		}
	}
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

// appendItemNames appends the names of items, separated by commas.
func (p *stringPacker) appendItemNames(items []jsonl.Value) {
	from := len(p.buf)
	for i, item := range items {
		v := namedItem(item)
		if !v.IsString() {
			continue
		}
		if i > 0 {
			p.buf = append(p.buf, ", "...)
		}
		p.buf = jsonl.AppendText(p.buf, v, maxArgs)
		if countUTF16(p.buf[from:]) > maxCommand {
			break
		}
	}
	p.flattenSince(from)
	if countUTF16(p.buf[from:]) > maxCommand {
		p.cutSince(from, maxCommand)
		p.buf = append(p.buf, "..."...)
	}
}
