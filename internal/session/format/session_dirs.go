package format

import (
	"path/filepath"
	"strings"
)

// SessionDirs lists the default session directories of the agents, whether they exist or not. home
// is the user's home directory, "" if there is none.
func SessionDirs(home string, getenv func(string) string) []string {
	var dirs []string
	add := func(parts ...string) {
		if parts[0] != "" {
			dirs = append(dirs, filepath.Join(parts...))
		}
	}
	if dir := getenv("PI_CODING_AGENT_DIR"); dir != "" {
		add(expandTilde(dir, home), "sessions")
	} else {
		add(home, ".pi", "agent", "sessions")
	}
	add(expandTilde(getenv("PI_CODING_AGENT_SESSION_DIR"), home))
	if dir := getenv("OMP_CODING_AGENT_DIR"); dir != "" {
		add(dir, "sessions") // oh-my-pi does not expand "~" here
	} else {
		add(home, ".omp", "agent", "sessions")
	}
	add(getenv("XDG_DATA_HOME"), "omp", "sessions")
	dirs = append(dirs, profileDirs(home)...)
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		add(dir, "projects")
	} else {
		add(home, ".claude", "projects")
	}
	add(home, ".wave", "projects")
	return dirs
}

// profileDirs lists the session directories of oh-my-pi's profiles. Profile names are arbitrary, so
// only existing directories are known.
func profileDirs(home string) []string {
	if home == "" {
		return nil
	}
	var dirs []string
	for _, below := range []string{"agent", "."} {
		found, err := filepath.Glob(filepath.Join(home, ".omp", "profiles", "*", below, "sessions"))
		if err == nil { // fails if the home directory is no valid pattern
			dirs = append(dirs, found...)
		}
	}
	return dirs
}

// expandTilde replaces a leading "~" by home.
func expandTilde(dir, home string) string {
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/') {
		return home + rest
	}
	return dir
}
