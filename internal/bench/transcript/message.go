package transcript

import (
	"encoding/base64"
	"fmt"
	"time"
)

// Text is a text block.
func Text(s string) O { return O{"type", "text", "text", s} }

// Thinking is a thinking block.
func Thinking(s string) O {
	return O{"type", "thinking", "thinking", s, "thinkingSignature", "c2lnbmF0dXJl"}
}

// Image is an image block with the data in it.
func Image(png []byte) O {
	return O{"type", "image", "data", base64.StdEncoding.EncodeToString(png), "mimeType", "image/png"}
}

// Message writes a message entry of a role; its time comes last.
func (f *File) Message(role string, fields ...any) string {
	m := append(O{"role", role}, fields...)
	return f.Entry("message", "message", append(m, "timestamp", f.Now.UnixMilli()))
}

// User writes a prompt.
func (f *File) User(text string, more ...O) string {
	f.Wait(40 * time.Second)
	content := []O{Text(text)}
	return f.Message("user", "content", append(content, more...))
}

// Answer writes an answer of blocks. stop is the stop reason.
func (f *File) Answer(stop string, blocks []O, more ...any) string {
	f.Wait(4 * time.Second)
	size := 0
	for _, b := range blocks {
		size += len(fmt.Sprint(b...))
	}
	f.context += 900 + size
	use := O{"input", 4, "output", size/4 + 12, "cacheRead", f.context, "cacheWrite", 260 + size/4, "totalTokens", f.context + size/2 + 276,
		"cost", O{"input", 0.0001, "output", f.Cost / 2, "cacheRead", f.Cost / 4, "cacheWrite", f.Cost / 4, "total", f.Cost}}
	if blocks == nil {
		blocks = []O{}
	}
	fields := O{"content", blocks, "api", "messages", "provider", f.Provider, "model", f.Model, "usage", use, "stopReason", stop}
	return f.Message("assistant", append(fields, more...)...)
}

// Say writes a plain answer.
func (f *File) Say(text string) string { return f.Answer("stop", []O{Text(text)}) }

// Think writes an answer with thinking before it.
func (f *File) Think(thinking, text string) string {
	return f.Answer("stop", []O{Thinking(thinking), Text(text)})
}

// Call writes an answer that calls a tool; Result answers it.
func (f *File) Call(text, tool string, args O) string {
	f.call, f.tool = fmt.Sprintf("toolu_%s", f.nextID()), tool
	blocks := []O{{"type", "toolCall", "id", f.call, "name", tool, "arguments", args}}
	if text != "" {
		blocks = append([]O{Text(text)}, blocks...)
	}
	return f.Answer("toolUse", blocks)
}

// Result writes the result of the last call.
func (f *File) Result(text string, more ...O) string {
	return f.result(append([]O{Text(text)}, more...), false)
}

// Failed writes the result of the last call as an error.
func (f *File) Failed(text string) string { return f.result([]O{Text(text)}, true) }

func (f *File) result(content []O, failed bool, more ...any) string {
	f.context += len(fmt.Sprint(content)) / 4
	fields := append(O{"toolCallId", f.call, "toolName", f.tool, "content", content}, more...)
	return f.Message("toolResult", append(fields, "isError", failed)...)
}

// Bash calls the bash tool and writes its output; failed when it ends in an exit
// code.
func (f *File) Bash(text, command, output string, failed bool) string {
	f.Call(text, "bash", O{"command", command})
	return f.result([]O{Text(output)}, failed)
}

// Read calls the read tool.
func (f *File) Read(text, path, content string) string {
	f.Call(text, "read", O{"path", path})
	return f.Result(content)
}

// Edit calls the edit tool. diff is in the agent's form: sign, line number, text.
func (f *File) Edit(text, path, before, after, diff string) string {
	f.Call(text, "edit", O{"path", path, "oldText", before, "newText", after})
	return f.result([]O{Text("Successfully replaced text in " + path + ".")}, false, "details", O{"diff", diff})
}

// Shell writes a command typed by the user.
func (f *File) Shell(command, output string, exit int) string {
	return f.Message("bashExecution", "command", command, "output", output, "exitCode", exit, "cancelled", false, "truncated", false)
}

// SetModel writes a change of model.
func (f *File) SetModel(provider, model string) string {
	f.Provider, f.Model = provider, model
	if f.dialect == Omp {
		return f.Entry("model_change", "model", provider+"/"+model, "role", "default")
	}
	return f.Entry("model_change", "provider", provider, "modelId", model)
}

// SetThinking writes a change of the thinking level.
func (f *File) SetThinking(level string) string {
	return f.Entry("thinking_level_change", "thinkingLevel", level)
}

// Label names an entry; "" clears. The conversation goes on where it was.
func (f *File) Label(target, label string) string {
	key := "targetId"
	if f.dialect == Draft {
		key = "targetUuid"
	}
	return f.Entry("label", key, target, "label", label)
}

// Named sets the session's name.
func (f *File) Named(name string) string { return f.Entry("session_info", "name", name) }

// Summary goes to the entry at and writes a summary of what is left behind there.
func (f *File) Summary(at, summary string) string {
	left := f.Last
	f.Back(at)
	return f.Entry("branch_summary", "fromId", left, "summary", summary, "details", O{"readFiles", []string{}, "modifiedFiles", []string{}})
}

// Compact writes a compaction that keeps everything from kept on.
func (f *File) Compact(summary, kept string) string {
	before := f.context
	f.context = 2400
	key := "firstKeptEntryId"
	if f.dialect == Draft {
		key = "firstKeptEntryUuid"
	}
	return f.Entry("compaction", "summary", summary, key, kept, "tokensBefore", before)
}
