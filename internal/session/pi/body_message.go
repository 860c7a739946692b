package pi

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// addMessage decodes a message by its role.
func (b *bodyBuilder) addMessage(v jsonl.Value) {
	o := jsonl.ObjectFields(v)
	switch role := o.Text("role"); role {
	case "assistant":
		b.addContentBlocks(o.Get("content"), session.BlockText)
		b.setRequestInfo(o)
		b.addErrorMessage(o)
	case "toolResult":
		b.addToolResult(o)
	case "bashExecution", "pythonExecution":
		b.addExecution(o, role)
	case "system":
		b.addSystemPrompt(o)
	case "fileMention":
		b.addFiles(o.Get("files"))
	case "branchSummary", "compactionSummary":
		b.AddText("", o.Text("summary"))
	default:
		if o.Get("content").Kind() == 'x' {
			b.AddJSON("", v.CloneRaw())
			return
		}
		b.addContentBlocks(o.Get("content"), session.BlockText)
		b.Details = o.Get("details").CloneRaw()
	}
}

// addToolResult decodes a tool result.
func (b *bodyBuilder) addToolResult(o jsonl.Object) {
	b.addContentBlocks(o.Get("content"), session.BlockOutput)
	b.setUsage(o.Get("usage"))
	b.Duration = o.Count("durationMs")
	b.Details = o.Get("details").CloneRaw()
	details := jsonl.ObjectFields(o.Get("details"))
	if diff := details.Text("diff"); diff != "" {
		b.AddBlock(session.Block{Kind: session.BlockDiff, Text: diff})
	}
	for _, key := range []string{"images", "frames"} {
		for _, image := range jsonl.ArrayElements(details.Get(key)) {
			if f := jsonl.ObjectFields(image); f.Get("data").IsString() {
				b.addImage(f)
			}
		}
	}
	if b.Usage == (session.Usage{}) {
		b.setUsage(details.Get("usage"))
	}
}

// addExecution decodes a command run by the user as a tool call and its output.
func (b *bodyBuilder) addExecution(o jsonl.Object, role string) {
	name, key := "bash", "command"
	if role == "pythonExecution" {
		name, key = "python", "code"
	}
	call := session.Block{Kind: session.BlockToolCall, Name: name}
	if v := o.Get(key).CloneRaw(); v != nil {
		call.Args = append(append([]byte(`{"`+key+`":`), v...), '}')
	}
	b.AddBlock(call)
	if text := o.Text("output"); text != "" {
		b.AddBlock(session.Block{Kind: session.BlockOutput, Text: text})
	}
	b.Duration = o.Count("durationMs")
	b.setDetails(o, "exitCode", "cancelled", "truncated", "fullOutputPath", "excludeFromContext")
}

// addSystemPrompt decodes a system prompt or a change of it: sections by name, and tools added or
// removed.
func (b *bodyBuilder) addSystemPrompt(o jsonl.Object) {
	b.addContentBlocks(o.Get("content"), session.BlockText)
	sections := jsonl.ObjectFields(o.Get("sections"))
	for _, name := range sections.Keys() {
		if sections.Get(name).IsString() {
			b.AddText(name, sections.Text(name))
		} else {
			b.AddText(name, "*removed*")
		}
	}
	for _, tool := range jsonl.ArrayElements(o.Get("toolsAdded")) {
		b.AddJSON("Tool "+jsonl.ObjectFields(tool).Text("name"), tool.CloneRaw())
	}
	b.addNameList("Tools removed", o.Get("toolsRemoved"))
}

// addFiles decodes the files that were read for a prompt.
func (b *bodyBuilder) addFiles(v jsonl.Value) {
	for _, file := range jsonl.ArrayElements(v) {
		o := jsonl.ObjectFields(file)
		b.AddBlock(session.Block{Kind: session.BlockFile, Name: o.Text("path"), Text: o.Text("content")})
		if image := jsonl.ObjectFields(o.Get("image")); image.Get("data").IsString() {
			b.addImage(image)
		}
	}
}
