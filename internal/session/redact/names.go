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

// nameTable is rules/names.toml.
type nameTable struct {
	Nouns     map[string][]string
	Compounds map[string]string
	Keys      struct{ Secret, Harmless []string }
	Tokens    struct{ Harmless []string }
	Secrets   struct{ Harmless []string }
	Names     struct{ Suffixes, Query []string }
	Values    struct{ None, Words, Parts []string }
	Commands  []command
}

// names is the same for looking up.
type names struct {
	nouns                          map[string]class
	compounds                      map[string]class
	secretKeys, harmlessKeys       map[string]bool
	harmlessTokens, harmlessOthers map[string]bool
	suffixes                       map[string]bool
	query                          map[string]bool
	noValues, placeholders         map[string]bool
	parts                          []string
}

// class is what the name of a setting says about its value.
type class uint8

const (
	classNone     class = iota
	classMaybe          // "key" after an unknown word: a secret if it looks very random
	classKey            // random
	classToken          // random
	classSecret         // random
	classPassword       // what somebody may have chosen
	classAuth           // a header's value, or name and password
	classCookie
	classPhrase // words
)

// kinds are what findings by name are called.
var kinds = map[class]string{
	classMaybe: "key", classKey: "key", classToken: "token", classSecret: "secret", classPassword: "password",
	classAuth: "credentials", classCookie: "cookie", classPhrase: "seed phrase",
}

var classes = map[string]class{
	"key": classKey, "token": classToken, "secret": classSecret, "password": classPassword, "auth": classAuth, "cookie": classCookie, "phrase": classPhrase,
}

// readNames reads the table once; it is part of the program, so what is wrong with
// it is a mistake in it.
var readNames = sync.OnceValue(func() *nameTable {
	t := new(nameTable)
	if _, err := toml.Decode(namesFile, t); err != nil {
		panic(fmt.Sprintf("redact: reading the table of names: %v", err))
	}
	return t
})

var theNames = sync.OnceValue(func() *names {
	t := readNames()
	n := &names{
		nouns: map[string]class{}, compounds: map[string]class{},
		secretKeys: setOf(t.Keys.Secret), harmlessKeys: setOf(t.Keys.Harmless), harmlessTokens: setOf(t.Tokens.Harmless), harmlessOthers: setOf(t.Secrets.Harmless),
		suffixes: setOf(t.Names.Suffixes), query: setOf(t.Names.Query),
		noValues: setOf(t.Values.None), placeholders: setOf(t.Values.Words), parts: t.Values.Parts,
	}
	for class, all := range t.Nouns {
		for _, noun := range all {
			n.nouns[noun] = classes[class]
		}
	}
	for end, class := range t.Compounds {
		n.compounds[end] = classes[class]
	}
	return n
})

func setOf(all []string) map[string]bool {
	set := make(map[string]bool, len(all))
	for _, s := range all {
		set[s] = true
	}
	return set
}

// maxNameWords is how many words of a name are looked at, from its end on.
const maxNameWords = 8

// classify returns what a name says about the value that is assigned to it.
func (n *names) classify(name string) class {
	words := splitWords(name, maxNameWords)
	for i := len(words) - 1; i >= 0; i-- {
		w, before := words[i], ""
		if i > 0 {
			before = words[i-1]
		}
		if c := n.noun(w, before, len(words)); c != classNone && !(c == classCookie && i < len(words)-1) {
			return c
		}
		if w != "key" && w != "keys" && !n.suffixes[w] && !isNumber(w) {
			return classNone
		}
	}
	return classNone
}

// noun returns what a word says that ends a name, after another one.
func (n *names) noun(w, before string, words int) class {
	switch c := n.nouns[w]; {
	case w == "key" || w == "keys":
		return n.key(before, words)
	case c == classToken && (n.harmlessTokens[before] || w == "bearer" && before != ""):
		return classNone
	case w == "pass" && before == "" || w == "salt" || w == "seed" || w == "pat" && before == "" || w == "cred",
		c == classSecret && n.harmlessOthers[before]:
		return classMaybe
	case c == classAuth && words > 2:
		return classMaybe
	case c != classNone:
		return c
	}
	for i := max(1, len(w)-len("dockerconfigjson")); i < len(w)-4; i++ {
		if c := n.compounds[w[i:]]; c != classNone && !(c == classToken && n.harmlessTokens[w[:i]]) {
			return c
		}
	}
	return n.compounds[w]
}

// inQuery reports whether a name that says nothing elsewhere is that of a secret in
// the query of an address.
func (t *names) inQuery(name string) bool {
	name = strings.ToLower(name)
	return t.query[name] || t.query[name[strings.LastIndexAny(name, "-_.")+1:]] && !strings.HasSuffix(name, "key")
}

// key returns what "key" says after a word.
func (n *names) key(before string, words int) class {
	switch {
	case n.secretKeys[before]:
		return classKey
	case n.harmlessKeys[before]:
		return classNone
	}
	return classMaybe
}

// splitWords returns the last words of a name in lower case. They are parted by
// what is no letter or digit, by digits, and as in camelCase and HTTPServer.
func splitWords(name string, most int) []string {
	var words []string
	end := len(name)
	for end > 0 && len(words) < most {
		start := end
		for start > 0 && !wordStarts(name, start, end) {
			start--
		}
		if start < end {
			words = append(words, strings.ToLower(name[start:end]))
		}
		for end = start; end > 0 && !alnum(name[end-1]); {
			end--
		}
	}
	for i, j := 0, len(words)-1; i < j; i, j = i+1, j-1 {
		words[i], words[j] = words[j], words[i]
	}
	return words
}

// wordStarts reports whether a word that ends at end begins at start.
func wordStarts(name string, start, end int) bool {
	if !alnum(name[start-1]) {
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

func isNumber(w string) bool { return w != "" && isDigit(w[0]) }
