package pi

import (
	"encoding/json"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/pi/usage"
)

// decodeBody decodes a recorded line in full.
func decodeBody(text []byte) (session.Body, error) {
	v, err := jsonl.ParseObject(text)
	if err != nil {
		return session.Body{}, err
	}
	b := &bodyBuilder{}
	b.addEntry(v)
	return b.Body, nil
}

// bodyBuilder collects a body block by block.
type bodyBuilder struct{ session.Body }

// addNameList adds the names of files or tools as a list.
func (b *bodyBuilder) addNameList(heading string, v jsonl.Value) {
	var text strings.Builder
	for _, item := range jsonl.ArrayElements(v) {
		if name := item.Text(); name != "" {
			text.WriteString("- `" + name + "`\n")
		}
	}
	b.AddText(heading, text.String())
}

// addEntry decodes an entry by its type.
func (b *bodyBuilder) addEntry(v jsonl.Value) {
	o := jsonl.ObjectFields(v)
	switch o.Text("type") {
	case "message":
		if o.Get("message").Kind() != '{' {
			b.AddJSON("", v.CloneRaw())
			return
		}
		b.addMessage(o.Get("message"))
	case "custom_message":
		b.addContentBlocks(o.Get("content"), session.BlockText)
		b.Details = o.Get("details").CloneRaw()
	case "compaction", "branch_summary", "stack_summary":
		b.addSummary(o)
	case "context_edit":
		b.addContentBlocks(jsonl.ObjectFields(o.Get("replacement")).Get("content"), session.BlockText)
	case "custom":
		b.AddJSON("", o.Get("data").CloneRaw())
	case "usage", "model_usage":
		b.setRequestInfo(o)
		b.AddText("", o.Text("note"))
		b.addErrorMessage(o)
	case "session_init":
		b.addSessionInit(o)
	case "label", "session_info", "model_change", "thinking_level_change", "reset_boundary", "archive":
		// Their rows show all of their content.
	default:
		b.AddJSON("", v.CloneRaw())
	}
}

// addSummary adds a summary of older entries or of an abandoned branch.
func (b *bodyBuilder) addSummary(o jsonl.Object) {
	b.AddText("", o.Text("summary"))
	b.setUsage(o.Get("usage"))
	b.Details = o.Get("details").CloneRaw()
	files := jsonl.ObjectFields(o.Get("details"))
	b.addNameList("Files read", files.Get("readFiles"))
	b.addNameList("Files modified", files.Get("modifiedFiles"))
	if m := o.Get("systemMessage"); m.Kind() == '{' {
		b.addSystemPrompt(jsonl.ObjectFields(m))
	}
}

// addSessionInit adds the initial state of a sub-agent of oh-my-pi.
func (b *bodyBuilder) addSessionInit(o jsonl.Object) {
	b.AddText("Task", o.Text("task"))
	b.AddText("System prompt", o.Text("systemPrompt"))
	b.addNameList("Tools", o.Get("tools"))
	shown := []string{"type", "id", "parentId", "timestamp", "task", "systemPrompt", "tools"}
	b.setDetails(o, slices.DeleteFunc(o.Keys(), func(key string) bool { return slices.Contains(shown, key) })...)
}

// setRequestInfo sets the model, the provider and the usage.
func (b *bodyBuilder) setRequestInfo(o jsonl.Object) {
	b.Model, b.Provider = o.Text("model"), o.Text("provider")
	b.setUsage(o.Get("usage"))
}

func (b *bodyBuilder) setUsage(v jsonl.Value) {
	b.Usage = usage.Parse(v).Usage
}

func (b *bodyBuilder) addErrorMessage(o jsonl.Object) {
	if text := o.Text("errorMessage"); text != "" {
		b.AddBlock(session.Block{Kind: session.BlockError, Text: text})
	}
}

// setDetails sets the details to some keys of an object.
func (b *bodyBuilder) setDetails(o jsonl.Object, keys ...string) {
	kept := map[string]json.RawMessage{}
	for _, key := range keys {
		if v := o.Get(key).CloneRaw(); v != nil {
			kept[key] = v
		}
	}
	if len(kept) > 0 {
		b.Details, _ = json.Marshal(kept) // cannot fail: these are raw values of a checked line
	}
}
