package session

// CleanUp says when an agent deletes session files: some days after they were last
// modified. Its settings are in the directory above that of the sessions.
type CleanUp struct {
	DirName      string // of the directory of sessions
	HomeName     string // of the directory above, where the rule is in force without settings
	SettingsName string // of the file with the settings
	// Days returns after how many days files are deleted, by the content of the settings
	// file, which is empty if there is none. ok is false if they are never deleted.
	Days func(settings []byte) (days int, ok bool)
}
