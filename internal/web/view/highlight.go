package view

import (
	"html"
	"path"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// Colouring code costs milliseconds a kilobyte, so it is capped a block and
// rationed a page: what a page cannot afford stays plain, and "show all" of the
// entry colours it.
const (
	maxHighlight  = 64 << 10
	pageHighlight = 6 << 10
	cacheBytes    = 8 << 20
)

// ration is what a page may still spend on colours, in bytes of code.
type ration struct {
	left  int
	fixed bool // what the cache holds costs as much, so that a page does not depend on others
	short bool // something stayed plain for want of budget
}

func (r *ration) take(n int) bool {
	if n > r.left {
		r.short = true
		return false
	}
	r.left -= n
	return true
}

// highlighter colours code by the six classes of the style sheet.
type highlighter struct {
	cache *rendered
	mu    sync.Mutex
	known map[string]chroma.Lexer // by name, alias or file name; nil = none
}

// lexer finds the rules of a language by its name, alias or the name of a file,
// nil when there are none. Looking tries hundreds of patterns: what was found is
// kept, and names too long to be one are not tried.
func (h *highlighter) lexer(name string) chroma.Lexer {
	if name == "" || len(name) > 40 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	l, ok := h.known[name]
	if !ok {
		if l = lexers.Get(name); l == nil {
			l = lexers.Match(name)
		}
		if l != nil && l.Config().Name == "plaintext" {
			l = nil
		}
		if len(h.known) > 1000 { // so many languages are none
			clear(h.known)
		}
		h.known[name] = l
	}
	return l
}

// html answers code as escaped HTML with classes, ok = false when it is to be
// shown plain: unknown language, too long, no budget left.
func (h *highlighter) html(code, lang string, r *ration) (string, bool) {
	lexer := h.lexer(lang)
	if lexer == nil || len(code) > maxHighlight {
		return "", false
	}
	k := keyOf("code "+lexer.Config().Name, code)
	s, ok := h.cache.get(k)
	if (!ok || r.fixed) && !r.take(len(code)) {
		return "", false
	}
	if ok {
		return s, true
	}
	s, ok = colour(lexer, code)
	if ok {
		h.cache.put(k, s)
	}
	return s, ok
}

func colour(lexer chroma.Lexer, code string) (string, bool) {
	tokens, err := chroma.Coalesce(lexer).Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	b.Grow(len(code) * 2)
	for t := tokens(); t != chroma.EOF; t = tokens() {
		writeToken(&b, tokenClass(t.Type), t.Value)
	}
	return b.String(), true
}

// writeToken closes the span at every line end, so that the result may be split
// into lines.
func writeToken(b *strings.Builder, class, text string) {
	if class == "" {
		b.WriteString(html.EscapeString(text))
		return
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if line != "" {
			b.WriteString(`<span class="` + class + `">` + html.EscapeString(line) + `</span>`)
		}
	}
}

// tokenClass maps a token to the classes of the style sheet: key, string,
// function, number, comment, type.
func tokenClass(t chroma.TokenType) string {
	switch {
	case t == chroma.KeywordType, t == chroma.NameClass, t == chroma.NameBuiltinPseudo, t == chroma.NameNamespace:
		return "ty"
	case t.InCategory(chroma.Comment):
		return "cm"
	case t.InCategory(chroma.Keyword), t == chroma.NameTag:
		return "k"
	case t == chroma.NameFunction, t == chroma.NameFunctionMagic, t == chroma.NameBuiltin, t == chroma.NameAttribute, t == chroma.NameDecorator:
		return "fn"
	case t.InSubCategory(chroma.LiteralNumber):
		return "nu"
	case t.InSubCategory(chroma.LiteralString):
		return "st"
	}
	return ""
}

// language is what names the language of a file: its extension, as in "x.go",
// or a name like "Makefile".
func language(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if ext := path.Ext(name); len(ext) > 1 {
		return "x" + ext
	}
	return name
}
