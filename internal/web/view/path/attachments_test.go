package path_test

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// attachedPrompt is a prompt of Claude Code with an image, to which a file and the image of a file are
// attached, followed by a reminder.
func attachedPrompt() string {
	const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
	n := 0
	line := func(typ, more string) string {
		n++
		up := "null"
		if n > 1 {
			up = fmt.Sprintf(`"e%d"`, n-1)
		}
		return fmt.Sprintf(`{"uuid":"e%d","parentUuid":%s,"sessionId":"s","cwd":"/home/dev/proj","timestamp":"2026-03-01T10:00:%02d.000Z","type":%q,%s}`, n, up, n, typ, more)
	}
	return strings.Join([]string{
		line("user", `"message":{"role":"user","content":[{"type":"text","text":"Look at @a.ts"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+pixel+`"}}]}`),
		line("attachment", `"attachment":{"type":"file","filename":"/home/dev/proj/src/a.ts","content":{"type":"text","file":{"content":"one\ntwo\n"}}}`),
		line("attachment", `"attachment":{"type":"file","filename":"/home/dev/proj/img/trace.png","content":{"type":"image","file":{"base64":"`+pixel+`","type":"image/png"}}}`),
		line("attachment", `"attachment":{"type":"todo_reminder","content":[]}`),
		line("assistant", `"message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Seen."}]}`),
		line("attachment", `"attachment":{"type":"file","filename":"/home/dev/proj/later.ts","content":{"type":"text","file":{"content":"x\n"}}}`),
		line("user", `"message":{"role":"user","content":"Thanks"}`),
	}, "\n") + "\n"
}

// What the user attached is in the prompt: images with the name of their file, files with their
// number of lines. What comes later is not.
func TestAttachments(t *testing.T) {
	sess := viewtest.Open(t, attachedPrompt())
	items := viewtest.PathOf(t, sess, view.Params{}, path.Query{}).Items
	prompt, ok := items[0].(*components.UserItem)
	if !ok {
		t.Fatalf("the first item is %T", items[0])
	}
	var images []string
	for _, b := range prompt.Images {
		images = append(images, fmt.Sprint(b.Alt, " ", b.W, "x", b.H, " ", strings.HasSuffix(b.Src, "/e1/image/0") || strings.HasSuffix(b.Src, "/e3/image/0")))
	}
	if got := strings.Join(images, "; "); got != "Image 1 1x1 true; trace.png 1x1 true" {
		t.Errorf("images %s", got)
	}
	if len(prompt.Files) != 1 || prompt.Files[0].Title != "src/a.ts" || prompt.Files[0].Detail != "2 lines" || prompt.Files[0].Icon != "file" {
		t.Errorf("files %+v", prompt.Files)
	}
	if len(prompt.Blocks) != 1 || strings.Join(prompt.Also, " ") != "e3" {
		t.Errorf("%d blocks of text, also %v", len(prompt.Blocks), prompt.Also)
	}
	chips, ok := items[1].(*components.NoteItem)
	if !ok || len(chips.Chips) != 1 || chips.Chips[0].Title != "todo reminder" {
		t.Errorf("the reminder is %+v", items[1])
	}
	if late, ok := items[3].(*components.NoteItem); !ok || late.Chips[0].Title != "later.ts" {
		t.Errorf("a file after the answer is %+v", items[3])
	}
}

// A page never separates a prompt from what is attached to it, and a growing page that ends with a
// prompt requests it again, since something may be attached.
func TestAttachments_Pages(t *testing.T) {
	all := strings.SplitAfter(strings.TrimSuffix(attachedPrompt(), "\n"), "\n")
	sess := viewtest.Open(t, strings.Join(all, ""))
	first := viewtest.PathOf(t, sess, view.Params{}, path.FirstPage(1))
	if first.Last != "e3" {
		t.Errorf("the first page ends with %s", first.Last)
	}
	if last := viewtest.PathOf(t, sess, view.Params{}, path.Query{Before: "e4", N: 1}); last.First != "e1" {
		t.Errorf("the page before the reminder begins with %s", last.First)
	}
	for n, anchor := range map[int]string{1: view.BeforeFirstEntry, 3: view.BeforeFirstEntry, 5: "e5", 7: "e6"} {
		grown := viewtest.Open(t, strings.Join(all[:n], ""))
		if got := viewtest.PathOf(t, grown, view.Params{}, path.Query{}).Anchor; got != anchor {
			t.Errorf("after %d lines the anchor is %q, want %q", n, got, anchor)
		}
	}
}

// The entry of an attached file selects the prompt.
func TestAttachments_Viewed(t *testing.T) {
	sess := viewtest.Open(t, attachedPrompt())
	for _, id := range []string{"e2", "e3"} {
		if prompt := viewtest.PathOf(t, sess, view.Params{Entry: id}, path.Query{}).Items[0].(*components.UserItem); !prompt.Target {
			t.Errorf("%s does not select its prompt", id)
		}
	}
}
