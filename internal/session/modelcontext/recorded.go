package modelcontext

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/store"
)

// maxBlockText limits the text of a block without an entry.
const maxBlockText = 200

// readRecorded reads the request that the agent recorded. It returns session.ErrNotFound if
// there is none.
func (r *requestReader) readRecorded(ctx context.Context) error {
	if r.out.Answer == session.NoPos {
		return fmt.Errorf("%w: there is no answer yet", session.ErrNotFound)
	}
	recorded, err := r.session.ReadRequest(ctx, r.out.Answer)
	if err != nil {
		return err
	}
	r.out.Recorded = true
	r.out.Text = newTexts(recorded)
	var before *session.Request
	if r.out.Previous != session.NoPos {
		if before, err = r.session.ReadRequest(ctx, r.out.Previous); err != nil && !errors.Is(err, session.ErrNotFound) {
			return err
		}
	}
	r.session.ReadTree(func(t *session.Tree, _ store.Revision) { r.makeRecordedRows(t, recorded, before) })
	r.scaleRecorded(recorded)
	return nil
}

// makeRecordedRows replaces the rows by those of the recorded request. before is the previous
// one, or nil.
func (r *requestReader) makeRecordedRows(t *session.Tree, recorded, before *session.Request) {
	var keys []string
	r.out.Rows, keys = recordedRows(t, recorded)
	r.out.Removed, r.out.RemovedCount = nil, 0
	if before == nil {
		for i := range r.out.Rows {
			r.out.Rows[i].New = false
		}
		return
	}
	oldRows, oldKeys := recordedRows(t, before)
	count := map[string]int{}
	for _, key := range oldKeys {
		count[key]++
	}
	for i, key := range keys {
		if r.out.Rows[i].New = count[key] == 0; !r.out.Rows[i].New {
			count[key]--
		}
	}
	for i, key := range oldKeys {
		if count[key] > 0 {
			count[key]--
			r.addRemoved(&oldRows[i])
		}
	}
}

// recordedRows returns a row for each block of a recorded request, and a key for each that is
// equal for equal blocks.
func recordedRows(t *session.Tree, recorded *session.Request) (rows []Row, keys []string) {
	for i := range recorded.Messages {
		m := &recorded.Messages[i]
		for k := range m.Blocks {
			b := &m.Blocks[k]
			row := Row{Item: session.ContextItem{Role: m.Role, Edit: session.NoPos}}
			row.Item.Pos, row.Item.Call = blockEntry(t, m, k)
			row.Form, row.Part = blockForm(b, m.Role)
			if isSummary(t, row.Item.Pos) {
				row.Part = Summary
			}
			row.Tokens = estimateBlock(b, row.Part)
			if row.Item.Pos == session.NoPos {
				row.Text = rowtext.Cut(b.Text, maxBlockText)
			}
			rows, keys = append(rows, row), append(keys, blockKey(m.Role, b))
		}
	}
	return rows, keys
}

// isSummary reports whether the entry at p is the summary of a compaction.
func isSummary(t *session.Tree, p session.Pos) bool {
	if p == session.NoPos || t.At(p).Kind != session.KindCustomMessage {
		return false
	}
	up := t.Parent(p)
	return up != session.NoPos && t.At(up).Kind == session.KindCompaction
}

// blockForm returns what a block is, and its part.
func blockForm(b *session.SentBlock, role string) (Form, Part) {
	switch {
	case b.Type == session.SentToolResult:
		return FormResult, Results
	case b.Type == session.SentToolUse:
		return FormCall, Answers
	case b.Type == session.SentThinking:
		return FormThinking, Answers
	case b.Type == session.SentImage:
		return FormImage, Images
	case role == "assistant":
		return FormMessage, Answers
	}
	return FormMessage, Prompts
}

// blockKey identifies a block by its content.
func blockKey(role string, b *session.SentBlock) string {
	key := role + "\x00" + b.Type + "\x00" + b.CallID + "\x00" + b.Name + "\x00" + b.Text + "\x00" + string(b.Input)
	for i := range b.Content {
		key += "\x00" + blockKey("", &b.Content[i])
	}
	return key
}

// blockEntry returns the entry that recorded a block of a message, or NoPos if that is not
// known. call is the index of a call among those of the entry.
func blockEntry(t *session.Tree, m *session.RequestMessage, k int) (p session.Pos, call int) {
	if b := &m.Blocks[k]; b.CallID != "" {
		p = t.FindToolResult(b.CallID)
		if b.Type == session.SentToolUse {
			p, call, _ = t.FindCall(b.CallID)
		}
		if p != session.NoPos {
			return p, call
		}
	}
	switch {
	case len(m.Entries) == 0:
		return session.NoPos, 0
	case len(m.Entries) == len(m.Blocks):
		return t.FindID(m.Entries[k]), 0
	}
	return t.FindID(m.Entries[0]), 0
}

// scaleRecorded estimates the system prompt and the tools, and scales all parts to the recorded
// total.
func (r *requestReader) scaleRecorded(recorded *session.Request) {
	var before Tokens
	before[System], before[Tools] = estimateText(len(recorded.System)), estimateText(len(recorded.Tools))
	rows := []*Tokens{&before}
	for i := range r.out.Rows {
		rows = append(rows, &r.out.Rows[i].Tokens)
	}
	if total := r.out.Usage.InputTokens(); total > 0 {
		r.out.Counted = true
		scaleTokens(rows, total)
	}
	for _, row := range rows {
		r.out.Parts.Add(row)
	}
	r.out.Total = r.out.Parts.Sum()
}

// newTexts returns what a recorded request has before its messages.
func newTexts(recorded *session.Request) (x Texts) {
	var blocks []struct{ Text string }
	if json.Unmarshal(recorded.System, &x.System) != nil && json.Unmarshal(recorded.System, &blocks) == nil {
		var texts []string
		for _, b := range blocks {
			texts = append(texts, b.Text)
		}
		x.System = strings.Join(texts, "\n\n")
	}
	var tools []struct{ Name string }
	if json.Unmarshal(recorded.Tools, &tools) == nil {
		for _, tool := range tools {
			x.Tools = append(x.Tools, tool.Name)
		}
	}
	return x
}
