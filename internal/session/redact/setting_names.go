package redact

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed rules/names.toml
var namesFile string

// nameTable is the content of rules/names.toml.
type nameTable struct {
	Nouns     map[string][]string
	Compounds map[string]string
	Keys      struct{ Secret, Harmless []string }
	Tokens    struct{ Harmless []string }
	Secrets   struct{ Harmless []string }
	Pins      struct{ Secret []string }
	Names     struct{ Suffixes, Query []string }
	Values    struct{ None, Words, Parts []string }
	Commands  []commandFlags
}

// nameIndex is the nameTable in a form for lookups.
type nameIndex struct {
	nouns                          map[string]valueHint
	compounds                      map[string]valueHint
	secretKeys, harmlessKeys       map[string]bool
	harmlessTokens, harmlessOthers map[string]bool
	suffixes                       map[string]bool
	pins                           map[string]bool
	query                          map[string]bool
	noValues, placeholders         map[string]bool
	parts                          []string
}

// valueHint is what the name of a setting says about its value.
type valueHint uint8

const (
	hintNone     valueHint = iota
	hintMaybe              // "key" after an unknown word: a secret only if it looks very random
	hintKey                // random
	hintToken              // random
	hintSecret             // random
	hintPassword           // may be chosen by a person
	hintAuth               // a header's value, or a user name and a password
	hintCookie
	hintPhrase // words
	classPin   // digits
)

// hintKinds are the kinds of findings by their hint.
var hintKinds = map[valueHint]string{
	hintMaybe: "key", hintKey: "key", hintToken: "token", hintSecret: "secret", hintPassword: "password",
	hintAuth: "credentials", hintCookie: "cookie", hintPhrase: "seed phrase", classPin: "PIN",
}

var hintsByName = map[string]valueHint{
	"key": hintKey, "token": hintToken, "secret": hintSecret, "password": hintPassword, "auth": hintAuth, "cookie": hintCookie, "phrase": hintPhrase, "pin": classPin,
}

// loadNameTable reads the table once. It is embedded, so an error in it is a programming error.
var loadNameTable = sync.OnceValue(func() *nameTable {
	t := new(nameTable)
	if _, err := toml.Decode(namesFile, t); err != nil {
		panic(fmt.Sprintf("redact: reading the table of names: %v", err))
	}
	return t
})

var loadNameIndex = sync.OnceValue(func() *nameIndex {
	t := loadNameTable()
	n := &nameIndex{
		nouns: map[string]valueHint{}, compounds: map[string]valueHint{},
		secretKeys: newStringSet(t.Keys.Secret), harmlessKeys: newStringSet(t.Keys.Harmless), harmlessTokens: newStringSet(t.Tokens.Harmless), harmlessOthers: newStringSet(t.Secrets.Harmless),
		suffixes: newStringSet(t.Names.Suffixes), pins: newStringSet(t.Pins.Secret), query: newStringSet(t.Names.Query),
		noValues: newStringSet(t.Values.None), placeholders: newStringSet(t.Values.Words), parts: t.Values.Parts,
	}
	for class, all := range t.Nouns {
		for _, noun := range all {
			n.nouns[noun] = hintsByName[class]
		}
	}
	for end, class := range t.Compounds {
		n.compounds[end] = hintsByName[class]
	}
	return n
})

func newStringSet(all []string) map[string]bool {
	set := make(map[string]bool, len(all))
	for _, s := range all {
		set[s] = true
	}
	return set
}

// maxNameWords is the number of words at the end of a name that are checked.
const maxNameWords = 8

// hintFor returns the hint of a setting's name.
func (n *nameIndex) hintFor(name string) valueHint {
	words := splitName(name, maxNameWords)
	for i := len(words) - 1; i >= 0; i-- {
		w, before := words[i], ""
		if i > 0 {
			before = words[i-1]
		}
		if c := n.nounHint(w, before, len(words)); c != hintNone && !(c == hintCookie && i < len(words)-1) {
			return c
		}
		if w != "key" && w != "keys" && !n.suffixes[w] && !startsWithDigit(w) {
			return hintNone
		}
	}
	return hintNone
}

// nounHint returns the hint of the last word of a name, given the word before it.
func (n *nameIndex) nounHint(w, before string, words int) valueHint {
	switch c := n.nouns[w]; {
	case w == "key" || w == "keys":
		return n.keyHint(before)
	case c == hintToken && (n.harmlessTokens[before] || w == "bearer" && before != ""):
		return hintNone
	case w == "pass" && before == "" || w == "salt" || w == "seed" || w == "pat" && before == "" || w == "cred",
		c == hintSecret && n.harmlessOthers[before]:
		return hintMaybe
	case c == hintAuth && words > 2:
		return hintMaybe
	case c != hintNone:
		return c
	}
	for i := max(1, len(w)-len("dockerconfigjson")); i < len(w)-4; i++ {
		if c := n.compounds[w[i:]]; c != hintNone && !(c == hintToken && n.harmlessTokens[w[:i]]) {
			return c
		}
	}
	return n.compounds[w]
}

// isQuerySecret reports whether a name without a hint is that of a secret in the query of a URL.
func (n *nameIndex) isQuerySecret(name string) bool {
	name = strings.ToLower(name)
	return n.query[name] || n.query[name[strings.LastIndexAny(name, "-_.")+1:]] && !strings.HasSuffix(name, "key")
}

// keyHint returns the hint of "key" after a word.
func (n *nameIndex) keyHint(before string) valueHint {
	switch {
	case n.secretKeys[before]:
		return hintKey
	case n.harmlessKeys[before]:
		return hintNone
	}
	return hintMaybe
}

// splitName returns the last words of a name in lower case. Words are separated by digits and other
// bytes that are no letters, and by changes of case, as in camelCase and HTTPServer.
func splitName(name string, most int) []string {
	var words []string
	end := len(name)
	for end > 0 && len(words) < most {
		start := end
		for start > 0 && !isWordStart(name, start, end) {
			start--
		}
		if start < end {
			words = append(words, strings.ToLower(name[start:end]))
		}
		for end = start; end > 0 && !isAlphanumeric(name[end-1]); {
			end--
		}
	}
	for i, j := 0, len(words)-1; i < j; i, j = i+1, j-1 {
		words[i], words[j] = words[j], words[i]
	}
	return words
}

// isWordStart reports whether the word that ends at end begins at start.
func isWordStart(name string, start, end int) bool {
	if !isAlphanumeric(name[start-1]) {
		return true
	}
	if start == end {
		return false
	}
	before, at := name[start-1], name[start]
	switch {
	case isDigit(before) != isDigit(at):
		return true
	case isUpper(at) && !isUpper(before):
		return true
	case isUpper(before) && isUpper(at) && start+1 < end:
		return isLower(name[start+1])
	}
	return false
}

func isDigit(b byte) bool { return b-'0' <= 9 }
func isUpper(b byte) bool { return b-'A' <= 'Z'-'A' }
func isLower(b byte) bool { return b-'a' <= 'z'-'a' }

func startsWithDigit(w string) bool { return w != "" && isDigit(w[0]) }
