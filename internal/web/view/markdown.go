package view

import (
	"bytes"
	"html"

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
)

// maxMarkdown is how much of a text is read as Markdown; what is longer is shown
// as it stands. Text made to be slow costs by the square of its length.
const maxMarkdown = 32 << 10

// markdown renders the prose of a transcript: GitHub's dialect, raw HTML as the
// text it is, then sanitised.
type markdown struct {
	prose  goldmark.Markdown
	breaks goldmark.Markdown // a line end is a line end
	policy *bluemonday.Policy
	term   *bluemonday.Policy
	code   *highlighter
	cache  *rendered
}

func newMarkdown() *markdown {
	cache := newRendered(cacheBytes)
	return &markdown{
		prose:  newGoldmark(),
		breaks: newGoldmark(gmhtml.WithHardWraps()),
		policy: proseOnly(),
		term:   coloursOnly(),
		code:   &highlighter{cache: cache, known: map[string]chroma.Lexer{}},
		cache:  cache,
	}
}

func newGoldmark(opts ...renderer.Option) goldmark.Markdown {
	own := renderer.WithNodeRenderers(util.Prioritized(proseNodes{}, 10))
	return goldmark.New(
		goldmark.WithParser(proseParser()),
		goldmark.WithExtensions(extension.Strikethrough, extension.Linkify, extension.TaskList,
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
		goldmark.WithRendererOptions(append(opts, own)...),
	)
}

// proseParser is goldmark's parser without raw HTML: a tag in a transcript is
// text about a tag. Priorities are those of goldmark's default parsers.
func proseParser() parser.Parser {
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

// html renders text. With breaks a line end is a line end, as people mean it in
// prompts; models write Markdown.
func (m *markdown) html(source string, breaks bool, r *ration) string {
	md, how := m.prose, "prose"
	if breaks {
		md, how = m.breaks, "breaks"
	}
	source = visible(source)
	k := keyOf(how, source)
	if s, ok := m.cache.get(k); ok {
		return s
	}
	mine := ration{left: r.left}
	out := m.render(md, []byte(source), &mine)
	r.left = mine.left
	if mine.short { // plainer than it could be: not to be kept
		r.short = true
		return out
	}
	m.cache.put(k, out)
	return out
}

func (m *markdown) render(md goldmark.Markdown, source []byte, r *ration) string {
	doc := md.Parser().Parse(text.NewReader(source))
	m.prepare(doc, source, r)
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, source, doc); err != nil {
		// A buffer does not fail; should a renderer, the text stands as it is.
		return "<p>" + html.EscapeString(string(source)) + "</p>"
	}
	return m.policy.SanitizeReader(&b).String()
}

// prepare keeps headings below those of the page, without a gap between them,
// and colours code.
func (m *markdown) prepare(doc ast.Node, source []byte, r *ration) {
	above := 2 // the page's own headings
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			n.Level = min(n.Level+2, above+1, 6)
			above = n.Level
		case *ast.FencedCodeBlock:
			if s, ok := m.code.html(blockText(n, source), string(n.Language(source)), r); ok {
				n.SetAttributeString(coloured, s)
			}
		}
		return ast.WalkContinue, nil
	})
}
