package pi

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// message decodes a message by its role.
func (b *builder) message(v jsonl.Value) {
	o := jsonl.Fields(v)
	switch role := o.Text("role"); role {
	case "assistant":
		b.content(o.Get("content"), session.BlockText)
		b.request(o)
		b.error(o)
	case "toolResult":
		b.result(o)
	case "bashExecution", "pythonExecution":
		b.execution(o, role)
	case "system":
		b.system(o)
	case "fileMention":
		b.files(o.Get("files"))
	case "branchSummary", "compactionSummary":
		b.AddText("", o.Text("summary"))
	default:
		if o.Get("content").Kind() == 'x' {
			b.AddJSON("", v.Copy())
			return
		}
		b.content(o.Get("content"), session.BlockText)
		b.Details = o.Get("details").Copy()
	}
}

// result decodes what a tool returned.
func (b *builder) result(o jsonl.Object) {
	b.content(o.Get("content"), session.BlockOutput)
	b.usage(o.Get("usage"))
	b.Duration = o.Count("durationMs")
	b.Details = o.Get("details").Copy()
	details := jsonl.Fields(o.Get("details"))
	if diff := details.Text("diff"); diff != "" {
		b.Add(session.Block{Kind: session.BlockDiff, Text: diff})
	}
	for _, key := range []string{"images", "frames"} {
		for _, image := range jsonl.Elements(details.Get(key)) {
			if f := jsonl.Fields(image); f.Get("data").IsString() {
				b.image(f)
			}
		}
	}
	if b.Usage == (session.Usage{}) {
		b.usage(details.Get("usage"))
	}
}

// execution decodes a command run by the user as the call of a tool and its
// output.
func (b *builder) execution(o jsonl.Object, role string) {
	name, key := "bash", "command"
	if role == "pythonExecution" {
		name, key = "python", "code"
	}
	call := session.Block{Kind: session.BlockToolCall, Name: name}
	if v := o.Get(key).Copy(); v != nil {
		call.Args = append(append([]byte(`{"`+key+`":`), v...), '}')
	}
	b.Add(call)
	if text := o.Text("output"); text != "" {
		b.Add(session.Block{Kind: session.BlockOutput, Text: text})
	}
	b.Duration = o.Count("durationMs")
	b.beside(o, "exitCode", "cancelled", "truncated", "fullOutputPath", "excludeFromContext")
}

// system decodes a system prompt or a change of it: sections by name, tools that
// came and went.
func (b *builder) system(o jsonl.Object) {
	b.content(o.Get("content"), session.BlockText)
	sections := jsonl.Fields(o.Get("sections"))
	for _, name := range sections.Keys() {
		if sections.Get(name).IsString() {
			b.AddText(name, sections.Text(name))
		} else {
			b.AddText(name, "*removed*")
		}
	}
	for _, tool := range jsonl.Elements(o.Get("toolsAdded")) {
		b.AddJSON("Tool "+jsonl.Fields(tool).Text("name"), tool.Copy())
	}
	b.list("Tools removed", o.Get("toolsRemoved"))
}

// files decodes the files that were read for a prompt.
func (b *builder) files(v jsonl.Value) {
	for _, file := range jsonl.Elements(v) {
		o := jsonl.Fields(file)
		b.Add(session.Block{Kind: session.BlockFile, Name: o.Text("path"), Text: o.Text("content")})
		if image := jsonl.Fields(o.Get("image")); image.Get("data").IsString() {
			b.image(image)
		}
	}
}
