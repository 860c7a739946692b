package components

// SnapshotHeader is the header of a shared or exported session.
type SnapshotHeader struct {
	Title, Note             string // title of the page, and a line below it
	SharedBy                string // who shared it, "" = unknown
	Made                    Time   // when the snapshot was created
	Expires                 Time   // zero: see Never
	Never                   bool
	Format, Project         string
	FormatTitle             string
	FormatGlyph             string
	Entries, SessionEntries int    // number of entries in the snapshot and in its source; 0 = unknown
	Redacted                int    // number of redacted values
	Live                    bool   // follows the session
	HTML, JSONL             string // addresses of downloads, "" = none
	Shared                  bool   // opened by a link, not an exported file
}

// kindText returns the kind of snapshot.
func (m *SnapshotHeader) kindText() string {
	if m.Shared {
		return "Shared session"
	}
	return "Exported session"
}

// createdText returns the text before the date of creation.
func (m *SnapshotHeader) createdText() string {
	switch {
	case m.Shared && m.SharedBy != "":
		return "shared this on"
	case m.Shared:
		return "Shared on"
	}
	return "Exported on"
}

// entriesText returns how many entries of the session the snapshot contains.
func (m *SnapshotHeader) entriesText() string {
	if m.SessionEntries > m.Entries {
		return "of " + FormatCount(m.SessionEntries) + " entries"
	}
	return entriesNoun(FormatCount(m.Entries))
}

// pageClass returns the class of a session's page.
func pageClass(m SessionModel) string {
	switch {
	case m.Snapshot != nil:
		return "page-snapshot"
	case m.Panel != nil:
		return "page-branches"
	}
	return "page-session"
}
