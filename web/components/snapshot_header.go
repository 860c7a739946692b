package components

// SnapshotHeader is what a page says to who reads a shared or exported session.
type SnapshotHeader struct {
	Title, Note             string // headline of the page, and a line under it
	SharedBy                string // who shared it, "" unknown
	Made                    Time   // when the snapshot was made
	Expires                 Time   // zero: Never says whether to say so
	Never                   bool
	Format, Project         string
	FormatTitle             string
	FormatGlyph             string
	Entries, SessionEntries int    // in the snapshot, in the session it was made of; 0 unknown
	Redacted                int    // values that were replaced
	Live                    bool   // follows the session
	HTML, JSONL             string // addresses of downloads, "" none
	Shared                  bool   // by a link; else a page of its own
}

// kindText names what is read.
func (m *SnapshotHeader) kindText() string {
	if m.Shared {
		return "Shared session"
	}
	return "Exported session"
}

// createdText says who made it.
func (m *SnapshotHeader) createdText() string {
	switch {
	case m.Shared && m.SharedBy != "":
		return "shared this on"
	case m.Shared:
		return "Shared on"
	}
	return "Exported on"
}

// entriesText is how much of the session is here.
func (m *SnapshotHeader) entriesText() string {
	if m.SessionEntries > m.Entries {
		return "of " + formatThousands(m.SessionEntries) + " entries"
	}
	return entriesNoun(formatThousands(m.Entries))
}

// pageClass names what kind of page shows a session.
func pageClass(m SessionModel) string {
	if m.Snapshot != nil {
		return "page-reader"
	}
	return "page-session"
}
