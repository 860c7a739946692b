package pi

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// message decodes a message by its role.
func (b *builder) message(v jsonl.Value) {
	o := fields(v)
	switch role := o.str("role"); role {
	case "assistant":
		b.content(o.get("content"), session.BlockText)
		b.request(o)
		b.error(o)
	case "toolResult":
		b.result(o)
	case "bashExecution", "pythonExecution":
		b.execution(o, role)
	case "system":
		b.system(o)
	case "fileMention":
		b.files(o.get("files"))
	case "branchSummary", "compactionSummary":
		b.text("", o.str("summary"))
	default:
		if o.get("content").Kind() == 'x' {
			b.json("", v)
			return
		}
		b.content(o.get("content"), session.BlockText)
		b.Details = raw(o.get("details"))
	}
}

// result decodes what a tool returned.
func (b *builder) result(o object) {
	b.content(o.get("content"), session.BlockOutput)
	b.usage(o.get("usage"))
	b.Duration = o.count("durationMs")
	b.Details = raw(o.get("details"))
	details := fields(o.get("details"))
	if diff := details.str("diff"); diff != "" {
		b.add(session.Block{Kind: session.BlockDiff, Text: diff})
	}
	for _, key := range []string{"images", "frames"} {
		for _, image := range elements(details.get(key)) {
			if f := fields(image); f.get("data").IsString() {
				b.image(f)
			}
		}
	}
	if b.Usage == (session.Usage{}) {
		b.usage(details.get("usage"))
	}
}

// execution decodes a command run by the user as the call of a tool and its
// output.
func (b *builder) execution(o object, role string) {
	name, key := "bash", "command"
	if role == "pythonExecution" {
		name, key = "python", "code"
	}
	call := session.Block{Kind: session.BlockToolCall, Name: name}
	if v := raw(o.get(key)); v != nil {
		call.Args = append(append([]byte(`{"`+key+`":`), v...), '}')
	}
	b.add(call)
	if text := o.str("output"); text != "" {
		b.add(session.Block{Kind: session.BlockOutput, Text: text})
	}
	b.Duration = o.count("durationMs")
	b.beside(o, "exitCode", "cancelled", "truncated", "fullOutputPath", "excludeFromContext")
}

// system decodes a system prompt or a change of it: sections by name, tools that
// came and went.
func (b *builder) system(o object) {
	b.content(o.get("content"), session.BlockText)
	sections := fields(o.get("sections"))
	for _, name := range sections.keys() {
		if sections.get(name).IsString() {
			b.text(name, sections.str(name))
		} else {
			b.text(name, "*removed*")
		}
	}
	for _, tool := range elements(o.get("toolsAdded")) {
		b.json("Tool "+fields(tool).str("name"), tool)
	}
	b.list("Tools removed", o.get("toolsRemoved"))
}

// files decodes the files that were read for a prompt.
func (b *builder) files(v jsonl.Value) {
	for _, file := range elements(v) {
		o := fields(file)
		b.add(session.Block{Kind: session.BlockFile, Name: o.str("path"), Text: o.str("content")})
		if image := fields(o.get("image")); image.get("data").IsString() {
			b.image(image)
		}
	}
}
