package wave

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
	b.line(jsonl.Fields(v), v)
	return b.Body, nil
}

// builder collects a body block by block.
type builder struct {
	session.Body
	calls int
	mixed bool // the message holds more than what a hook says
	user  bool // the message is by the user
}

func (b *builder) line(o jsonl.Object, whole jsonl.Value) {
	blocks := o.Get("blocks")
	switch {
	case blocks.Kind() == '[':
		b.usage(jsonl.Fields(o.Get("usage")))
		items := jsonl.Elements(blocks)
		b.user, b.Separator = o.Get("role").Is("user"), "\n"
		b.mixed = slices.ContainsFunc(items, func(v jsonl.Value) bool { return !jsonl.Fields(v).Get("source").Is("hook") })
		for _, item := range items {
			b.block(item)
		}
		b.Details = o.Get("additionalFields").Copy()
	case o.Get("content").IsString() && o.Get("role").IsString():
		b.AddText("", o.Text("content"))
	default:
		b.AddJSON("", whole.Copy())
	}
}

// usage tells what was new in the prompt: the provider counts what came from its
// cache in.
func (b *builder) usage(o jsonl.Object) {
	b.Model = o.Text("model")
	u := session.Usage{
		Output: o.Count("completion_tokens"), CacheRead: o.Count("cache_read_input_tokens"), CacheWrite: o.Count("cache_creation_input_tokens"),
	}
	u.Input = max(o.Count("prompt_tokens")-u.CacheRead-u.CacheWrite, 0)
	b.Usage = u
}

func (b *builder) block(item jsonl.Value) {
	o := jsonl.Fields(item)
	switch o.Text("type") {
	case "text":
		b.words(o)
	case "reasoning":
		b.Add(session.Block{Kind: session.BlockThinking, Text: o.Text("content"), Redacted: o.Text("content") == ""})
	case "tool":
		b.tool(o)
	case "bang":
		args, _ := json.Marshal(map[string]string{"command": o.Text("command")}) // a string has a JSON form
		b.Add(session.Block{Kind: session.BlockToolCall, Name: "bash", Args: args})
		b.output(o.Text("output"))
	case "image":
		for _, url := range jsonl.Elements(o.Get("imageUrls")) {
			b.image(url.Text())
		}
	case "compact", "info":
		b.AddText("", o.Text("content"))
	case "error":
		b.Add(session.Block{Kind: session.BlockError, Text: failure(o.Get("content"))})
	case "task_notification":
		b.addSent(session.Block{Name: "Task " + o.Text("taskId") + " " + o.Text("status"), Text: o.Text("summary")}, taskNotice(o))
		b.AddText("Result", o.Text("result"))
	case "file_history":
		b.aside("Files kept before they were changed", kept(o))
	default:
		b.AddJSON("", item.Copy())
	}
}

// words decodes a text, and what stands beside what was typed.
func (b *builder) words(o jsonl.Object) {
	text := session.Block{Text: o.Text("content")}
	switch {
	case o.Get("source").Is("hook") && b.mixed:
		text.Kind, text.Name = session.BlockAside, "Put in by a hook"
	case o.Get("stage").Is("streaming"):
		text.Name = "Saved before it was finished"
	}
	b.addSent(text, b.sentText(o))
	b.aside("What the command stands for", o.Text("customCommandContent"))
}

// addSent adds a block with a text and what the model is sent of it, unless both
// are empty.
func (b *builder) addSent(block session.Block, sent string) {
	if sent != block.Text || block.Name != "" {
		block.Sent = &sent
	}
	if block.Text != "" || sent != "" {
		b.Add(block)
	}
}

func (b *builder) aside(what, text string) {
	if text != "" {
		b.Add(session.Block{Kind: session.BlockAside, Name: what, Text: text})
	}
}

// kept lists the files of which Wave kept a copy, to take changes back.
func kept(o jsonl.Object) string {
	var lines []string
	for _, item := range jsonl.Elements(o.Get("snapshots")) {
		s := jsonl.Fields(item)
		lines = append(lines, s.Text("operation")+" "+s.Text("filePath"))
	}
	return strings.Join(lines, "\n")
}

// tool decodes a call and what came of it, which stand in one block.
func (b *builder) tool(o jsonl.Object) {
	id := callID(o.Text("id"), b.calls)
	b.calls++
	b.Add(session.Block{Kind: session.BlockToolCall, Name: o.Text("name"), ID: id, Args: params(o.Get("parameters")).Copy()})
	if text := failure(o.Get("error")); text != "" {
		b.Add(session.Block{Kind: session.BlockError, ID: id, Text: text})
	}
	result := o.Text("result")
	if result == "" {
		result = o.Text("shortResult")
	}
	b.addSent(session.Block{Kind: session.BlockOutput, ID: id, Text: result}, b.sentResult(o))
	for _, v := range jsonl.Elements(o.Get("images")) {
		image := jsonl.Fields(v)
		block := imageOf(image.Text("mediaType"), image.Text("data"))
		block.ID = id
		b.Add(block)
	}
}

func (b *builder) output(text string) {
	if text != "" {
		b.Add(session.Block{Kind: session.BlockOutput, Text: text})
	}
}

// image adds an image by its address: its bytes, or a path that is never opened,
// of which Wave tells the model.
func (b *builder) image(url string) {
	if rest, ok := strings.CutPrefix(url, "data:"); ok {
		kind, data, _ := strings.Cut(rest, ",")
		b.Add(imageOf(strings.TrimSuffix(kind, ";base64"), data))
		return
	}
	b.addSent(session.Block{Kind: session.BlockImage, Name: "image", Text: "the image lies at " + url + " and is not opened"}, "[Image source: "+url+"]")
}

// failure is an error's text: a string, or an error as JavaScript writes it.
func failure(v jsonl.Value) string {
	if v.Kind() == '{' {
		if text := jsonl.Fields(v).Text("message"); text != "" {
			return text
		}
		return string(v.Copy())
	}
	return v.Text()
}

func imageOf(kind, data string) session.Block {
	if kind == "" {
		kind = "image/png" // Wave's own default
	}
	return session.Image(kind, data)
}
