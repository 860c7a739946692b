package components

// LoadingModel is what a session's page shows while its file is read.
type LoadingModel struct {
	Session SessionModel // what the catalog knows about it
	Text    string       // "Reading 106 MB"
}
