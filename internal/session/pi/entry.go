package pi

import (
	"math"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// types fills an entry by its type. Messages and unknown types are not here.
var types = map[string]func(*line, *session.Entry){
	"thinking_level_change": (*line).thinking,
	"model_change":          (*line).modelChange,
	"compaction":            (*line).compaction,
	"branch_summary":        (*line).branchSummary,
	"stack_summary":         (*line).branchSummary,
	"custom":                (*line).custom,
	"custom_message":        (*line).customMessage,
	"label":                 (*line).labelChange,
	"session_info":          (*line).sessionInfo,
	"usage":                 (*line).spent,
	"context_edit":          (*line).contextEdit,
	"archive":               (*line).archive,
	"reset_boundary":        func(_ *line, e *session.Entry) { e.Kind = session.KindReset },
	"mode_change":           func(l *line, e *session.Entry) { l.event(e, l.mode) },
	"title_change":          func(l *line, e *session.Entry) { l.event(e, l.title) },
	"credential_pin":        func(l *line, e *session.Entry) { l.event(e, l.provider) },
	"session_init":          (*line).sessionInit,
	"service_tier_change":   (*line).serviceTier,
	"model_usage":           (*line).modelUsage,
	"ttsr_injection":        (*line).injection,
}

func (l *line) thinking(e *session.Entry) {
	e.Kind = session.KindThinking
	switch {
	case l.level.IsString():
		l.pack.text(&e.Name, l.level, maxWord)
	case l.configured.IsString():
		l.pack.text(&e.Name, l.configured, maxWord)
	default:
		e.Name = "off"
	}
}

// modelChange reads both dialects: provider and modelId, or "provider/model" in
// one and the role it is for.
func (l *line) modelChange(e *session.Entry) {
	e.Kind = session.KindModel
	if l.modelID.IsString() || !l.model.IsString() {
		l.pack.text(&e.Provider, l.provider, maxWord)
		l.pack.text(&e.Name, l.modelID, maxWord)
	} else {
		from := len(l.pack.buf)
		l.pack.buf = jsonl.AppendText(l.pack.buf, l.model, maxWord)
		name := from + strings.IndexByte(string(l.pack.buf[from:]), '/') + 1
		l.pack.keep(&e.Name, name)
		if name > from {
			l.pack.refs = append(l.pack.refs, ref{&e.Provider, from, name - 1})
		}
	}
	if l.role.IsString() && !l.role.Is("default") {
		e.Flags |= session.FlagSecondary
	}
}

func (l *line) compaction(e *session.Entry) {
	e.Kind, e.Cost = session.KindCompaction, l.cost
	l.pack.id(&e.Target, l.firstKept)
	n, _ := l.tokens.Number()
	e.Tokens = whole(n)
	if l.checkpoint {
		e.Flags |= session.FlagCheckpoint
	}
	if n, ok := l.firstKeptIndex.Number(); ok && n > 0 && n < math.MaxInt32 && n == math.Trunc(n) {
		x := &extra{keptIndex: int(n)}
		x.noID = l.rec.Extra == any(withoutID)
		l.rec.Extra = x
	}
}

func (l *line) branchSummary(e *session.Entry) {
	e.Kind, e.Cost = session.KindBranchSummary, l.cost
	l.pack.id(&e.Target, l.fromID)
	l.pack.row(&e.Preview, l.summary, maxUncut)
	l.textFlag(e, l.summary)
}

func (l *line) textFlag(e *session.Entry, v jsonl.Value) {
	if !v.Blank() {
		e.Flags |= session.FlagText
	}
}

func (l *line) custom(e *session.Entry) {
	e.Kind = session.KindCustom
	l.pack.text(&e.Name, l.customType, maxWord)
	if l.customType.Is(branchMark) {
		e.Flags |= session.FlagBranchMark
	}
}

func (l *line) customMessage(e *session.Entry) {
	e.Kind = session.KindCustomMessage
	l.pack.text(&e.Name, l.customType, maxWord)
	l.pack.content(&e.Preview, &l.content, maxUncut)
	e.Flags |= contentFlags(&l.content) | hidden(l.display)
	if l.customType.Is("async-result") {
		l.asyncResult(e)
	}
}

func hidden(display jsonl.Value) session.Flags {
	if display.Kind() == 'f' {
		return session.FlagHidden
	}
	return 0
}

// contentFlags are the facts of a content.
func contentFlags(t *content) (f session.Flags) {
	if t.hasText() {
		f |= session.FlagText
	}
	if t.has("image") {
		f |= session.FlagImages
	}
	if t.has("thinking") {
		f |= session.FlagThinking
	}
	return f
}

// labelChange keeps a label as recorded: pi counts a blank one, and one that is a
// number.
func (l *line) labelChange(e *session.Entry) {
	e.Kind = session.KindLabel
	l.pack.id(&e.Target, l.target)
	switch {
	case l.label.IsString():
		e.Flags |= session.FlagOn
		l.pack.text(&e.Preview, l.label, maxUncut)
	case l.label.Truthy():
		e.Flags |= session.FlagOn
		from := len(l.pack.buf)
		l.pack.buf, _ = jsonl.AppendCompact(l.pack.buf, l.label, maxPreview)
		l.pack.keep(&e.Preview, from)
	}
}

func (l *line) sessionInfo(e *session.Entry) {
	e.Kind = session.KindName
	l.pack.name(&e.Name, l.name)
}

func (l *line) spent(e *session.Entry) {
	e.Kind, e.Cost = session.KindUsage, l.cost
	l.pack.text(&e.Name, l.kind, maxWord)
}

func (l *line) contextEdit(e *session.Entry) {
	e.Kind, e.Name = session.KindContextEdit, "omit"
	l.pack.id(&e.Target, l.target)
	if l.replaces {
		e.Name = "replace"
		l.pack.content(&e.Preview, &l.content, maxPreview)
		e.Flags |= contentFlags(&l.content)
	}
}

func (l *line) archive(e *session.Entry) {
	e.Kind = session.KindArchive
	l.pack.id(&e.Target, l.target)
	if l.archived.Kind() == 't' {
		e.Flags |= session.FlagOn
	}
}
