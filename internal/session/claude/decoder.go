package claude

import (
	"strconv"
	"strings"

	"sessiontree/internal/session"
)

// decoder turns the records of one file into entries. Claude Code writes no
// header: what is known of the session is gathered line by line.
type decoder struct {
	header     session.Header
	seen       bool
	began      bool
	custom, ai string
	reply      string // id of the last one; a line is recorded for each of its blocks
	last       facts  // what the line before had, which the next one mostly has too
}

func (d *decoder) Header() (session.Header, bool) {
	h := d.header
	if !d.began {
		h.Time = session.NoTime
	}
	switch {
	case d.custom != "":
		h.Name = d.custom
	case d.ai != "":
		h.Name = d.ai
	}
	return h, d.seen
}

func (d *decoder) Bad(session.Span, string) {}

func (d *decoder) Next(r session.Record) (session.Entry, bool, []session.Note) {
	x := r.Extra.(*facts)
	e := r.Entry
	if x.message != "" {
		if x.message == d.reply {
			e.Flags |= session.FlagPart
		}
		d.reply = x.message
	}
	d.share(&e, x)
	e.Extra = x
	e.Copied = x.forked != "" && x.forked != x.about
	if !x.hasID {
		e.ID = "L" + strconv.Itoa(int(e.Span.Line))
	}
	d.learn(&e, x)
	return e, true, nil
}

// share keeps one copy of what is recorded on line after line.
func (d *decoder) share(e *session.Entry, x *facts) {
	same := func(now, before *string) {
		if *now == *before {
			*now = *before
		}
		*before = *now
	}
	same(&x.about, &d.last.about)
	same(&x.cwd, &d.last.cwd)
	same(&x.branch, &d.last.branch)
	same(&x.message, &d.last.message)
	same(&x.agent, &d.last.agent)
	same(&x.forked, &d.last.forked)
	if x.session == x.about {
		x.session = x.about
	}
	if x.parent == d.last.id {
		x.parent, e.Parent = d.last.id, d.last.id
	}
	if x.hasID {
		d.last.id = x.id
	}
}

// learn takes in what the line says of the session.
func (d *decoder) learn(e *session.Entry, x *facts) {
	d.seen = true
	h := &d.header
	h.Format, h.Version = "claude", 1
	if h.ID == "" && x.about != "" {
		h.ID = x.about
	}
	if h.Cwd == "" {
		h.Cwd = x.cwd
	}
	if h.Parent == "" && x.forked != "" {
		h.Parent = x.forked
	}
	if !d.began && e.Time != session.NoTime {
		d.began, h.Time = true, e.Time
	}
	if x.titled {
		d.custom, h.Titled = x.title, true
	}
	if x.aiTitle != "" {
		d.ai = x.aiTitle
	}
	if h.Resume == "" && h.ID != "" && h.Cwd != "" {
		h.Resume = session.ResumeCommand(h.Cwd, "claude --resume", h.ID)
	}
}

// nameByFile completes the header of a file whose lines name no session yet: Claude
// Code calls a session's file by its id.
func nameByFile(h *session.Header, path string) {
	if name := stem(path); h.ID == "" && !strings.HasPrefix(name, "agent-") {
		h.ID = name
	}
}
