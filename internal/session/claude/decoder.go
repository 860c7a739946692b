package claude

import (
	"strconv"
	"strings"

	"sessiontree/internal/session"
)

// decoder turns the records of one file into entries. Claude Code writes no header, so the header
// is collected from the lines.
type decoder struct {
	header               session.Header
	hasLines             bool
	hasTime              bool
	customTitle, aiTitle string
	replyID              string // id of the last message, which is recorded as one line per block
	previous             facts  // values of the line before, which the next line mostly shares
}

func (d *decoder) Header() (session.Header, bool) {
	h := d.header
	if !d.hasTime {
		h.Time = session.NoTime
	}
	switch {
	case d.customTitle != "":
		h.Name = d.customTitle
	case d.aiTitle != "":
		h.Name = d.aiTitle
	}
	return h, d.hasLines
}

func (d *decoder) SkipBadLine(session.Span, string) {}

func (d *decoder) DecodeRecord(r session.Record) (session.Entry, bool, []session.Note) {
	x := r.Extra.(*facts)
	e := r.Entry
	if x.message != "" {
		if x.message == d.replyID {
			e.Flags |= session.FlagContinuation
		}
		d.replyID = x.message
	}
	d.shareStrings(&e, x)
	e.Extra = x
	e.Copied = x.forked != "" && x.forked != x.sessionID
	if !x.hasID {
		e.ID = "L" + strconv.Itoa(int(e.Span.Line))
	}
	d.updateHeader(&e, x)
	return e, true, nil
}

// shareStrings replaces values that recur on successive lines by one shared string.
func (d *decoder) shareStrings(e *session.Entry, x *facts) {
	same := func(now, before *string) {
		if *now == *before {
			*now = *before
		}
		*before = *now
	}
	same(&x.sessionID, &d.previous.sessionID)
	same(&x.cwd, &d.previous.cwd)
	same(&x.branch, &d.previous.branch)
	same(&x.message, &d.previous.message)
	same(&x.Agent, &d.previous.Agent)
	same(&x.forked, &d.previous.forked)
	if x.Session == x.sessionID {
		x.Session = x.sessionID
	}
	if x.Parent == d.previous.ID {
		x.Parent, e.Parent = d.previous.ID, d.previous.ID
	}
	if x.hasID {
		d.previous.ID = x.ID
	}
}

// updateHeader updates the header from a line.
func (d *decoder) updateHeader(e *session.Entry, x *facts) {
	d.hasLines = true
	h := &d.header
	h.Format, h.Version = "claude", 1
	if h.ID == "" && x.sessionID != "" {
		h.ID = x.sessionID
	}
	if h.Cwd == "" {
		h.Cwd = x.cwd
	}
	if h.Parent == "" && x.forked != "" {
		h.Parent = x.forked
	}
	if !d.hasTime && e.Time != session.NoTime {
		d.hasTime, h.Time = true, e.Time
	}
	if x.titled {
		d.customTitle, h.UserTitled = x.title, true
	}
	if x.aiTitle != "" {
		d.aiTitle = x.aiTitle
	}
	if h.Resume == "" && h.ID != "" && h.Cwd != "" {
		h.Resume = session.ResumeCommand(h.Cwd, "claude --resume", h.ID)
	}
}

// setIDFromPath completes a header without a session id. Claude Code names a session's file by its
// id.
func setIDFromPath(h *session.Header, path string) {
	if name := sessionStem(path); h.ID == "" && !strings.HasPrefix(name, "agent-") {
		h.ID = name
	}
}
