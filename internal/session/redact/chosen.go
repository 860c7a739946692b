package redact

import "strings"

// leastWord is the minimum length of a password made of words, as for wireless networks.
const leastWord = 8

// isWordPassword reports whether a value that looks like a word must be a password,
// because its place allows nothing else.
func isWordPassword(s string, l valueShape, n *settingName, v settingValue, text string) bool {
	if isWireless(n.text) {
		return isWirelessKey(s, l, n, v)
	}
	if l.length < leastWord || l.letterCount()+l.digits != l.length || isIdentifier(s) {
		return false
	}
	switch {
	case v.style == styleEquals && v.tight && v.quoted:
		return n.env && n.first
	case v.style == styleEquals && v.tight && (n.query || n.flag):
		return true
	case v.style == styleEquals && v.tight:
		return n.first && v.whole && startsLine(text, n.start) || isConnection(text, n, v)
	case v.style == styleSpace:
		return v.whole && strings.Contains(lineBefore(text, n.start), "nmcli ")
	case v.style == styleColon && (v.quoted || n.first && v.whole):
		return isLower(s[0]) && hasUser(text, n, v) // in capitals: the words of an interface
	}
	return false
}

// isIdentifier reports whether a value looks like a variable name: camelCase.
func isIdentifier(s string) bool {
	if s[0] < 'a' || s[0] > 'z' {
		return false
	}
	return strings.ToLower(s) != s
}

// lineBefore returns the part of the line before an offset.
func lineBefore(text string, at int) string {
	text = text[max(0, at-maxFlagDistance):at]
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// startsLine reports whether an offset is at the start of its line.
func startsLine(text string, at int) bool { return at == 0 || text[at-1] == '\n' }

// isWireless reports whether a name denotes the key of a wireless network.
func isWireless(name string) bool {
	words := splitName(name, maxNameWords)
	wireless, password := false, false
	for _, w := range words {
		switch w {
		case "psk":
			return true
		case "wpa", "wpa2", "wpa3", "wifi", "wlan", "wireless", "sae", "ssid":
			wireless = true
		case "passphrase", "password", "pass", "passwd":
			password = true
		}
	}
	return wireless && password
}

// isWirelessKey judges the key of a wireless network: 8 to 63 characters, or 64
// hexadecimal digits.
func isWirelessKey(s string, l valueShape, n *settingName, v settingValue) bool {
	if l.length < leastWord || l.length > 64 || l.letterCount()+l.digits < leastWord/2 {
		return false
	}
	switch {
	case v.quoted:
		return (v.style == styleEquals || v.style == styleColon || v.style == styleSpace && n.first) && !strings.ContainsAny(s, "(){}")
	case v.style == styleEquals && v.tight, v.style == styleSpace && n.first:
		return v.whole && !isIdentifier(s)
	case v.style == styleColon:
		return n.first && v.whole && !isIdentifier(s)
	}
	return false
}

// connectionKeys are the other keys of a connection string with a password.
var connectionKeys = []string{"user=", "username=", "uid=", "user id=", "userid=", "host=", "hostaddr=", "server=", "data source=", "dbname=", "database="}

// isConnection reports whether a value is part of a connection string: key=value pairs
// separated by spaces or semicolons.
func isConnection(text string, n *settingName, v settingValue) bool {
	const around = 200
	if v.end < len(text) && strings.IndexByte(" ;\t\r\n\"'`", text[v.end]) < 0 {
		return false
	}
	from := max(0, n.start-around)
	before, after := text[from:n.start], text[v.end:min(len(text), v.end+around)]
	if i := strings.LastIndexAny(before, "\n\"'`"); i >= 0 {
		before = before[i+1:]
	}
	if i := strings.IndexAny(after, "\n\"'`"); i >= 0 {
		after = after[:i]
	}
	if strings.Contains(before+after, ", ") || strings.Contains(before+after, ",\t") { // arguments of a call
		return false
	}
	return hasKey(before, connectionKeys) || hasKey(after, connectionKeys)
}

// hasKey reports whether a word of a text starts with one of the keys, ignoring case.
func hasKey(text string, keys []string) bool {
	text = strings.ToLower(text)
	for _, key := range keys {
		for at := 0; ; {
			i := strings.Index(text[at:], key)
			if i < 0 {
				break
			}
			if at += i; at == 0 || !isWordByte(text[at-1]) {
				return true
			}
			at++
		}
	}
	return false
}

// userKeys are the keys of a user name next to a password.
var userKeys = []string{"user", "username", "user_name", "login", "email", "account", "host", "hostname", "server"}

// hasUser reports whether the setting before or after, in the same notation, is the user
// name of the password.
func hasUser(text string, n *settingName, v settingValue) bool {
	const around = 200
	before, after := text[max(0, n.start-around):n.start], text[v.end:min(len(text), v.end+around)]
	if n.quote != "" {
		for _, key := range userKeys {
			quoted := n.quote + key + n.quote + ":"
			if isSetting(before, quoted, v.quoted) || isSetting(after, quoted, v.quoted) {
				return true
			}
		}
		return false
	}
	for _, line := range []string{lastLine(before), nextLine(after)} {
		key, value, ok := strings.Cut(strings.TrimLeft(line, " \t-"), ":")
		value = strings.TrimSpace(value)
		if !ok || value == "" || strings.HasSuffix(value, ",") {
			continue
		}
		for _, k := range userKeys {
			if strings.EqualFold(key, k) {
				return true
			}
		}
	}
	return false
}

// isSetting reports whether a text contains a quoted key followed by a string.
func isSetting(text, key string, quoted bool) bool {
	i := strings.Index(strings.ToLower(text), key)
	if i < 0 {
		return false
	}
	rest := strings.TrimLeft(text[i+len(key):], " \t")
	return rest != "" && quoted && strings.IndexByte(`"'\`, rest[0]) >= 0
}

// lastLine returns the line before the one in which a text ends.
func lastLine(text string) string {
	end := strings.LastIndexByte(text, '\n')
	if end < 0 {
		return ""
	}
	text = text[:end]
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// nextLine returns the line after the one in which a text begins.
func nextLine(text string) string {
	_, text, _ = strings.Cut(text, "\n")
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// isPin judges the number that protects a card, a telephone or a key. Pins of chips
// have small numbers, and names of their own.
func (t *nameIndex) isPin(s string, l valueShape, n *settingName, v settingValue) bool {
	if l.digits != l.length || l.length < 4 || l.length > 12 || isSequence(s) {
		return false
	}
	words := splitName(n.text, maxNameWords)
	switch {
	case len(words) > 1:
		return t.pins[words[len(words)-2]]
	case v.style == styleFlag, n.flag && v.style == styleEquals:
		return true
	}
	return v.style == styleColon && n.quote != "" && v.quoted
}
