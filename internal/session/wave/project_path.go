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
	keptNameLength = 191 // length of a cut name, without "-" and the hash
	nameHashLength = 8   // hex digits of the hash
)

// EncodePath returns the name under ~/.wave/projects of the directory for sessions with the working
// directory dir, an absolute path without symbolic links. system is a GOOS. The algorithm is
// exactly Wave's; several paths may have the same name.
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
	// Cutting a surrogate pair leaves half a character, which Node writes as U+FFFD. So does
	// Decode.
	return string(utf16.Decode(units[:keptNameLength])) + "-" + hex.EncodeToString(sum[:])[:nameHashLength]
}

// forbiddenCharacters returns the characters that file names of a system cannot hold.
func forbiddenCharacters(system string) string {
	switch system {
	case "windows":
		return `<>:"|?*`
	case "darwin":
		return ":"
	}
	return "\x00"
}

// knownSystems are the systems with different directory names.
var knownSystems = []string{"linux", "darwin", "windows"}

// sharedWorkDir returns the working directory of the sessions in a project directory, as some of
// them record it. A session without a header, as after a rewind, records none. Several directories
// can have one name, and files can have been moved. The recorded directories must therefore be
// equal and have this name.
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

// decodePath guesses the path that a name was made of, "" for a name that ends in a hash. The guess
// is wrong for paths with hyphens or underscores.
func decodePath(name string) string {
	if i := len(name) - nameHashLength - 1; i >= 0 && name[i] == '-' && strings.Trim(name[i+1:], "0123456789abcdef") == "" {
		return ""
	}
	if name == "" {
		return ""
	}
	return "/" + strings.NewReplacer("-", "/", "_", " ").Replace(name)
}
