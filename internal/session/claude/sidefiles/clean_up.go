// Package sidefiles reads the files of Claude Code next to transcripts: its settings, and titles.
package sidefiles

import (
	"encoding/json"

	"sessiontree/internal/session"
)

// defaultCleanUpDays is how long Claude Code keeps transcripts unless that is set.
const defaultCleanUpDays = 30

// maxCleanUpDays is more than any file is old.
const maxCleanUpDays = 100_000

// CleanUp is how Claude Code deletes transcripts: when it starts, those that were not
// modified for cleanupPeriodDays.
var CleanUp = session.CleanUp{DirName: "projects", HomeName: ".claude", SettingsName: "settings.json", Days: readCleanUpDays}

// readCleanUpDays reads one key of the settings, and ignores a value that Claude Code would.
func readCleanUpDays(settings []byte) (days int, ok bool) {
	var s struct {
		Days *float64 `json:"cleanupPeriodDays"`
	}
	if json.Unmarshal(settings, &s) != nil || s.Days == nil || *s.Days < 0 {
		return defaultCleanUpDays, true
	}
	return int(min(*s.Days, maxCleanUpDays)), *s.Days < maxCleanUpDays
}
