package components

// KeepSummary is what the list of sessions says about copies of sessions.
type KeepSummary struct {
	Name, State string // "Kept", "1.9 of 10 GB"; "Keep copies", "off"
	Href        string // of the dialog
	Question    *KeepQuestion
	Notices     []KeepNotice
}

// KeepQuestion asks once whether copies are kept.
type KeepQuestion struct{ Title, Text string }

// KeepNotice is an error, or says which copies were removed.
type KeepNotice struct {
	Kind         string // of a banner: "error", "warn"
	Strong, Text string
}

// KeepModel is the dialog about copies of sessions.
type KeepModel struct {
	Page
	Back       string // address of the list
	Reason     string // why nothing can be changed, or ""
	Problem    string // why the last change failed, or ""
	On, Paused bool
	Folders    []KeepFolder
	Used       string // "1.9 of 10 GB"
	Bar        KeepBar
	Limits     []KeepLimit
	Notices    []KeepNotice
	// Copies is the number of sessions with copies, Deleted that of those whose files are
	// deleted.
	Copies, Deleted int
	Size            string // of all copies
	AsksDelete      bool   // asks whether to delete all copies
}

// KeepFolder is a folder whose sessions are copied.
type KeepFolder struct{ Path, Detail string }

// KeepBar is how much of the limit is used, in thousandths, with the texts of its parts.
type KeepBar struct {
	Only, Also         int
	OnlyText, AlsoText string
}

// KeepLimit is a choice of the limit.
type KeepLimit struct {
	Value, Text string
	On          bool
}
