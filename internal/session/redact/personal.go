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

// look decides whether something personal stands where a word ends in text.
type look func(text string, end int) (f Finding, ok bool)

// personal is what Options names, as far as it can be told from other words.
type personal struct{ home, user, host string }

// plainWords are names that say nothing about a person, or that are words of every
// transcript: replacing them would only do harm.
var plainWords = strings.Fields(`root admin user users username dev home test tests guest ubuntu debian fedora arch
	alpine node app runner build ci git docker coder vscode me you your name pi host localhost localdomain local server
	main system agent assistant tool tools text message model type content role data key value id json string number
	true false null redacted path file name command result input output code shared public synthetic`)

func newPersonal(o Options) personal {
	p := personal{home: strings.TrimRight(o.Home, `/\`), user: o.User, host: o.Host}
	if strings.Trim(p.home, `/\.`) == "" || len(p.home) < 3 {
		p.home = ""
	}
	return personal{home: p.home, user: telling(p.user), host: telling(p.host)}
}

// telling is name, or "" when it tells nobody from anybody.
func telling(name string) string {
	if len(name) < 3 || slices.Contains(plainWords, strings.ToLower(name)) {
		return ""
	}
	return name
}

// words are the words to look at, in lower case, and how.
func (p personal) words() map[string]look {
	all := map[string]look{
		"@": either(mail, prompt), "/home/": otherHome("/home/"), "/users/": otherHome("/Users/"), `\users\`: otherHome(`\Users\`),
		"-home-": inSlug("-home-"), "-users-": inSlug("-Users-"), "uid=": ofUID(1), "gid=": ofUID(4), "groups=": ofUID(4),
	}
	if p.user != "" {
		all[strings.ToLower(p.user)] = named(kindUser, len(p.user))
	}
	if p.host != "" && !strings.EqualFold(p.host, p.user) {
		all[strings.ToLower(p.host)] = named(kindHost, len(p.host))
	}
	if p.home != "" {
		all[strings.ToLower(p.home)] = p.ownHome
		base := p.home[strings.LastIndexAny(p.home, `/\`)+1:]
		if name := slugOf(base); name != base && telling(base) != "" {
			slug := slugOf(p.home)
			all[strings.ToLower(slug)] = ownSlug(slug, len(name))
		}
	}
	return all
}

// either looks with one and, where that finds nothing, with the other.
func either(a, b look) look {
	return func(text string, end int) (Finding, bool) {
		if f, ok := a(text, end); ok {
			return f, ok
		}
		return b(text, end)
	}
}

// ownHome is a look for the home directory of the options.
func (p personal) ownHome(text string, end int) (f Finding, ok bool) {
	start := end - len(p.home)
	if text[start:end] != p.home || start > 0 && wordByte(text[start-1]) && !escaped(text, start) {
		return f, false
	}
	rest := text[end:]
	if rest != "" && (wordByte(rest[0]) || rest[0] == '-') || len(rest) > 1 && rest[0] == '.' && wordByte(rest[1]) {
		return f, false
	}
	return Finding{Kind: kindHome, Start: start, End: end, Class: Personal}, true
}

// otherHome looks for anybody's home directory below base.
func otherHome(base string) look {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - len(base)
		if text[start:end] != base {
			return f, false
		}
		if base[0] == '\\' {
			start, end = windowsHome(text, start, end)
		} else if at := drives(text, start); base == "/Users/" && at < start {
			start = at
		} else if start > 0 && strings.IndexByte("_-.~)}]*", text[start-1]) >= 0 || start > 0 && alnum(text[start-1]) && !escaped(text, start) {
			return f, false
		}
		stop := end
		for stop < len(text) && (wordByte(text[stop]) || strings.IndexByte("-.", text[stop]) >= 0) {
			stop++
		}
		name := strings.TrimRight(text[end:stop], ".")
		if telling(name) == "" {
			return f, false
		}
		return Finding{Kind: kindHome, Start: start, End: end + len(name), Class: Personal}, true
	}
}

// windowsHome takes the drive in, and the backslashes that quoting doubled.
func windowsHome(text string, start, end int) (int, int) {
	for start > 0 && text[start-1] == '\\' {
		start--
	}
	if start > 1 && text[start-1] == ':' && alnum(text[start-2]) {
		start -= 2
	}
	for end < len(text) && text[end] == '\\' {
		end++
	}
	return start, end
}

// named looks for a name of length n that stands alone as a word, in any case.
func named(kind string, n int) look {
	return func(text string, end int) (f Finding, ok bool) {
		start := end - n
		if start > 0 && wordByte(text[start-1]) && !escaped(text, start) || end < len(text) && wordByte(text[end]) {
			return f, false
		}
		return Finding{Kind: kind, Start: start, End: end, Class: Personal}, true
	}
}

// escaped reports whether the letter or digits before at belong to an escape (\n,
// %2F) and not to a word.
func escaped(text string, at int) bool {
	if at >= 2 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0 {
		return true
	}
	return at >= 3 && text[at-3] == '%' && alnum(text[at-2]) && alnum(text[at-1])
}

func wordByte(b byte) bool { return b == '_' || alnum(b) }

func alnum(b byte) bool { return b-'0' <= 9 || (b|0x20)-'a' <= 'z'-'a' }

// notMail are endings after @ that are files and not domains, and domains that are
// nobody's.
var (
	notTop     = strings.Fields(`png jpg jpeg gif svg webp js mjs cjs ts tsx jsx css scss html md json yaml yml toml py go rs rb php sh lock tgz gz zip local internal lan service timer socket target mount`)
	notAddress = []string{"example.com", "example.org", "example.net", "users.noreply.github.com", "git@", "noreply@", "no-reply@"}
)

// mailMax is the longest address there can be.
const mailMax = 254

// mail looks for an e-mail address around an @.
func mail(text string, end int) (f Finding, ok bool) {
	start, stop := end-1, end
	for start > 0 && end-start < 64 && (wordByte(text[start-1]) || strings.IndexByte(".%+-", text[start-1]) >= 0) {
		start--
	}
	for start < end-1 && (!alnum(text[start]) || escaped(text, start+1)) {
		start++
	}
	for stop < len(text) && stop-end < mailMax && (alnum(text[stop]) || strings.IndexByte(".-", text[stop]) >= 0) {
		stop++
	}
	stop -= len(text[end:stop]) - len(strings.TrimRight(text[end:stop], ".-"))
	dot := strings.LastIndexByte(text[end:stop], '.')
	if start == end-1 || dot < 1 || !isTop(text[end+dot+1:stop]) {
		return f, false
	}
	if stop < len(text) && (text[stop] == ':' || text[stop] == '_') && stop+1 < len(text) && alnum(text[stop+1]) {
		return f, false // user@host:path, as ssh and git write it
	}
	address := strings.ToLower(text[start:stop])
	if slices.ContainsFunc(notAddress, func(s string) bool { return strings.HasPrefix(address, s) || strings.HasSuffix(address, s) }) {
		return f, false
	}
	return Finding{Kind: kindMail, Start: start, End: stop, Class: Personal}, true
}

func isTop(domain string) bool {
	for i := range len(domain) {
		if b := domain[i] | 0x20; b < 'a' || b > 'z' {
			return false
		}
	}
	return len(domain) >= 2 && !slices.Contains(notTop, strings.ToLower(domain))
}
