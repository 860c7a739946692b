package redact

import "strings"

// isSecret reports whether a value is a secret, by the hint of its name and by its form.
func (t *nameIndex) isSecret(c valueHint, n *settingName, v settingValue, text string) bool {
	s := text[v.start:v.end]
	if len(s) < 4 || t.isPlaceholder(s) || isKnownForm(s) {
		return false
	}
	l := measureValue(s)
	if l.letterCount()+l.digits == 0 || isFilePath(s, l) || !v.quoted && isExpression(s, l, v) {
		return false
	}
	switch c {
	case hintPassword:
		return isPasswordValue(s, l, n, v) || isWordPassword(s, l, n, v, text)
	case classPin:
		return t.isPin(s, l, n, v)
	case hintAuth:
		return t.isAuthValue(s, l, v)
	case hintMaybe:
		if strings.EqualFold(n.text, "pass") && (n.first && v.whole && v.style != styleSpace || v.quoted && (v.style == styleColon || v.style == styleEquals)) && l.isRandom() && l.isMixed() {
			return true
		}
		return (l.isVeryRandom() || isBase32Key(s, l) || n.query && l.length >= 20 && l.isRandom()) && (n.query || n.env || !isHexHash(s)) && isDataNotCode(n, v) && (n.query || len(s) >= 32 || !strings.EqualFold(n.text, "key"))
	}
	if isUUID(s) && !isDataNotCode(n, v) || c == hintKey && isHexHash(s) && !n.env && len(s) > 64 && !strings.Contains(strings.ToLower(n.text), "secret") {
		return false
	}
	switch v.style {
	case styleSpace:
		return l.isVeryRandom() && !isHexHash(s) || isBase32Key(s, l) || n.first && n.env && l.isRandom()
	case styleProse, styleCell:
		return l.isVeryRandom()
	}
	if strings.IndexByte(s, ' ') >= 0 {
		return l.length >= 32 && l.symbols >= 4 && l.wordShare < 0.35
	}
	return l.isRandom()
}

// isPasswordValue reports whether a value may be a password that a person chose.
func isPasswordValue(s string, l valueShape, n *settingName, v settingValue) bool {
	if strings.IndexByte(s, ' ') >= 0 || isMailAddress(s) {
		return false
	}
	chosen := l.letterCount() > 0 && (l.digits > 0 || l.symbols > 0) || l.wordShare < 0.4 && l.letterCount() >= 10 || l.length >= 8 && l.wordShare < 0.3 && l.isMixed()
	switch {
	case v.style == styleSpace && n.first && n.env, v.style == styleFlag:
		return l.length >= 5 && chosen || l.length >= 8 && l.letterCount() == l.length
	case v.style == styleSpace, v.style == styleProse, v.style == styleCell:
		return l.length >= 8 && chosen && l.isRandom()
	case v.quoted || v.style == styleTag:
		return l.length >= 5 && chosen || l.digits >= 6 && l.digits == l.length && v.style != styleCall
	case n.env && v.tight && v.style == styleEquals:
		return l.length >= 5 && chosen || l.length >= 8
	case n.first && v.whole || v.tight && n.query:
		return l.length >= 5 && chosen && l.wordShare < 0.9
	}
	return l.length >= 6 && chosen && l.wordShare < 0.6
}

// isAuthValue reports whether a value is a secret in an authentication header, or a user name with
// a password.
func (t *nameIndex) isAuthValue(s string, l valueShape, v settingValue) bool {
	if user, password, ok := decodeCredentials(s); ok {
		return user != password && !t.isPlaceholder(password) && len(password) >= 3
	}
	if v.basic {
		return false
	}
	if user, password, ok := strings.Cut(s, ":"); ok && user != "" && !strings.Contains(password, ":") && !strings.HasPrefix(password, "//") {
		return isPasswordValue(password, measureValue(password), &settingName{}, settingValue{quoted: true}) && !t.isPlaceholder(password)
	}
	if v.style == styleSpace || v.style == styleProse {
		return l.isVeryRandom()
	}
	return l.isRandom() && l.length >= 16
}

