package redact

import "strings"

// isSecret reports whether a value is a secret, by what its name says and what it
// looks like.
func (t *names) isSecret(c class, n *name, v value, text string) bool {
	s := text[v.start:v.end]
	if len(s) < 4 || t.isPlaceholder(s) || isKnownForm(s) {
		return false
	}
	l := lookAt(s)
	if l.letters()+l.digits == 0 || isPath(s, l) || !v.quoted && isCode(s, l, v) {
		return false
	}
	switch c {
	case classPassword:
		return isPassword(s, l, n, v)
	case classAuth:
		return t.isAuth(s, l, v)
	case classMaybe:
		if strings.EqualFold(n.text, "pass") && (n.first && v.whole && v.style != styleSpace || v.quoted && v.style == styleColon) && l.random() && l.mixed() {
			return true
		}
		return (l.veryRandom() || n.query && l.length >= 20 && l.random()) && (n.query || n.env || !isHex(s)) && isData(n, v) && (n.query || len(s) >= 32 || !strings.EqualFold(n.text, "key"))
	}
	if isUUID(s) && !isData(n, v) || c == classKey && isHex(s) && !n.env && len(s) > 64 && !strings.Contains(strings.ToLower(n.text), "secret") {
		return false
	}
	switch v.style {
	case styleSpace:
		return l.veryRandom() && !isHex(s) || n.first && n.env && l.random()
	case styleProse, styleCell:
		return l.veryRandom()
	}
	if strings.IndexByte(s, ' ') >= 0 {
		return l.length >= 32 && l.symbols >= 4 && l.words < 0.35
	}
	return l.random()
}

// isPassword judges what somebody may have chosen.
func isPassword(s string, l looks, n *name, v value) bool {
	if strings.IndexByte(s, ' ') >= 0 || isAddress(s) {
		return false
	}
	chosen := l.letters() > 0 && (l.digits > 0 || l.symbols > 0) || l.words < 0.4 && l.letters() >= 10 || l.length >= 8 && l.words < 0.3 && l.mixed()
	switch {
	case v.style == styleSpace && n.first && n.env, v.style == styleFlag:
		return l.length >= 5 && chosen || l.length >= 8 && l.letters() == l.length
	case v.style == styleSpace, v.style == styleProse, v.style == styleCell:
		return l.length >= 8 && chosen && l.random()
	case v.quoted || v.style == styleTag:
		return l.length >= 5 && chosen || l.digits >= 6 && l.digits == l.length && v.style != styleCall
	case n.env && v.tight && v.style == styleEquals:
		return l.length >= 5 && chosen || l.length >= 8
	case n.first && v.whole || v.tight && n.query:
		return l.length >= 5 && chosen && l.words < 0.9
	}
	return l.length >= 6 && chosen && l.words < 0.6
}

// isAuth judges a header's value, or a name and a password.
func (t *names) isAuth(s string, l looks, v value) bool {
	if user, password, ok := userOf(s); ok {
		return user != password && !t.isPlaceholder(password) && len(password) >= 3
	}
	if v.basic {
		return false
	}
	if user, password, ok := strings.Cut(s, ":"); ok && user != "" && !strings.Contains(password, ":") && !strings.HasPrefix(password, "//") {
		return isPassword(password, lookAt(password), &name{}, value{quoted: true}) && !t.isPlaceholder(password)
	}
	if v.style == styleSpace || v.style == styleProse {
		return l.veryRandom()
	}
	return l.random() && l.length >= 16
}

// isData reports whether a value stands in data, a command or an address, and not in
// a program.
func isData(n *name, v value) bool {
	switch v.style {
	case styleFlag, styleTag, stylePair:
		return true
	case styleEquals:
		return n.query || n.env || n.flag || n.first && v.whole && !v.quoted
	case styleColon:
		return n.env || n.quote != "" || n.first && v.whole && !v.quoted
	}
	return false
}

// knownLeads begin values that say what they are: checksums, versions, names.
var knownLeads = []string{"sha1", "sha2", "sha3", "sha5", "md5", "h1:", "blake", "crc", "npm:", "urn:", "arn:", "git+", "file:", "link:", "workspace:", "spiffe:", "did:", "data:", "cid:", "v1.", "v2.", "refs/", "-----begin"}

// isKnownForm reports whether a value is a checksum, a number, a version or the like.
func isKnownForm(s string) bool {
	if s[0] == '\\' { // an escape, or what follows the end of a string
		return true
	}
	s = strings.ToLower(s)
	for _, lead := range knownLeads {
		if strings.HasPrefix(s, lead) && !strings.HasPrefix(s, "v1.0-") {
			return true
		}
	}
	if number, ok := strings.CutPrefix(strings.TrimLeft(s, "-"), "0x"); ok && len(number) < 20 {
		return true
	}
	return len(s) < 20 && isVersion(s)
}

// isVersion reports whether a value has three numbers with full stops between.
func isVersion(s string) bool {
	for i := 0; i+4 < len(s); i++ {
		if isDigit(s[i]) && s[i+1] == '.' && isDigit(s[i+2]) {
			if j := strings.IndexByte(s[i+2:], '.'); j > 0 && j < 5 && strings.Trim(s[i+2:i+2+j], "0123456789") == "" {
				return true
			}
		}
	}
	return false
}

// isUUID reports whether a value has the form of a UUID.
func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && isHex(strings.ToLower(s))
}

// isHex reports whether a value may be a hash of a file or of a commit.
func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef-") == "" || strings.Trim(s, "0123456789ABCDEF-") == ""
}

// isPath reports whether a value is the name of a file, or an address without a
// secret of its own.
func isPath(s string, l looks) bool {
	switch {
	case strings.Contains(s, "://"):
		return true
	case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"), strings.HasPrefix(s, "~/"), strings.HasPrefix(s, `.\`):
		return l.words >= 0.3 || l.length < 12
	case len(s) > 2 && s[1] == ':' && s[2] == '\\':
		return true
	}
	if dot := strings.LastIndexByte(s, '.'); dot > 0 && len(s)-dot <= 5 && l.words >= 0.5 {
		return true
	}
	return strings.Count(s, "/") > 1 && l.words >= 0.5
}

// isAddress reports whether a value is an e-mail address.
func isAddress(s string) bool {
	at := strings.IndexByte(s, '@')
	return at > 0 && strings.IndexByte(s[at:], '.') > 1 && lookAt(s).words > 0.5
}

// isCode reports whether a value without quotes is an expression of a program.
func isCode(s string, l looks, v value) bool {
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			if i == 0 && l.words < 0.5 && v.whole {
				continue
			}
			if i == 0 || wordByte(s[i-1]) && isName(strings.TrimLeft(s[:i], "$")) {
				return true
			}
		}
	}
	switch {
	case strings.Contains(s, "::") || strings.Contains(s, "->") || strings.IndexByte("+&*", s[0]) >= 0 && v.style != styleFlag && (l.words >= 0.4 || l.length < 8):
		return true
	case strings.IndexByte(s, '.') > 0 && (l.words >= 0.4 || l.digits == 0 && l.turns < 5) && isName(s):
		return true
	case v.comma && v.style != styleEquals && isName(s):
		return l.words >= 0.2 || l.length < 12
	}
	return false
}
