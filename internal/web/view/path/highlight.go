package path

import (
	"html"
	"path"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// Highlighting takes milliseconds per kilobyte, so it is limited per block and per page.
// Code beyond the budget stays plain until the user expands the entry.
const (
	maxHighlightBytes  = 64 << 10
	pageHighlightBytes = 6 << 10
	renderCacheBytes   = 8 << 20
)

// highlightBudget is the number of bytes of code that a page may still highlight.
type highlightBudget struct {
	left         int
	chargeCached bool // charge cached text too, so that a page does not depend on others
	exhausted    bool // something stayed plain because the budget was spent
}

func (r *highlightBudget) spendBytes(n int) bool {
	if n > r.left {
		r.exhausted = true
		return false
	}
	r.left -= n
	return true
}

// highlighter highlights code with the six classes of the style sheet.
type highlighter struct {
	cache  *renderCache
	mu     sync.Mutex
	lexers map[string]chroma.Lexer // by name, alias or file name; nil = none
}

// findLexer returns the lexer of a language by name, alias or file name, or nil. The lookup
// tries hundreds of patterns, so results are cached and overlong names are not tried.
func (h *highlighter) findLexer(name string) chroma.Lexer {
	if name == "" || len(name) > 40 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	l, ok := h.lexers[name]
	if !ok {
		if strings.HasPrefix(name, fileNamePrefix) {
			l = lexers.Match(name) // Get would try the patterns twice
		} else {
			l = lexers.Get(name)
		}
		if l != nil && l.Config().Name == "plaintext" {
			l = nil
		}
		if len(h.lexers) > 1000 { // hostile input: there are not that many languages
			clear(h.lexers)
		}
		h.lexers[name] = l
	}
	return l
}

// highlightCode returns code as escaped HTML with classes. It reports false if the code is
// to be shown plain: unknown language, too long, or no budget left.
func (h *highlighter) highlightCode(code, lang string, r *highlightBudget) (string, bool) {
	lexer := h.findLexer(lang)
	if lexer == nil || len(code) > maxHighlightBytes {
		return "", false
	}
	k := newRenderKey("code "+lexer.Config().Name, code)
	s, ok := h.cache.findRendered(k)
	if (!ok || r.chargeCached) && !r.spendBytes(len(code)) {
		return "", false
	}
	if ok {
		return s, true
	}
	s, ok = highlightTokens(lexer, code)
	if ok {
		h.cache.addRendered(k, s)
	}
	return s, ok
}

func highlightTokens(lexer chroma.Lexer, code string) (string, bool) {
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

// writeToken closes the span at every line end, so that the result can be split into lines.
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

// tokenClass returns the style sheet's class of a token: keyword, string, function, number,
// comment or type.
func tokenClass(t chroma.TokenType) string {
	switch {
	case t == chroma.KeywordType, t == chroma.NameClass, t == chroma.NameBuiltinPseudo, t == chroma.NameNamespace:
		return "code-type"
	case t.InCategory(chroma.Comment):
		return "code-comment"
	case t.InCategory(chroma.Keyword), t == chroma.NameTag:
		return "code-keyword"
	case t == chroma.NameFunction, t == chroma.NameFunctionMagic, t == chroma.NameBuiltin, t == chroma.NameAttribute, t == chroma.NameDecorator:
		return "code-function"
	case t.InSubCategory(chroma.LiteralNumber):
		return "code-number"
	case t.InSubCategory(chroma.LiteralString):
		return "code-string"
	}
	return ""
}

// fileNamePrefix begins the names of files that languages are looked up by.
const fileNamePrefix = "x."

// languageName returns the name by which the language of a file is looked up: its
// extension, as in "x.go", or a name like "Makefile".
func languageName(file string) string {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if ext := path.Ext(name); len(ext) > 1 {
		return fileNamePrefix + ext[1:]
	}
	return name
}
