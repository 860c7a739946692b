package pi

import (
	"bytes"
	"math"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/pi/omp"
)

// entryFillers fill an entry by its type, except messages and unknown types.
var entryFillers = map[string]func(*line, *session.Entry){
	"thinking_level_change": (*line).fillThinkingLevel,
	"model_change":          (*line).fillModelChange,
	"compaction":            (*line).fillCompaction,
	"branch_summary":        (*line).fillBranchSummary,
	"stack_summary":         (*line).fillBranchSummary,
	"custom":                (*line).fillCustom,
	"custom_message":        (*line).fillCustomMessage,
	"label":                 (*line).fillLabel,
	"session_info":          (*line).fillSessionInfo,
	"usage":                 (*line).fillUsage,
	"context_edit":          (*line).fillContextEdit,
	"archive":               (*line).fillArchive,
	"reset_boundary":        func(_ *line, e *session.Entry) { e.Kind = session.KindReset },
	"mode_change":           func(l *line, e *session.Entry) { l.fillEvent(e, l.mode) },
	"title_change":          func(l *line, e *session.Entry) { l.fillEvent(e, l.title) },
	"credential_pin":        func(l *line, e *session.Entry) { l.fillEvent(e, l.provider) },
	"session_init":          (*line).fillSessionInit,
	"service_tier_change":   (*line).fillServiceTier,
	"model_usage":           (*line).fillModelUsage,
	"ttsr_injection":        (*line).fillInjectedRules,
}

func (l *line) fillThinkingLevel(e *session.Entry) {
	e.Kind = session.KindThinking
	switch {
	case l.level.IsString():
		l.pack.packText(&e.Name, l.level, maxName)
	case l.configured.IsString():
		l.pack.packText(&e.Name, l.configured, maxName)
	default:
		e.Name = "off"
	}
}

// fillModelChange fills a model change of either dialect: provider and modelId, or "provider/model"
// and the role of the model.
func (l *line) fillModelChange(e *session.Entry) {
	e.Kind = session.KindModel
	if l.modelID.IsString() || !l.model.IsString() {
		l.pack.packText(&e.Details.Provider, l.provider, maxName)
		l.pack.packText(&e.Name, l.modelID, maxName)
	} else {
		from := len(l.pack.buf)
		l.pack.buf = jsonl.AppendText(l.pack.buf, l.model, maxName)
		name := from + strings.IndexByte(string(l.pack.buf[from:]), '/') + 1
		l.pack.packSince(&e.Name, name)
		if name > from {
			l.pack.refs = append(l.pack.refs, packedString{&e.Details.Provider, from, name - 1})
		}
	}
	if l.role.IsString() && !l.role.Is("default") {
		e.Flags |= session.FlagSecondary
	}
}

func (l *line) fillCompaction(e *session.Entry) {
	e.Kind = session.KindCompaction
	l.pack.packID(&e.Details.Target, l.firstKept)
	e.Details.Tokens = l.tokens.Count()
	if l.checkpoint {
		e.Flags |= session.FlagSystemMessage
	}
	if n, ok := l.firstKeptIndex.Number(); ok && n > 0 && n < math.MaxInt32 && n == math.Trunc(n) {
		x := &recordFacts{keptIndex: int(n)}
		x.noID = l.rec.Extra == any(factsWithoutID)
		l.rec.Extra = x
	}
}

func (l *line) fillBranchSummary(e *session.Entry) {
	e.Kind = session.KindBranchSummary
	l.pack.packID(&e.Details.Target, l.fromID)
	l.pack.packRow(&e.Preview, l.summary, maxWholeText)
	if !l.summary.IsBlank() {
		e.Flags |= session.FlagText
	}
}

func (l *line) fillCustom(e *session.Entry) {
	e.Kind = session.KindCustom
	l.pack.packText(&e.Name, l.customType, maxName)
	if l.customType.Is(branchMarkType) {
		e.Flags |= session.FlagBranchMark
	}
	if l.customType.Is(omp.ToolStartType) {
		e.Flags |= session.FlagHidden
	}
}

func (l *line) fillCustomMessage(e *session.Entry) {
	e.Kind = session.KindCustomMessage
	l.pack.packText(&e.Name, l.customType, maxName)
	l.pack.packContent(&e.Preview, &l.content, maxWholeText)
	e.Flags |= contentFlags(&l.content) | hiddenFlag(l.display)
	if l.customType.Is("async-result") {
		l.readAsyncResult(e)
	}
}

func hiddenFlag(display jsonl.Value) session.Flags {
	if display.Kind() == 'f' {
		return session.FlagHidden
	}
	return 0
}

