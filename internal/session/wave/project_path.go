package wave

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf16"

	"sessiontree/internal/session/jsonl"
)

// Lengths, in UTF-16 units, of the name of a project directory.
const (
	maxProjectName = 200
	keptNameLength = 191 // what is kept of a longer one, in front of "-" and a hash
	nameHashLength = 8   // hex digits of the hash
)

// EncodePath answers the name under ~/.wave/projects of the directory for sessions
// that worked in dir, an absolute path without links, on a system by Go's name.
// It is Wave's own algorithm to the unit; several paths may have the same name.
func EncodePath(dir, system string) string {
	s := dir
	if len(s) > 1 && s[1] == ':' && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') {
		s = s[2:]
	}
	if s != "" && (s[0] == '/' || s[0] == '\\') {
		s = s[1:]
	}
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case jsonl.IsSpace(r):
			if !space {
				b.WriteByte('_')
			}
		case r == '/' || r == '\\':
			b.WriteByte('-')
		case strings.ContainsRune(forbiddenCharacters(system), r):
			b.WriteByte('_')
		default:
			b.WriteRune(r)
		}
		space = jsonl.IsSpace(r)
	}
	units := utf16.Encode([]rune(b.String()))
	if len(units) <= maxProjectName {
		return b.String()
	}
	sum := sha256.Sum256([]byte(dir))
	// A pair of units that is cut leaves half a character, which Node writes as
	// U+FFFD; so does Decode.
	return string(utf16.Decode(units[:keptNameLength])) + "-" + hex.EncodeToString(sum[:])[:nameHashLength]
}

// forbiddenCharacters are the characters that no file name of a system may hold.
func forbiddenCharacters(system string) string {
	switch system {
	case "windows":
		return `<>:"|?*`
	case "darwin":
		return ":"
	}
	return "\x00"
}

// knownSystems are those whose names of directories differ.
var knownSystems = []string{"linux", "darwin", "windows"}

// sharedWorkDir returns the directory that the sessions in a project directory worked
// in, by those that record one: a rewind leaves a session without. Several
// directories can have one name, and files can have been moved, so what they record
// must have this name and be the same in all of them.
func sharedWorkDir(name string, recorded []string) (cwd string) {
	for _, dir := range recorded {
		encodes := func(system string) bool { return EncodePath(dir, system) == name }
		switch {
		case dir == cwd || !slices.ContainsFunc(knownSystems, encodes):
		case cwd != "":
			return ""
		default:
			cwd = dir
		}
	}
	return cwd
}

// decodePath guesses the path that a name was made of, "" when it ends in a hash.
// It is wrong for paths with hyphens or underscores.
func decodePath(name string) string {
	if i := len(name) - nameHashLength - 1; i >= 0 && name[i] == '-' && strings.Trim(name[i+1:], "0123456789abcdef") == "" {
		return ""
	}
	if name == "" {
		return ""
	}
	return "/" + strings.NewReplacer("-", "/", "_", " ").Replace(name)
}
