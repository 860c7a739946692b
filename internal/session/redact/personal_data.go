package redact

import (
	"slices"
	"strings"
)

const (
	kindHome = "home path"
	kindUser = "user name"
	kindHost = "host name"
	kindMail = "e-mail"
)

// personalFinder decides whether something personal stands where a word ends in text.
type personalFinder func(text string, end int) (f Finding, ok bool)

// personalOptions is what Options names, as far as it can be told from other words.
type personalOptions struct{ home, user, host string }

// plainWords are names that say nothing about a person, or that are words of every
// transcript: replacing them would only do harm.
var plainWords = strings.Fields(`root admin user users username dev home test tests guest ubuntu debian fedora arch
	alpine node app runner build ci git docker coder vscode me you your name pi host localhost localdomain local server
	main system agent assistant tool tools text message model type content role data key value id json string number
	true false null redacted path file name command result input output code shared public synthetic`)

func newPersonal(o Options) personalOptions {
	p := personalOptions{home: strings.TrimRight(o.Home, `/\`), user: o.User, host: o.Host}
	if strings.Trim(p.home, `/\.`) == "" || len(p.home) < 3 {
		p.home = ""
	}
	return personalOptions{home: p.home, user: distinctiveName(p.user), host: distinctiveName(p.host)}
}

// distinctiveName is name, or "" when it tells nobody from anybody.
func distinctiveName(name string) string {
	if len(name) < 3 || slices.Contains(plainWords, strings.ToLower(name)) {
		return ""
	}
	return name
}

// finders are the words to look at, in lower case, and how.
func (p personalOptions) finders() map[string]personalFinder {
	all := map[string]personalFinder{
		"@": firstOf(findMail, findUserInPrompt), "/home/": findOtherHome("/home/"), "/users/": findOtherHome("/Users/"), `\users\`: findOtherHome(`\Users\`),
		"-home-": findUserInSlug("-home-"), "-users-": findUserInSlug("-Users-"), "uid=": findUserInID(1), "gid=": findUserInID(4), "groups=": findUserInID(4),
	}
	if p.user != "" {
		all[strings.ToLower(p.user)] = findWholeWord(kindUser, len(p.user))
	}
	if p.host != "" && !strings.EqualFold(p.host, p.user) {
		all[strings.ToLower(p.host)] = findWholeWord(kindHost, len(p.host))
	}
	if p.home != "" {
		all[strings.ToLower(p.home)] = p.findOwnHome
		base := p.home[strings.LastIndexAny(p.home, `/\`)+1:]
		if name := dirSlug(base); name != base && distinctiveName(base) != "" {
			slug := dirSlug(p.home)
			all[strings.ToLower(slug)] = findOwnSlug(slug, len(name))
		}
	}
	return all
}

// firstOf looks with one and, where that finds nothing, with the other.
func firstOf(a, b personalFinder) personalFinder {
	return func(text string, end int) (Finding, bool) {
		if f, ok := a(text, end); ok {
			return f, ok
		}
		return b(text, end)
	}
}

// findOwnHome is a look for the home directory of the options.
func (p personalOptions) findOwnHome(text string, end int) (f Finding, ok bool) {
	start := end - len(p.home)
	if text[start:end] != p.home || start > 0 && isWordByte(text[start-1]) && !isEscapeTail(text, start) {
		return f, false
	}
	rest := text[end:]
	if rest != "" && (isWordByte(rest[0]) || rest[0] == '-') || len(rest) > 1 && rest[0] == '.' && isWordByte(rest[1]) {
		return f, false
	}
	return Finding{Kind: kindHome, Start: start, End: end, Class: ClassPersonal}, true
}

// findOtherHome looks for anybody's home directory below base.
func findOtherHome(base string) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(base)
		if text[start:end] != base {
			return f, false
		}
		if base[0] == '\\' {
			start, end = extendWindowsHome(text, start, end)
		} else if at := drivePrefixStart(text, start); base == "/Users/" && at < start {
			start = at
		} else if start > 0 && strings.IndexByte("_-.~)}]*", text[start-1]) >= 0 || start > 0 && isAlphanumeric(text[start-1]) && !isEscapeTail(text, start) {
			return f, false
		}
		stop := end
		for stop < len(text) && (isWordByte(text[stop]) || strings.IndexByte("-.", text[stop]) >= 0) {
			stop++
		}
		name := strings.TrimRight(text[end:stop], ".")
		if distinctiveName(name) == "" {
			return f, false
		}
		return Finding{Kind: kindHome, Start: start, End: end + len(name), Class: ClassPersonal}, true
	}
}

// extendWindowsHome takes the drive in, and the backslashes that quoting doubled.
func extendWindowsHome(text string, start, end int) (int, int) {
	for start > 0 && text[start-1] == '\\' {
		start--
	}
	if start > 1 && text[start-1] == ':' && isAlphanumeric(text[start-2]) {
		start -= 2
	}
	for end < len(text) && text[end] == '\\' {
		end++
	}
	return start, end
}

// findWholeWord looks for a name of length n that stands alone as a word, in any case.
func findWholeWord(kind string, n int) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - n
		if start > 0 && isWordByte(text[start-1]) && !isEscapeTail(text, start) || end < len(text) && isWordByte(text[end]) {
			return f, false
		}
		return Finding{Kind: kind, Start: start, End: end, Class: ClassPersonal}, true
	}
}

// isEscapeTail reports whether the letter or digits before at belong to an escape (\n,
// %2F) and not to a word.
func isEscapeTail(text string, at int) bool {
	if at >= 2 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0 {
		return true
	}
	return at >= 3 && text[at-3] == '%' && isAlphanumeric(text[at-2]) && isAlphanumeric(text[at-1])
}

func isWordByte(b byte) bool { return b == '_' || isAlphanumeric(b) }

func isAlphanumeric(b byte) bool { return b-'0' <= 9 || (b|0x20)-'a' <= 'z'-'a' }

// notMail are endings after @ that are files and not domains, and domains that are
// nobody's.
var (
	notTopLevel = strings.Fields(`png jpg jpeg gif svg webp js mjs cjs ts tsx jsx css scss html md json yaml yml toml py go rs rb php sh lock tgz gz zip local internal lan service timer socket target mount`)
	notAddress  = []string{"example.com", "example.org", "example.net", "users.noreply.github.com", "git@", "noreply@", "no-reply@"}
)

// maxMailLength is the longest address there can be.
const maxMailLength = 254

// findMail looks for an e-mail address around an @.
func findMail(text string, end int) (f Finding, ok bool) {
	start, stop := end-1, end
	for start > 0 && end-start < 64 && (isWordByte(text[start-1]) || strings.IndexByte(".%+-", text[start-1]) >= 0) {
		start--
	}
	for start < end-1 && (!isAlphanumeric(text[start]) || isEscapeTail(text, start+1)) {
		start++
	}
	for stop < len(text) && stop-end < maxMailLength && (isAlphanumeric(text[stop]) || strings.IndexByte(".-", text[stop]) >= 0) {
		stop++
	}
	stop -= len(text[end:stop]) - len(strings.TrimRight(text[end:stop], ".-"))
	dot := strings.LastIndexByte(text[end:stop], '.')
	if start == end-1 || dot < 1 || !isTopLevelDomain(text[end+dot+1:stop]) {
		return f, false
	}
	if stop < len(text) && (text[stop] == ':' || text[stop] == '_') && stop+1 < len(text) && isAlphanumeric(text[stop+1]) {
		return f, false // user@host:path, as ssh and git write it
	}
	address := strings.ToLower(text[start:stop])
	if slices.ContainsFunc(notAddress, func(s string) bool { return strings.HasPrefix(address, s) || strings.HasSuffix(address, s) }) {
		return f, false
	}
	return Finding{Kind: kindMail, Start: start, End: stop, Class: ClassPersonal}, true
}

func isTopLevelDomain(domain string) bool {
	for i := range len(domain) {
		if b := domain[i] | 0x20; b < 'a' || b > 'z' {
			return false
		}
	}
	return len(domain) >= 2 && !slices.Contains(notTopLevel, strings.ToLower(domain))
}
