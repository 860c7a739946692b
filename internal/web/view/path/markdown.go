package path

import (
	"bytes"
	"html"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	gmhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"sessiontree/internal/web/view"
)

// maxMarkdownBytes limits the text parsed as Markdown, because hostile text takes quadratic
// time. Longer text is shown plain.
const maxMarkdownBytes = 32 << 10

// Renderer renders GitHub-flavored Markdown. It shows raw HTML as text and
// sanitizes the result.
type Renderer struct {
	prose          goldmark.Markdown
	hardBreaks     goldmark.Markdown // line ends are line breaks
	prosePolicy    *bluemonday.Policy
	terminalPolicy *bluemonday.Policy
	code           *highlighter
	cache          *renderCache
}

// NewRenderer returns a Renderer. It can be used concurrently and caches what it renders.
func NewRenderer() *Renderer {
	cache := newRenderCache(renderCacheBytes)
	return &Renderer{
		prose:          newGoldmark(),
		hardBreaks:     newGoldmark(gmhtml.WithHardWraps()),
		prosePolicy:    newProsePolicy(),
		terminalPolicy: newTerminalPolicy(),
		code:           &highlighter{cache: cache, lexers: map[string]chroma.Lexer{}},
		cache:          cache,
	}
}

// TrimCache reduces the cache to about limit bytes of what was rendered last.
func (m *Renderer) TrimCache(limit int) { m.cache.texts.Trim(limit) }

func newGoldmark(opts ...renderer.Option) goldmark.Markdown {
	own := renderer.WithNodeRenderers(util.Prioritized(proseNodeRenderer{}, 10))
	return goldmark.New(
		goldmark.WithParser(newProseParser()),
		goldmark.WithExtensions(extension.Strikethrough, extension.Linkify, extension.TaskList,
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithRendererOptions(append(opts, own)...),
	)
}

// newProseParser returns goldmark's parser without raw HTML: a tag in a transcript is text
// about a tag. The priorities are those of goldmark's default parsers.
func newProseParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
}

// renderMarkdown renders text. With breaks line ends become line breaks, as people expect
// in prompts; models write Markdown.
func (m *Renderer) renderMarkdown(source string, breaks bool, r *highlightBudget) string {
	md, how := m.prose, "prose"
	if breaks {
		md, how = m.hardBreaks, "breaks"
	}
	source = view.EscapeInvisible(source)
	k := newRenderKey(how, source)
	if s, ok := m.cache.findRendered(k); ok {
		return s
	}
	budget := highlightBudget{left: r.left}
	out := m.renderSanitized(md, []byte(source), &budget)
	r.left = budget.left
	if budget.exhausted { // incomplete highlighting: not cached
		r.exhausted = true
		return out
	}
	m.cache.addRendered(k, out)
	return out
}

func (m *Renderer) renderSanitized(md goldmark.Markdown, source []byte, r *highlightBudget) string {
	doc := md.Parser().Parse(text.NewReader(source))
	m.prepareDocument(doc, source, r)
	var b htmlBuffer
	b.Grow(2 * len(source))
	var out strings.Builder
	err := md.Renderer().Render(&b, source, doc)
	if err == nil {
		out.Grow(b.Len())
		err = m.prosePolicy.SanitizeReaderToWriter(&b, &out)
	}
	if err != nil {
		// Rendering to a buffer does not fail; if it ever does, the text is shown plain.
		return "<p>" + html.EscapeString(string(source)) + "</p>"
	}
	return out.String()
}

// htmlBuffer is a buffer to which goldmark writes directly. For another writer it would
// allocate a buffer of 4 KB each time.
type htmlBuffer struct{ bytes.Buffer }

func (*htmlBuffer) Buffered() int { return 0 }
func (*htmlBuffer) Flush() error  { return nil }

// prepareDocument moves headings below those of the page, without gaps, and highlights
// code.
func (m *Renderer) prepareDocument(doc ast.Node, source []byte, r *highlightBudget) {
	above := 2 // level of the page's own headings
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			n.Level = min(n.Level+2, above+1, 6)
			above = n.Level
		case *ast.FencedCodeBlock:
			if s, ok := m.code.highlightCode(codeBlockText(n, source), string(n.Language(source)), r); ok {
				n.SetAttributeString(highlightedAttr, s)
			}
		}
		return ast.WalkContinue, nil
	})
}