// isDataNotCode reports whether a value is in data, a command or a URL rather than in source code.
func isDataNotCode(n *settingName, v settingValue) bool {
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

// knownPrefixes begin values that are checksums, versions or names.
var knownPrefixes = []string{"sha1", "sha2", "sha3", "sha5", "md5", "h1:", "blake", "crc", "npm:", "urn:", "arn:", "git+", "file:", "link:", "workspace:", "spiffe:", "did:", "data:", "cid:", "v1.", "v2.", "refs/", "-----begin"}

// isKnownForm reports whether a value is a checksum, a number, a version or similar.
func isKnownForm(s string) bool {
	if s[0] == '\\' { // an escape sequence, or text after a closed string
		return true
	}
	s = strings.ToLower(s)
	for _, lead := range knownPrefixes {
		if strings.HasPrefix(s, lead) && !strings.HasPrefix(s, "v1.0-") {
			return true
		}
	}
	if number, ok := strings.CutPrefix(strings.TrimLeft(s, "-"), "0x"); ok && len(number) < 20 {
		return true
	}
	return len(s) < 20 && isVersionNumber(s)
}

// isVersionNumber reports whether a value has three numbers separated by periods.
func isVersionNumber(s string) bool {
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
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' && isHexHash(strings.ToLower(s))
}

// isBase32Key reports whether a value may be the key of one-time passwords. With few digits it does not
// look very random.
func isBase32Key(s string, l valueShape) bool {
	return len(s) >= 16 && len(s)%8 == 0 && l.digits > 0 && l.wordShare < 0.35 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// isHexHash reports whether a value may be the hash of a file or a commit.
func isHexHash(s string) bool {
	return strings.Trim(s, "0123456789abcdef-") == "" || strings.Trim(s, "0123456789ABCDEF-") == ""
}

// isFilePath reports whether a value is a file path, or a URL without a secret.
func isFilePath(s string, l valueShape) bool {
	switch {
	case strings.Contains(s, "://"):
		return true
	case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"), strings.HasPrefix(s, "~/"), strings.HasPrefix(s, `.\`):
		return l.wordShare >= 0.3 || l.length < 12
	case len(s) > 2 && s[1] == ':' && s[2] == '\\':
		return true
	}
	if dot := strings.LastIndexByte(s, '.'); dot > 0 && len(s)-dot <= 5 && l.wordShare >= 0.5 {
		return true
	}
	return strings.Count(s, "/") > 1 && l.wordShare >= 0.5
}

// isMailAddress reports whether a value is an e-mail address.
func isMailAddress(s string) bool {
	at := strings.IndexByte(s, '@')
	return at > 0 && strings.IndexByte(s[at:], '.') > 1 && measureValue(s).wordShare > 0.5
}

// isExpression reports whether an unquoted value is an expression of source code.
func isExpression(s string, l valueShape, v settingValue) bool {
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			if i == 0 && l.wordShare < 0.5 && v.whole {
				continue
			}
			if i == 0 || isWordByte(s[i-1]) && isVariableName(strings.TrimLeft(s[:i], "$")) {
				return true
			}
		}
	}
	switch {
	case strings.Contains(s, "::") || strings.Contains(s, "->") || strings.IndexByte("+&*", s[0]) >= 0 && v.style != styleFlag && (l.wordShare >= 0.4 || l.length < 8):
		return true
	case strings.IndexByte(s, '.') > 0 && (l.wordShare >= 0.4 || l.digits == 0 && l.classChanges < 5) && isVariableName(s):
		return true
	case v.comma && v.style != styleEquals && isVariableName(s):
		return l.wordShare >= 0.2 || l.length < 12
	}
	return false
}
