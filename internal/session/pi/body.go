package pi

import (
	"encoding/json"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// body decodes a recorded line in full.
func body(text []byte) (session.Body, error) {
	v, err := jsonl.Whole(text)
	if err != nil {
		return session.Body{}, err
	}
	b := &builder{}
	b.entry(v)
	return b.Body, nil
}

// builder collects a body block by block.
type builder struct{ session.Body }

// list adds file or tool names as a list.
func (b *builder) list(heading string, v jsonl.Value) {
	var text strings.Builder
	for _, item := range jsonl.Elements(v) {
		if name := item.Text(); name != "" {
			text.WriteString("- `" + name + "`\n")
		}
	}
	b.AddText(heading, text.String())
}

// entry decodes an entry by its type.
func (b *builder) entry(v jsonl.Value) {
	o := jsonl.Fields(v)
	switch o.Text("type") {
	case "message":
		if o.Get("message").Kind() != '{' {
			b.AddJSON("", v.Copy())
			return
		}
		b.message(o.Get("message"))
	case "custom_message":
		b.content(o.Get("content"), session.BlockText)
		b.Details = o.Get("details").Copy()
	case "compaction", "branch_summary", "stack_summary":
		b.summary(o)
	case "context_edit":
		b.content(jsonl.Fields(o.Get("replacement")).Get("content"), session.BlockText)
	case "custom":
		b.AddJSON("", o.Get("data").Copy())
	case "usage", "model_usage":
		b.request(o)
		b.AddText("", o.Text("note"))
		b.error(o)
	case "session_init":
		b.sessionInit(o)
	case "label", "session_info", "model_change", "thinking_level_change", "reset_boundary", "archive":
		// Their row says it all.
	default:
		b.AddJSON("", v.Copy())
	}
}

// summary decodes what stands for older entries, or for a branch left behind.
func (b *builder) summary(o jsonl.Object) {
	b.AddText("", o.Text("summary"))
	b.usage(o.Get("usage"))
	b.Details = o.Get("details").Copy()
	files := jsonl.Fields(o.Get("details"))
	b.list("Files read", files.Get("readFiles"))
	b.list("Files modified", files.Get("modifiedFiles"))
	if m := o.Get("systemMessage"); m.Kind() == '{' {
		b.system(jsonl.Fields(m))
	}
}

// sessionInit decodes what a sub-agent of oh-my-pi began with.
func (b *builder) sessionInit(o jsonl.Object) {
	b.AddText("Task", o.Text("task"))
	b.AddText("System prompt", o.Text("systemPrompt"))
	b.list("Tools", o.Get("tools"))
	shown := []string{"type", "id", "parentId", "timestamp", "task", "systemPrompt", "tools"}
	b.beside(o, slices.DeleteFunc(o.Keys(), func(key string) bool { return slices.Contains(shown, key) })...)
}

// request takes over who answered and what it cost.
func (b *builder) request(o jsonl.Object) {
	b.Model, b.Provider = o.Text("model"), o.Text("provider")
	b.usage(o.Get("usage"))
}

func (b *builder) usage(v jsonl.Value) {
	o := jsonl.Fields(v)
	b.Usage = session.Usage{
		Input: o.Count("input"), Output: o.Count("output"),
		CacheRead: o.Count("cacheRead"), CacheWrite: o.Count("cacheWrite"),
	}
	if v.Kind() == '{' {
		c := jsonl.Open(v.Raw)
		b.Usage.Cost = cost(&c)
	}
}

func (b *builder) error(o jsonl.Object) {
	if text := o.Text("errorMessage"); text != "" {
		b.Add(session.Block{Kind: session.BlockError, Text: text})
	}
}

// beside keeps some keys of an object as details.
func (b *builder) beside(o jsonl.Object, keys ...string) {
	kept := map[string]json.RawMessage{}
	for _, key := range keys {
		if v := o.Get(key).Copy(); v != nil {
			kept[key] = v
		}
	}
	if len(kept) > 0 {
		b.Details, _ = json.Marshal(kept) // raw values of a checked line
	}
}
