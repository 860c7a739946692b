package view

import "net/url"

// FileHistoryURL returns the address of the edits of a file in all sessions. Viewers of snapshots
// have no access to it.
func FileHistoryURL(path string) string { return "/files?" + url.Values{"path": {path}}.Encode() }
