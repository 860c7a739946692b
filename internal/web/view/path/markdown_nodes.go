package path

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"sessiontree/internal/session/rowtext"
)

// highlightedAttr is the attribute of a code block that holds its highlighted HTML.
const highlightedAttr = "coloured"

// proseNodeRenderer renders nodes differently from goldmark, for the style sheet and for
// safety.
type proseNodeRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (p proseNodeRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindFencedCodeBlock, p.renderCode)
	reg.Register(ast.KindCodeBlock, p.renderCode)
	reg.Register(ast.KindImage, p.renderImageLink)
	reg.Register(extast.KindTaskCheckBox, p.renderCheckBox)
	reg.Register(extast.KindTable, p.renderTable)
}

func (p proseNodeRenderer) renderCode(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	w.WriteString(`<div class="code">`)
	if f, ok := n.(*ast.FencedCodeBlock); ok && len(f.Language(src)) > 0 {
		w.WriteString(`<div class="code-head">` + html.EscapeString(string(f.Language(src))) + `</div>`)
	}
	w.WriteString(`<pre tabindex="0"><code>`)
	if s, ok := n.AttributeString(highlightedAttr); ok {
		w.WriteString(s.(string))
	} else {
		w.WriteString(html.EscapeString(codeBlockText(n, src)))
	}
	w.WriteString("</code></pre></div>\n")
	return ast.WalkSkipChildren, nil
}

// renderImageLink renders an image as a link: nothing in a transcript makes the browser
// contact another host.
func (p proseNodeRenderer) renderImageLink(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	url := string(n.(*ast.Image).Destination)
	alt := inlineText(n, src)
	if alt == "" {
		alt = rowtext.Cut(url, 80)
	}
	w.WriteString(`<a class="markdown-image" href="` + html.EscapeString(url) + `">` + html.EscapeString("Image: "+alt) + `</a>`)
	return ast.WalkSkipChildren, nil
}

func (p proseNodeRenderer) renderCheckBox(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		box := "☐ "
		if n.(*extast.TaskCheckBox).IsChecked {
			box = "☑ "
		}
		w.WriteString(box)
	}
	return ast.WalkContinue, nil
}

// renderTable wraps a table in a scrollable box.
func (p proseNodeRenderer) renderTable(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString("<div class=\"table-box\" tabindex=\"0\"><table>\n")
	} else {
		w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// codeBlockText returns the lines of a block.
func codeBlockText(n ast.Node, src []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(src))
	}
	return b.String()
}

// inlineText returns the text below an inline node, without markup.
func inlineText(n ast.Node, src []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(src))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}
