package wave

import (
	"encoding/json"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// decodeBody decodes a recorded line in full.
func decodeBody(text []byte) (session.Body, error) {
	v, err := jsonl.ParseObject(text)
	if err != nil {
		return session.Body{}, err
	}
	b := &bodyBuilder{}
	b.addMessage(jsonl.ObjectFields(v), v)
	return b.Body, nil
}

// bodyBuilder collects a body block by block.
type bodyBuilder struct {
	session.Body
	calls int
	mixed bool // the message has blocks other than those of hooks
	user  bool // the role of the message is user
}

func (b *bodyBuilder) addMessage(o jsonl.Object, whole jsonl.Value) {
	blocks := o.Get("blocks")
	switch {
	case blocks.Kind() == '[':
		b.setUsage(jsonl.ObjectFields(o.Get("usage")))
		items := jsonl.ArrayElements(blocks)
		b.user, b.Separator = o.Get("role").Is("user"), "\n"
		b.mixed = slices.ContainsFunc(items, func(v jsonl.Value) bool { return !jsonl.ObjectFields(v).Get("source").Is("hook") })
		for _, item := range items {
			b.addMessageBlock(item)
		}
		b.Details = o.Get("additionalFields").CloneRaw()
	case o.Get("content").IsString() && o.Get("role").IsString():
		b.AddText("", o.Text("content"))
	default:
		b.AddJSON("", whole.CloneRaw())
	}
}

// setUsage sets the usage. Wave's provider includes cached tokens in the prompt, so they are
// subtracted.
func (b *bodyBuilder) setUsage(o jsonl.Object) {
	b.Model = o.Text("model")
	u := session.Usage{
		Output: o.Count("completion_tokens"), CacheRead: o.Count("cache_read_input_tokens"), CacheWrite: o.Count("cache_creation_input_tokens"),
	}
	u.Input = max(o.Count("prompt_tokens")-u.CacheRead-u.CacheWrite, 0)
	b.Usage = u
}

func (b *bodyBuilder) addMessageBlock(item jsonl.Value) {
	o := jsonl.ObjectFields(item)
	switch o.Text("type") {
	case "text":
		b.addTextBlock(o)
	case "reasoning":
		b.AddBlock(session.Block{Kind: session.BlockThinking, Text: o.Text("content"), Redacted: o.Text("content") == ""})
	case "tool":
		b.addToolCall(o)
	case "bang":
		args, _ := json.Marshal(map[string]string{"command": o.Text("command")}) // a string always has a JSON form
		b.AddBlock(session.Block{Kind: session.BlockToolCall, Name: "bash", Args: args})
		b.addOutput(o.Text("output"))
	case "image":
		for _, url := range jsonl.ArrayElements(o.Get("imageUrls")) {
			b.addImageURL(url.Text())
		}
	case "compact", "info":
		b.AddText("", o.Text("content"))
	case "error":
		b.AddBlock(session.Block{Kind: session.BlockError, Text: errorText(o.Get("content"))})
	case "task_notification":
		b.addSent(session.Block{Name: "Task " + o.Text("taskId") + " " + o.Text("status"), Text: o.Text("summary")}, taskNotice(o))
		b.AddText("Result", o.Text("result"))
	case "file_history":
		b.addSupplement("Files saved before changes", listSnapshots(o))
	default:
		b.AddJSON("", item.CloneRaw())
	}
}

// addTextBlock adds a text, and what a custom command expanded to.
func (b *bodyBuilder) addTextBlock(o jsonl.Object) {
	text := session.Block{Text: o.Text("content")}
	switch {
	case o.Get("source").Is("hook") && b.mixed:
		text.Kind, text.Name = session.BlockInjected, "Added by a hook"
	case o.Get("stage").Is("streaming"):
		text.Name = "Saved before it was complete"
	}
	b.addSent(text, b.sentText(o))
	b.addSupplement("Expanded command", o.Text("customCommandContent"))
}

// addSent adds a block and the text that the model receives for it, unless both are empty.
func (b *bodyBuilder) addSent(block session.Block, sent string) {
	if sent != block.Text || block.Name != "" {
		block.Sent = &sent
	}
	if block.Text != "" || sent != "" {
		b.AddBlock(block)
	}
}

func (b *bodyBuilder) addSupplement(what, text string) {
	if text != "" {
		b.AddBlock(session.Block{Kind: session.BlockInjected, Name: what, Text: text})
	}
}

// listSnapshots lists the files of which Wave keeps a copy to undo changes.
func listSnapshots(o jsonl.Object) string {
	var lines []string
	for _, item := range jsonl.ArrayElements(o.Get("snapshots")) {
		s := jsonl.ObjectFields(item)
		lines = append(lines, s.Text("operation")+" "+s.Text("filePath"))
	}
	return strings.Join(lines, "\n")
}

// addToolCall adds a call and its result, which are recorded in one block.
func (b *bodyBuilder) addToolCall(o jsonl.Object) {
	id := callIDOrNumber(o.Text("id"), b.calls)
	b.calls++
	b.AddBlock(session.Block{Kind: session.BlockToolCall, Name: o.Text("name"), ID: id, Args: parseParameters(o.Get("parameters")).CloneRaw()})
	if text := errorText(o.Get("error")); text != "" {
		b.AddBlock(session.Block{Kind: session.BlockError, ID: id, Text: text})
	}
	result := o.Text("result")
	if result == "" {
		result = o.Text("shortResult")
	}
	if o.Get("name").Is("AskUserQuestion") {
		b.Answers = append(b.Answers, readAnswers(result)...)
	}
	b.addSent(session.Block{Kind: session.BlockOutput, ID: id, Text: result}, b.sentResult(o))
	for _, v := range jsonl.ArrayElements(o.Get("images")) {
		image := jsonl.ObjectFields(v)
		block := imageBlock(image.Text("mediaType"), image.Text("data"))
		block.ID = id
		b.AddBlock(block)
	}
}

// readAnswers returns the answers of the user that a result records as JSON.
func readAnswers(result string) (answers []session.Answer) {
	v, err := jsonl.ParseObject([]byte(result))
	if err != nil {
		return nil
	}
	o := jsonl.ObjectFields(jsonl.ObjectFields(v).Get("answers"))
	for _, question := range o.Keys() {
		if text := o.Text(question); text != "" {
			answers = append(answers, session.Answer{Question: question, Text: text})
		}
	}
	return answers
}

func (b *bodyBuilder) addOutput(text string) {
	if text != "" {
		b.AddBlock(session.Block{Kind: session.BlockOutput, Text: text})
	}
}

// addImageURL adds an image from its data, or as a path. The path is never opened; Wave sends it to
// the model as text.
func (b *bodyBuilder) addImageURL(url string) {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		kind, data, _ := strings.Cut(rest, ",")
		b.AddBlock(imageBlock(strings.TrimSuffix(kind, ";base64"), data))
		return
	}
	b.addSent(session.Block{Kind: session.BlockImage, Name: "image", Text: "the image lies at " + url + " and is not opened"}, "[Image source: "+url+"]")
}

// errorText returns the text of an error: a string, or an error object of JavaScript.
func errorText(v jsonl.Value) string {
	if v.Kind() == '{' {
		if text := jsonl.ObjectFields(v).Text("message"); text != "" {
			return text
		}
		return string(v.CloneRaw())
	}
	return v.Text()
}

func imageBlock(kind, data string) session.Block {
	if kind == "" {
		kind = "image/png" // Wave's own default
	}
	return session.NewImageBlock(kind, data)
}
