package roots

import (
	"path/filepath"
	"slices"
	"strings"
)

// SessionSuffix ends the names of session files. The other files of a session are in a
// directory next to it, which has its name without the suffix.
const SessionSuffix = ".jsonl"

// IsSessionName reports whether a file of this name may hold a session.
func IsSessionName(name string) bool {
	name = filepath.Base(name)
	return strings.HasSuffix(name, SessionSuffix) && !strings.HasPrefix(name, ".")
}

// IsIgnoredName reports whether a file or directory of this name belongs to no session: those
// of locks and temporary files.
func IsIgnoredName(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".lock")
}

// isHiddenPath reports whether a file or a directory above it is a dot file.
func isHiddenPath(rel string) bool {
	return slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), func(name string) bool {
		return len(name) > 1 && name[0] == '.'
	})
}
