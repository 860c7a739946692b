package redact

import (
	"slices"
	"strings"
	"sync"
)

// commandFlags lists the flags of some commands that take a secret.
type commandFlags struct {
	Names              []string
	Attached, Separate []string
	Pair               []string
	AttachedPair       []string `toml:"attached_pair"`
	Cookies            []string // flags with cookies
	After              string
}

// commandsByName returns the commands by name.
var commandsByName = sync.OnceValue(func() map[string][]commandFlags {
	all := map[string][]commandFlags{}
	for _, c := range loadNameTable().Commands {
		for _, name := range c.Names {
			all[name] = append(all[name], c)
		}
	}
	return all
})

// maxFlagDistance is the maximum distance between a flag and the name of its command.
const maxFlagDistance = 400

// findCommandFlag finds the secret that is passed by a flag.
func findCommandFlag(s *textScan, start, end int) {
	if start == 0 || end >= len(s.text) || !isShellBreak(s.text[start-1]) {
		return
	}
	flag := s.text[start:end]
	for _, c := range s.findCommand(start) {
		switch {
		case slices.Contains(c.Separate, flag) && s.addFlagWord(start, end, false):
			return
		case slices.Contains(c.Pair, flag) && s.addFlagWord(start, end, true):
			return
		case slices.Contains(c.Cookies, flag) && s.text[end] == ' ':
			s.addFlagCookies(end + 1)
			return
		case slices.Contains(c.Attached, flag) && s.isAttached(start, end):
			s.addFlagValue(end, false)
			return
		case slices.Contains(c.AttachedPair, flag) && s.isAttached(start, end):
			s.addFlagValue(end, true)
			return
		}
	}
}

func isShellBreak(b byte) bool { return b <= ' ' || b == '"' || b == '\'' || b == '`' || b == ',' }

// commandUse is a flag and the end of its command's name. The search for the next flag's command
// stops at this flag.
type commandUse struct {
	flag, name int
	all        []commandFlags
}

// findCommand returns the commands with the nearest name before a flag, within the same command
// line.
func (s *textScan) findCommand(flag int) []commandFlags {
	last := s.command
	s.command = commandUse{flag: flag}
	for i := flag; i > max(0, flag-maxFlagDistance); {
		if i--; i <= last.flag && last.flag > 0 {
			if last.name > flag-maxFlagDistance {
				s.command.name, s.command.all = last.name, last.all
			}
			break
		}
		if endsCommand(s.text, i) {
			break
		}
		if !commandByte(s.text[i]) {
			continue
		}
		end := i + 1
		for i > 0 && commandByte(s.text[i-1]) && end-i < maxName {
			i--
		}
		start := i
		if i > 0 && s.text[i-1] == '\\' && s.text[i] == 'n' { // the end of a line in a string
			start++
		}
		if all := commandsByName()[s.text[start:end]]; all != nil {
			s.command.name, s.command.all = end, all
			break
		}
	}
	return filterCommands(s.command.all, s.text[s.command.name:flag])
}

// endsCommand reports whether a command line ends at a place: at a separator of commands, or at a
// line end that no list or backslash continues.
func endsCommand(text string, at int) bool {
	switch text[at] {
	case '\n':
		return at == 0 || strings.IndexByte("\\,[(", text[at-1]) < 0
	case '|', ';':
		return true
	}
	return false
}

func commandByte(b byte) bool { return isWordByte(b) || b == '-' }

// filterCommands removes commands that need a word between name and flag, if it is missing.
func filterCommands(all []commandFlags, between string) (fit []commandFlags) {
	for _, c := range all {
		if c.After == "" || strings.Contains(between, c.After) {
			fit = append(fit, c)
		}
	}
	return fit
}

// isClosingQuote reports whether a quote at a place closes the string that begins before the flag.
func (s *textScan) isClosingQuote(at, flag int) bool {
	return s.text[at] > ' ' && s.text[flag-1] == s.text[at]
}

// isAttached reports whether a value follows a flag without a space: -pVALUE, -p'VALUE'.
func (s *textScan) isAttached(flag, end int) bool {
	return !isShellBreak(s.text[end]) || quoteAt(s.text, end) != "" && !s.isClosingQuote(end, flag)
}

// addFlagWord adds the next word as a secret.
func (s *textScan) addFlagWord(flag, at int, pair bool) bool {
	begin := at
	for at < len(s.text) && at-begin < 8 && strings.IndexByte(" \t=,\"'", s.text[at]) >= 0 && quoteAt(s.text, at) == "" {
		at++
	}
	if at == begin && quoteAt(s.text, at) == "" {
		return false
	}
	if q := quoteAt(s.text, at); q != "" && s.isClosingQuote(at, flag) { // "-p", "value"
		at += len(q)
		for at < len(s.text) && strings.IndexByte(", \t\n", s.text[at]) >= 0 {
			at++
		}
		if quoteAt(s.text, at) == "" {
			return false
		}
	}
	s.addFlagValue(at, pair)
	return true
}

// addFlagCookies adds the cookies in the word at a place.
func (s *textScan) addFlagCookies(at int) {
	v := settingValue{start: at, end: at}
	if quote := quoteAt(s.text, at); quote != "" {
		v.start, v.quoted = at+len(quote), true
		v.end, _ = quoteEnd(s.text, v.start, quote, v.start+maxValue)
	}
	s.addCookies(v)
}

// addFlagValue adds the word at a place or, with pair, the part after the user name.
func (s *textScan) addFlagValue(at int, pair bool) {
	quote := quoteAt(s.text, at)
	end := at + len(quote)
	start := end
	if quote != "" {
		end, _ = quoteEnd(s.text, start, quote, start+maxFlagDistance)
	} else {
		for end < len(s.text) && (!isShellBreak(s.text[end]) || pair && s.text[end] == ',') && strings.IndexByte(";|&)<>\\", s.text[end]) < 0 && end-start < maxValue {
			end++
		}
	}
	word := s.text[start:end]
	kind := "password"
	if pair {
		kind = "credentials"
		user, password, ok := strings.Cut(word, ":")
		if !ok {
			user, password, ok = strings.Cut(word, "%")
		}
		if !ok {
			user, password, ok = strings.Cut(word, ",")
		}
		if ok && password == "" && measureValue(user).isVeryRandom() { // a token instead of a password
			s.addSecret("token", start, start+len(user))
			return
		}
		if !ok || !isURLPassword(user, password) {
			return
		}
		start += len(user) + 1
		word = password
	}
	if lead := "pass:"; strings.HasPrefix(word, lead) {
		start, word = start+len(lead), word[len(lead):]
	}
	if isFlagPassword(word) {
		s.addSecret(kind, start, end)
	}
}

// isFlagPassword reports whether a word may be a password at a place where one is expected.
func isFlagPassword(word string) bool {
	if len(word) < 3 || word[0] == '-' || loadNameIndex().isPlaceholder(word) || strings.ContainsAny(word, " \n") || strings.HasPrefix(word, "$") {
		return false
	}
	l := measureValue(word)
	if l.letterCount() == 0 && (l.digits <= 5 || strings.IndexByte(word, ':') > 0) { // a port
		return false
	}
	return !isFilePath(word, l)
}
