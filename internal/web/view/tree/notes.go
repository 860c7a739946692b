package tree

import (
	"errors"
	"io/fs"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxListedNotes limits the notes listed on a page.
const maxListedNotes = 200

// noteModels lists the problems found in the file.
func noteModels(s view.Scene, notes []session.Note) []components.NoteModel {
	out := make([]components.NoteModel, 0, min(len(notes), maxListedNotes+1))
	for _, n := range notes[:min(len(notes), maxListedNotes)] {
		m := components.NoteModel{Code: n.Code, Text: view.EscapeInvisible(n.Text), Line: n.Line}
		if n.Line > 0 && !s.Audience.Standalone {
			m.RawHref = s.Base() + "/lines/" + strconv.Itoa(n.Line)
			if n.File > 0 {
				m.RawHref += "?file=" + strconv.Itoa(n.File)
			}
		}
		if n.Entry != "" && s.Tree.FindID(n.Entry) != session.NoPos {
			m.Href = s.Params.WithEntry(n.Entry, "").Href(s.Base())
		}
		out = append(out, m)
	}
	if more := len(notes) - maxListedNotes; more > 0 {
		out = append(out, components.NoteModel{Code: "more", Text: "and " + components.Pluralize(more, "more problem", "more problems") + "; “explorer check” lists them all"})
	}
	return out
}

// countBadLines returns how many lines could not be read.
func countBadLines(notes []session.Note) int {
	n := 0
	for _, note := range notes {
		if note.Code == session.NoteBadLine {
			n++
		}
	}
	return n
}

// buildBanners returns the banners above the path.
func buildBanners(s view.Scene, a SessionInfo) []components.Banner {
	var out []components.Banner
	if a.ReadError != nil {
		out = append(out, goneBanner(a.ReadError))
	} else if a.Deleted {
		out = append(out, deletedBanner(s, a))
	}
	for _, n := range a.Notes {
		switch n.Code {
		case session.NoteTornLine:
			out = append(out, tornBanner(s, a))
		case session.NoteDeadEnd:
			out = append(out, deadEndBanner(s, a))
		}
	}
	if h := s.Tree.Header(); h.IsNewerVersion {
		out = append(out, components.Banner{Kind: "warn", Strong: "Version " + strconv.Itoa(h.Version) + " file, newer than supported.",
			Text: "The session is shown as well as possible and cannot be changed."})
	}
	if v := s.Tree.Header(); v.Migrated {
		m := components.Banner{
			Kind: "info", Strong: "Version " + strconv.Itoa(v.Version) + " file.",
			Text: "Shown in the current format. The file is unchanged.",
		}
		if a.Can.Migrate.IsPossible() {
			m.Change = &components.Link{Text: "Migrate…", Href: s.Base() + "/migrate"}
		}
		out = append(out, m)
	}
	return out
}

// deletedBanner says that the session is read from a copy of its file.
func deletedBanner(s view.Scene, a SessionInfo) components.Banner {
	m := components.Banner{Kind: "info", Strong: "The file was deleted.", Text: "This is the kept copy."}
	if a.CanRestore {
		m.Change = &components.Link{Text: "Restore file…", Href: s.Base() + "/restore"}
	}
	return m
}

func goneBanner(err error) components.Banner {
	m := components.Banner{Kind: "error", Strong: "The file can no longer be read.", Text: "What was read stays here until the explorer exits."}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m.Strong = "The file is gone."
	case errors.Is(err, fs.ErrPermission):
		m.Strong = "No permission to read the file."
	}
	return m
}

// tornBanner describes an unfinished last line: it is still being written, or its writer
// was interrupted.
func tornBanner(s view.Scene, a SessionInfo) components.Banner {
	if !a.Quiet || !view.EndLineAbility(a.Can).IsPossible() {
		return components.Banner{Kind: "info", Strong: "The last line is unfinished.", Text: "It appears once it is complete.", RefetchAfter: 11}
	}
	return components.Banner{
		Kind: "warn", Strong: "The last line was left unfinished.", Text: "Its writer was stopped while writing. Nothing can be added until the line is ended.",
		Change: &components.Link{Text: "End the line…", Href: s.Base() + "/end-line"},
	}
}

// deadEndBanner links to the newest activity if the file ends elsewhere.
func deadEndBanner(s view.Scene, a SessionInfo) components.Banner {
	m := components.Banner{
		Kind: "warn", Strong: "The file ends on an abandoned branch.",
		Text: "Newer work is on another branch. The agent would continue from here.",
	}
	if p := newestMessage(s.Tree); p != session.NoPos {
		m.Action = &components.Link{Text: "View the newer branch", Href: s.BranchHref(p)}
	}
	if a.Can.Branch.IsPossible() {
		m.Change = &components.Link{Text: "Repair…", Href: s.Base() + "/repair"}
	}
	return m
}

// newestMessage returns the entry of the conversation with the latest time.
func newestMessage(t *session.Tree) session.Pos {
	best, at := session.NoTime, session.NoPos
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); !e.Kind.IsBookkeeping() && e.Time > best {
			best, at = e.Time, p
		}
	}
	return at
}
