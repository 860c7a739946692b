package components

// ReaderModel is what a page says to who reads a shared or exported session.
type ReaderModel struct {
	Title, Note     string // headline of the page, and a line under it
	By              string // who shared it, "" unknown
	Made            Time   // when the snapshot was made
	Expires         Time   // zero: Never says whether to say so
	Never           bool
	Format, Project string
	FormatTitle     string
	FormatGlyph     string
	Entries, Of     int    // in the snapshot, in the session it was made of; 0 unknown
	Redacted        int    // values that were replaced
	Live            bool   // follows the session
	HTML, JSONL     string // addresses of downloads, "" none
	Shared          bool   // by a link; else a page of its own
}

// word names what is read.
func (m *ReaderModel) word() string {
	if m.Shared {
		return "Shared session"
	}
	return "Exported session"
}

// made says who made it.
func (m *ReaderModel) made() string {
	switch {
	case m.Shared && m.By != "":
		return "shared this on"
	case m.Shared:
		return "Shared on"
	}
	return "Exported on"
}

// counted is how much of the session is here.
func (m *ReaderModel) counted() string {
	if m.Of > m.Entries {
		return "of " + thousands(m.Of) + " entries"
	}
	return entriesNoun(thousands(m.Entries))
}

// pageClass names what kind of page shows a session.
func pageClass(m SessionModel) string {
	if m.Reader != nil {
		return "page-reader"
	}
	return "page-session"
}
