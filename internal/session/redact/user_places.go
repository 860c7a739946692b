package redact

import (
	"slices"
	"strings"
)

// Places other than home directories that hold the name of a user.

// findUserInSlug returns a finder of the name in directories that agents name after a home
// directory below base, which is -home- or -Users-: projects/-home-NAME-src of Claude Code and
// --home-NAME-src-- of pi.
func findUserInSlug(base string) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(base)
		if text[start:end] != base || start > 0 && isWordByte(text[start-1]) && !isEscapeTail(text, start) {
			return f, false
		}
		name := nameAt(text, end, "_.")
		rest := text[end+len(name):]
		switch {
		case start > 0 && text[start-1] == '-': // part of an option: --home-directory
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

// dirSlug returns the name that Claude Code uses for a directory.
func dirSlug(dir string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && isAlphanumeric(byte(r)) {
			return r
		}
		return '-'
	}, dir)
}

// findOwnSlug returns a finder of the name in the slug of a home directory, which is its last n
// bytes.
func findOwnSlug(slug string, n int) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(slug)
		if text[start:end] != slug || start > 0 && isWordByte(text[start-1]) && !isEscapeTail(text, start) || end < len(text) && isWordByte(text[end]) {
			return f, false
		}
		return Finding{Kind: kindUser, Start: end - n, End: end, Class: ClassPersonal}, true
	}
}

// dirNamePrefix returns the beginning of text that can be part of a directory's name.
func dirNamePrefix(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune("/\\\"' \t\n=", r) })
	if end < 0 {
		end = len(text)
	}
	return text[:end]
}

// findUserInID returns a finder of the name in the output of id: uid=1000(NAME). Groups of the
// system identify nobody.
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

// packageProtocols appear in place of a host in the package names of lock files.
var packageProtocols = strings.Fields("npm file link patch portal workspace http https ssh git exec catalog")

// findUserInPrompt finds the name before the @ of a shell prompt, NAME@host:~/src$ and [NAME@host
// src]$, and of ssh NAME@host.
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
	if !startsPromptPath(rest) && !strings.HasSuffix(text[:start], "ssh ") && !(start > 0 && text[start-1] == '[' && endsBracketPrompt(rest)) {
		return f, false
	}
	return userFinding(start, text[start:end-1])
}

// startsPromptPath reports whether the text after a host is the working directory of a prompt.
func startsPromptPath(rest string) bool {
	if after, ok := strings.CutPrefix(rest, ":~"); ok {
		return after == "" || strings.IndexByte("/$# \n", after[0]) >= 0
	}
	return strings.HasPrefix(rest, ":/") && !strings.HasPrefix(rest, "://")
}

// endsBracketPrompt reports whether the text after a host is the rest of a prompt in brackets.
func endsBracketPrompt(rest string) bool {
	const long = 80
	dir, _, ok := strings.Cut(rest[:min(len(rest), long)], "]")
	after := rest[min(len(rest), len(dir)+1):]
	return ok && strings.HasPrefix(dir, " ") && !strings.Contains(dir, "\n") && (strings.HasPrefix(after, "$") || strings.HasPrefix(after, "#"))
}

// nameAt returns the letters, digits and bytes of more at a place.
func nameAt(text string, at int, more string) string {
	end := at
	for end < len(text) && (isAlphanumeric(text[end]) || strings.IndexByte(more, text[end]) >= 0) {
		end++
	}
	return strings.TrimRight(text[at:end], ".")
}

// userFinding returns a finding of a name. ok is false if the name is not distinctive.
func userFinding(at int, name string) (f Finding, ok bool) {
	return Finding{Kind: kindUser, Start: at, End: at + len(name), Class: ClassPersonal}, distinctiveName(name) != ""
}

// drivePrefixStart returns the start of the mount point before /Users/ where a Windows drive is a
// directory: /mnt/c in WSL, /c in some shells.
func drivePrefixStart(text string, start int) int {
	for _, mount := range []string{"/mnt/", "/cygdrive/", "/"} {
		at := start - len(mount) - 1
		if at >= 0 && strings.HasPrefix(text[at:], mount) && (text[start-1]|0x20)-'a' <= 'z'-'a' && (at == 0 || !isWordByte(text[at-1]) || isEscapeTail(text, at)) {
			return at
		}
	}
	return start
}

// systemPrefixStart returns the start of the directory that some systems have before /home/.
func systemPrefixStart(text string, start int) int {
	for _, dir := range []string{"/var", "/export", "/usr"} {
		if at := start - len(dir); strings.HasSuffix(text[:start], dir) && (at == 0 || !isWordByte(text[at-1]) || isEscapeTail(text, at)) {
			return at
		}
	}
	return start
}

// findEncodedHome returns a finder of a home directory whose slashes are encoded as in URLs.
func findEncodedHome(base string) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start, name := end-len(base), nameAt(text, end, "_-.")
		if start > 0 && isAlphanumeric(text[start-1]) && !isEscapeTail(text, start) {
			return f, false
		}
		return Finding{Kind: kindHome, Start: start, End: end + len(name), Class: ClassPersonal}, distinctiveName(name) != ""
	}
}

// findUserInVariable returns a finder of the name in a variable of the environment: USER=NAME.
func findUserInVariable(variable string) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(variable)
		if text[start:end] != variable || start > 0 && isWordByte(text[start-1]) && !isEscapeTail(text, start) && !strings.HasSuffix(text[:start], "SUDO_") {
			return f, false
		}
		return userFinding(end, nameAt(text, end, "_-."))
	}
}
