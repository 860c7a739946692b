package transcript

import (
	"encoding/base64"
	"fmt"
	"time"
)

// TextBlock returns a text block.
func TextBlock(s string) Object { return Object{"type", "text", "text", s} }

// ThinkingBlock returns a thinking block.
func ThinkingBlock(s string) Object {
	return Object{"type", "thinking", "thinking", s, "thinkingSignature", "c2lnbmF0dXJl"}
}

// ImageBlock returns an image block that contains the data.
func ImageBlock(png []byte) Object {
	return Object{"type", "image", "data", base64.StdEncoding.EncodeToString(png), "mimeType", "image/png"}
}

// AddMessage adds a message entry of a role. Its time comes last.
func (f *File) AddMessage(role string, fields ...any) string {
	m := append(Object{"role", role}, fields...)
	return f.AddEntry("message", "message", append(m, "timestamp", f.Now.UnixMilli()))
}

// AddPrompt adds a prompt.
func (f *File) AddPrompt(text string, more ...Object) string {
	f.AdvanceTime(40 * time.Second)
	content := []Object{TextBlock(text)}
	return f.AddMessage("user", "content", append(content, more...))
}

// AddAnswer adds an answer of blocks. stop is the stop reason.
func (f *File) AddAnswer(stop string, blocks []Object, more ...any) string {
	f.AdvanceTime(4 * time.Second)
	size := 0
	for _, b := range blocks {
		size += len(fmt.Sprint(b...))
	}
	f.context += 900 + size
	use := Object{"input", 4, "output", size/4 + 12, "cacheRead", f.context, "cacheWrite", 260 + size/4, "totalTokens", f.context + size/2 + 276,
		"cost", Object{"input", 0.0001, "output", f.Cost / 2, "cacheRead", f.Cost / 4, "cacheWrite", f.Cost / 4, "total", f.Cost}}
	if blocks == nil {
		blocks = []Object{}
	}
	fields := Object{"content", blocks, "api", "messages", "provider", f.Provider, "model", f.Model, "usage", use, "stopReason", stop}
	return f.AddMessage("assistant", append(fields, more...)...)
}

// AddReply adds a plain answer.
func (f *File) AddReply(text string) string { return f.AddAnswer("stop", []Object{TextBlock(text)}) }

// AddThinkingReply adds an answer with thinking before it.
func (f *File) AddThinkingReply(thinking, text string) string {
	return f.AddAnswer("stop", []Object{ThinkingBlock(thinking), TextBlock(text)})
}

// AddToolCall adds an answer that calls a tool. AddResult adds the result.
func (f *File) AddToolCall(text, tool string, args Object) string {
	f.call, f.tool = fmt.Sprintf("toolu_%s", f.nextEntryID()), tool
	blocks := []Object{{"type", "toolCall", "id", f.call, "name", tool, "arguments", args}}
	if text != "" {
		blocks = append([]Object{TextBlock(text)}, blocks...)
	}
	return f.AddAnswer("toolUse", blocks)
}

// AddResult adds the result of the last call.
func (f *File) AddResult(text string, more ...Object) string {
	return f.addResult(append([]Object{TextBlock(text)}, more...), false)
}

// AddFailedResult adds an error as the result of the last call.
func (f *File) AddFailedResult(text string) string {
	return f.addResult([]Object{TextBlock(text)}, true)
}

func (f *File) addResult(content []Object, failed bool, more ...any) string {
	f.context += len(fmt.Sprint(content)) / 4
	fields := append(Object{"toolCallId", f.call, "toolName", f.tool, "content", content}, more...)
	return f.AddMessage("toolResult", append(fields, "isError", failed)...)
}

// AddBashCall adds a call of the bash tool with its output. failed means that it ended
// with an exit code.
func (f *File) AddBashCall(text, command, output string, failed bool) string {
	f.AddToolCall(text, "bash", Object{"command", command})
	return f.addResult([]Object{TextBlock(output)}, failed)
}

// AddReadCall adds a call of the read tool.
func (f *File) AddReadCall(text, path, content string) string {
	f.AddToolCall(text, "read", Object{"path", path})
	return f.AddResult(content)
}

// AddEditCall adds a call of the edit tool. diff is in the agent's form: sign, line
// number, text.
func (f *File) AddEditCall(text, path, before, after, diff string) string {
	f.AddToolCall(text, "edit", Object{"path", path, "oldText", before, "newText", after})
	return f.addResult([]Object{TextBlock("Successfully replaced text in " + path + ".")}, false, "details", Object{"diff", diff})
}

// AddShellCommand adds a command typed by the user.
func (f *File) AddShellCommand(command, output string, exit int) string {
	return f.AddMessage("bashExecution", "command", command, "output", output, "exitCode", exit, "cancelled", false, "truncated", false)
}

// AddModelChange adds a change of model.
func (f *File) AddModelChange(provider, model string) string {
	f.Provider, f.Model = provider, model
	if f.dialect == Omp {
		return f.AddEntry("model_change", "model", provider+"/"+model, "role", "default")
	}
	return f.AddEntry("model_change", "provider", provider, "modelId", model)
}

// AddThinkingChange adds a change of the thinking level.
func (f *File) AddThinkingChange(level string) string {
	return f.AddEntry("thinking_level_change", "thinkingLevel", level)
}

// AddLabel labels an entry; "" clears the label. The next entry is its child.
func (f *File) AddLabel(target, label string) string {
	key := "targetId"
	if f.dialect == Draft {
		key = "targetUuid"
	}
	return f.AddEntry("label", key, target, "label", label)
}

// AddName sets the session's name.
func (f *File) AddName(name string) string { return f.AddEntry("session_info", "name", name) }

// AddBranchSummary branches from the entry at and adds a summary of the abandoned branch.
func (f *File) AddBranchSummary(at, summary string) string {
	left := f.LastID
	f.BranchFrom(at)
	return f.AddEntry("branch_summary", "fromId", left, "summary", summary, "details", Object{"readFiles", []string{}, "modifiedFiles", []string{}})
}

// AddCompaction adds a compaction that keeps everything from kept on.
func (f *File) AddCompaction(summary, kept string) string {
	before := f.context
	f.context = 2400
	key := "firstKeptEntryId"
	if f.dialect == Draft {
		key = "firstKeptEntryUuid"
	}
	return f.AddEntry("compaction", "summary", summary, key, kept, "tokensBefore", before)
}
