package redact

import (
	"slices"
	"strings"
)

// Places besides home directories where the name of a user stands.

// findUserInSlug looks for the name in the directories that agents name after a home
// directory below base, which is -home- or -Users-: projects/-home-NAME-src of Claude
// Code and --home-NAME-src-- of pi.
func findUserInSlug(base string) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(base)
		if text[start:end] != base || start > 0 && isWordByte(text[start-1]) && !isEscapeTail(text, start) {
			return f, false
		}
		name := nameAt(text, end, "_.")
		rest := text[end+len(name):]
		switch {
		case start > 0 && text[start-1] == '-': // of an option: --home-directory
			if i := strings.Index(dirNamePrefix(rest), "--"); i < 0 {
				return f, false
			}
		case start > 0 && strings.IndexByte(`/\`, text[start-1]) >= 0:
		case !strings.HasPrefix(rest, "-"):
			return f, false
		}
		return userFinding(end, name)
	}
}

// dirSlug is what Claude Code calls a directory by.
func dirSlug(dir string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && isAlphanumeric(byte(r)) {
			return r
		}
		return '-'
	}, dir)
}

// findOwnSlug looks for the last n bytes of the slug of a home directory, which are the
// name there.
func findOwnSlug(slug string, n int) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(slug)
		if text[start:end] != slug || start > 0 && isWordByte(text[start-1]) && !isEscapeTail(text, start) || end < len(text) && isWordByte(text[end]) {
			return f, false
		}
		return Finding{Kind: kindUser, Start: end - n, End: end, Class: ClassPersonal}, true
	}
}

// dirNamePrefix is the beginning of text as far as a directory's name may go.
func dirNamePrefix(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune("/\\\"' \t\n=", r) })
	if end < 0 {
		end = len(text)
	}
	return text[:end]
}

// findUserInID looks for the name in what id prints: uid=1000(NAME). Groups of the system
// are nobody's.
func findUserInID(least int) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		at := end
		for at < len(text) && at-end < 10 && text[at]-'0' <= 9 {
			at++
		}
		if at == end || at-end < least || !strings.HasPrefix(text[at:], "(") {
			return f, false
		}
		name := nameAt(text, at+1, "_.-")
		if !strings.HasPrefix(text[at+1+len(name):], ")") {
			return f, false
		}
		return userFinding(at+1, name)
	}
}

// packageProtocols stand where a host would, in what packages are called in lock files.
var packageProtocols = strings.Fields("npm file link patch portal workspace http https ssh git exec catalog")

// findUserInPrompt looks for the name in a shell's prompt, around its @: NAME@host:~/src$ and
// [NAME@host src]$.
func findUserInPrompt(text string, end int) (f Finding, ok bool) {
	start := end - 1
	for start > 0 && end-start < 40 && (isWordByte(text[start-1]) || strings.IndexByte(".-", text[start-1]) >= 0) {
		start--
	}
	for start < end-1 && (!isWordByte(text[start]) || isEscapeTail(text, start+1)) {
		start++
	}
	host := nameAt(text, end, "_.-")
	rest := text[end+len(host):]
	if host == "" || slices.Contains(packageProtocols, strings.ToLower(host)) || start > 0 && strings.IndexByte("/@:", text[start-1]) >= 0 {
		return f, false
	}
	if !startsPromptPath(rest) && !(start > 0 && text[start-1] == '[' && endsBracketPrompt(rest)) {
		return f, false
	}
	return userFinding(start, text[start:end-1])
}

// startsPromptPath reports whether what follows a host is where the shell stands.
func startsPromptPath(rest string) bool {
	if after, ok := strings.CutPrefix(rest, ":~"); ok {
		return after == "" || strings.IndexByte("/$# \n", after[0]) >= 0
	}
	return strings.HasPrefix(rest, ":/") && !strings.HasPrefix(rest, "://")
}

// endsBracketPrompt reports whether what follows a host is the rest of a prompt in brackets.
func endsBracketPrompt(rest string) bool {
	const long = 80
	dir, _, ok := strings.Cut(rest[:min(len(rest), long)], "]")
	after := rest[min(len(rest), len(dir)+1):]
	return ok && strings.HasPrefix(dir, " ") && !strings.Contains(dir, "\n") && (strings.HasPrefix(after, "$") || strings.HasPrefix(after, "#"))
}

// nameAt is the letters and digits at a place, and of what else names are made.
func nameAt(text string, at int, more string) string {
	end := at
	for end < len(text) && (isAlphanumeric(text[end]) || strings.IndexByte(more, text[end]) >= 0) {
		end++
	}
	return strings.TrimRight(text[at:end], ".")
}

// userFinding is a finding of a name that tells somebody from others.
func userFinding(at int, name string) (f Finding, ok bool) {
	return Finding{Kind: kindUser, Start: at, End: at + len(name), Class: ClassPersonal}, distinctiveName(name) != ""
}

// drivePrefixStart takes in what stands before /Users/ where a drive of Windows is a directory:
// /mnt/c of WSL, /c of a shell made for it.
func drivePrefixStart(text string, start int) int {
	for _, mount := range []string{"/mnt/", "/"} {
		at := start - len(mount) - 1
		if at >= 0 && strings.HasPrefix(text[at:], mount) && (text[start-1]|0x20)-'a' <= 'z'-'a' && (at == 0 || !isWordByte(text[at-1]) || isEscapeTail(text, at)) {
			return at
		}
	}
	return start
}