// contentFlags returns the flags of a content.
func contentFlags(t *messageContent) (f session.Flags) {
	if t.hasText() {
		f |= session.FlagText
	}
	if t.hasBlockType("image") {
		f |= session.FlagImages
	}
	if t.hasBlockType("thinking") {
		f |= session.FlagThinking
	}
	return f
}

// fillLabel fills a label as recorded. Like pi it accepts a blank label and one that is a number.
func (l *line) fillLabel(e *session.Entry) {
	e.Kind = session.KindLabel
	l.pack.packID(&e.Details.Target, l.target)
	switch {
	case l.label.IsString():
		e.Flags |= session.FlagOn
		l.pack.packText(&e.Preview, l.label, maxWholeText)
	case l.label.IsTruthy():
		e.Flags |= session.FlagOn
		from := len(l.pack.buf)
		l.pack.buf, _ = jsonl.AppendCompact(l.pack.buf, l.label, maxPreview)
		l.pack.packSince(&e.Preview, from)
	}
}

func (l *line) fillSessionInfo(e *session.Entry) {
	e.Kind = session.KindName
	l.pack.packTrimmed(&e.Name, l.name)
}

func (l *line) fillUsage(e *session.Entry) {
	e.Kind = session.KindUsage
	l.pack.packText(&e.Name, l.kind, maxName)
}

func (l *line) fillContextEdit(e *session.Entry) {
	e.Kind, e.Name = session.KindContextEdit, "omit"
	l.pack.packID(&e.Details.Target, l.target)
	if l.replaces {
		e.Name = "replace"
		l.pack.packContent(&e.Preview, &l.content, maxPreview)
		e.Flags |= contentFlags(&l.content)
	}
}

func (l *line) fillArchive(e *session.Entry) {
	e.Kind = session.KindArchive
	l.pack.packID(&e.Details.Target, l.target)
	if l.archived.Kind() == 't' {
		e.Flags |= session.FlagOn
	}
}

// fillEvent fills a metadata entry of oh-my-pi, which is shown by its type and one text.
func (l *line) fillEvent(e *session.Entry, text jsonl.Value) {
	e.Kind = session.KindEvent
	l.pack.packRow(&e.Name, text, maxPreview)
}

func (l *line) fillSessionInit(e *session.Entry) {
	if l.agent.IsString() {
		l.fillEvent(e, l.agent)
		return
	}
	l.fillEvent(e, l.task)
}

// fillServiceTier shows the tier of each provider: "anthropic priority".
func (l *line) fillServiceTier(e *session.Entry) {
	e.Kind = session.KindEvent
	if l.tier.Kind() != '{' {
		e.Name = "none"
		if l.tier.IsString() {
			l.fillEvent(e, l.tier)
		}
		return
	}
	from := len(l.pack.buf)
	c := jsonl.NewCursor(l.tier.Raw)
	for ok := c.EnterObject(); ok; ok = c.More() {
		if len(l.pack.buf) > from {
			l.pack.buf = append(l.pack.buf, ", "...)
		}
		l.pack.buf = append(append(l.pack.buf, bytes.ToValidUTF8(c.Key(), []byte("\uFFFD"))...), ' ')
		l.pack.buf = jsonl.AppendText(l.pack.buf, c.Value(), maxPreview)
	}
	l.pack.packSince(&e.Name, from)
}

// fillModelUsage fills a request outside the conversation with its purpose and model.
func (l *line) fillModelUsage(e *session.Entry) {
	e.Kind = session.KindEvent
	l.pack.packText(&e.Details.Provider, l.provider, maxName)
	from := len(l.pack.buf)
	l.pack.buf = jsonl.AppendText(l.pack.buf, l.purpose, maxPreview)
	if len(l.pack.buf) > from && l.model.IsString() {
		l.pack.buf = append(l.pack.buf, ", "...)
	}
	l.pack.buf = jsonl.AppendText(l.pack.buf, l.model, maxName)
	l.pack.packSince(&e.Name, from)
}

// fillInjectedRules fills an entry with the names of the injected rules.
func (l *line) fillInjectedRules(e *session.Entry) {
	e.Kind = session.KindEvent
	from := len(l.pack.buf)
	c := jsonl.NewCursor(l.rules.Raw)
	for ok := c.EnterArray(); ok; ok = c.More() {
		if len(l.pack.buf) > from {
			l.pack.buf = append(l.pack.buf, ", "...)
		}
		l.pack.buf = jsonl.AppendText(l.pack.buf, c.Value(), maxPreview)
	}
	l.pack.packSince(&e.Name, from)
}
