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

// personalFinder finds personal data at a place where a word ends in text.
type personalFinder func(text string, end int) (f Finding, ok bool)

// personalOptions holds the Options that are distinctive enough to search for.
type personalOptions struct {
	home, user, host string
	homeName         string // of the home directory
}

// plainWords are names that identify nobody, or that are common in transcripts. Replacing them
// would only do harm.
var plainWords = strings.Fields(`root admin user users username dev home test tests guest ubuntu debian fedora arch
	alpine node app runner build ci git docker coder vscode me you your name pi host localhost localdomain local server
	main system agent assistant tool tools text message model type content role data key value id json string number
	true false null redacted path file name command result input output code shared public synthetic`)

func newPersonal(o Options) personalOptions {
	p := personalOptions{home: strings.TrimRight(o.Home, `/\`), host: distinctiveName(o.Host)}
	p.user = distinctiveName(o.User[strings.LastIndexByte(o.User, '\\')+1:]) // Windows has the domain before it
	if strings.Trim(p.home, `/\.`) == "" || len(p.home) < 3 {
		p.home = ""
	}
	if dir, name := splitHome(p.home); slices.ContainsFunc([]string{"/home", "/Users", `\Users`}, func(end string) bool { return strings.HasSuffix(dir, end) }) {
		p.homeName = distinctiveName(name)
	}
	return p
}

// splitHome returns the directory of a home directory, and its name there.
func splitHome(home string) (dir, name string) {
	i := strings.LastIndexAny(home, `/\`)
	return home[:max(i, 0)], home[i+1:]
}

// distinctiveName returns name, or "" if it does not identify a person.
func distinctiveName(name string) string {
	if len(name) < 3 || slices.Contains(plainWords, strings.ToLower(name)) {
		return ""
	}
	return name
}

// finders returns the words to search for, in lower case, and their finders.
func (p personalOptions) finders() map[string]personalFinder {
	all := map[string]personalFinder{
		"@": firstOf(findMail, findUserInPrompt), "/home/": findOtherHome("/home/"), "/users/": findOtherHome("/Users/"), `\users\`: findOtherHome(`\Users\`),
		"-home-": findUserInSlug("-home-"), "-users-": findUserInSlug("-Users-"), "uid=": findUserInID(1), "gid=": findUserInID(4), "groups=": findUserInID(4),
		"%2fhome%2f": findEncodedHome("%2fhome%2f"), "%2fusers%2f": findEncodedHome("%2fusers%2f"),
		"user=": findUserInVariable("USER="), "logname=": findUserInVariable("LOGNAME="), "username=": findUserInVariable("USERNAME="),
	}
	if p.homeName != "" {
		all[strings.ToLower(p.homeName)] = findWholeWord(kindUser, len(p.homeName))
	}
	if p.user != "" {
		all[strings.ToLower(p.user)] = findWholeWord(kindUser, len(p.user))
	}
	if p.host != "" && all[strings.ToLower(p.host)] == nil {
		all[strings.ToLower(p.host)] = findWholeWord(kindHost, len(p.host))
	}
	if p.home != "" {
		all[strings.ToLower(p.home)] = p.findOwnHome
		_, base := splitHome(p.home)
		if name := dirSlug(base); name != base && distinctiveName(base) != "" {
			slug := dirSlug(p.home)
			all[strings.ToLower(slug)] = findOwnSlug(slug, len(name))
		}
	}
	return all
}

// firstOf returns a finder that tries a and then b.
func firstOf(a, b personalFinder) personalFinder {
	return func(text string, end int) (Finding, bool) {
		if f, ok := a(text, end); ok {
			return f, ok
		}
		return b(text, end)
	}
}

// findOwnHome finds the home directory in the options.
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

// findOtherHome returns a finder of any home directory below base.
func findOtherHome(base string) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(base)
		if exact := text[start:end] == base; base[0] == '\\' {
			start, end = extendWindowsHome(text, start, end)
			if !exact && text[start] == '\\' { // src\users\x.go, without a drive
				return f, false
			}
		} else if !exact {
			return f, false
		} else if at := systemPrefixStart(text, start); base == "/home/" && at < start {
			start = at
		} else if at := drivePrefixStart(text, start); base == "/Users/" && at < start {
			start = at
		} else if start > 0 && strings.IndexByte("_-.~)}]*", text[start-1]) >= 0 || start > 0 && isAlphanumeric(text[start-1]) && !isEscapeTail(text, start) && !strings.HasSuffix(text[:start], "://file") {
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

// extendWindowsHome extends a home directory by the drive, and by backslashes that quoting doubled.
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

// findWholeWord returns a finder of a name of length n that is a whole word, in any case.
func findWholeWord(kind string, n int) personalFinder {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - n
		if start > 0 && isWordByte(text[start-1]) && !isEscapeTail(text, start) || end < len(text) && isWordByte(text[end]) {
			return f, false
		}
		return Finding{Kind: kind, Start: start, End: end, Class: ClassPersonal}, true
	}
}

// isEscapeTail reports whether the letters or digits before at belong to an escape sequence (\n,
// %2F).
func isEscapeTail(text string, at int) bool {
	if at >= 2 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0 {
		return true
	}
	return at >= 3 && text[at-3] == '%' && isAlphanumeric(text[at-2]) && isAlphanumeric(text[at-1])
}

func isWordByte(b byte) bool { return b == '_' || isAlphanumeric(b) }

func isAlphanumeric(b byte) bool { return b-'0' <= 9 || (b|0x20)-'a' <= 'z'-'a' }

// notTopLevel are file name extensions and local domains, which do not end an address. notAddress
// are addresses that identify nobody.
var (
	notTopLevel = strings.Fields(`png jpg jpeg gif svg webp js mjs cjs ts tsx jsx css scss html md json yaml yml toml py go rs rb php sh lock tgz gz zip local internal lan service timer socket target mount`)
	notAddress  = []string{"example.com", "example.org", "example.net", "users.noreply.github.com", "git@", "noreply@", "no-reply@"}
)

// maxMailLength is the maximum length of an address.
const maxMailLength = 254

// findMail finds an e-mail address around an @.
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
