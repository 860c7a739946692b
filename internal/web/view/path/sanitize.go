package path

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
)

var (
	codeClasses = regexp.MustCompile(`^code-(keyword|string|function|number|comment|type)$`)
	boxClasses  = regexp.MustCompile(`^(code|code-head|table-box|markdown-image)$`)
	termClasses = regexp.MustCompile(`^term-[a-z0-9]+( term-[a-z0-9]+)*$`)
	alignValues = regexp.MustCompile(`^(left|right|center)$`)
	linkSchemes = []string{"http", "https", "mailto"}
)

// newProsePolicy allows only the elements of rendered Markdown: no styles, scripts, images
// or frames, and links only to web and mail addresses.
func newProsePolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "br", "hr", "h3", "h4", "h5", "h6", "ul", "li", "blockquote", "em", "strong", "del",
		"code", "pre", "table", "thead", "tbody", "tr", "th", "td", "div", "span")
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowElements("ol")
	p.AllowAttrs("align").Matching(alignValues).OnElements("th", "td")
	p.AllowAttrs("tabindex").Matching(regexp.MustCompile(`^0$`)).OnElements("pre", "div")
	p.AllowAttrs("class").Matching(codeClasses).OnElements("span")
	p.AllowAttrs("class").Matching(boxClasses).OnElements("div", "a")
	p.AllowAttrs("href", "title").OnElements("a")
	p.AllowURLSchemes(linkSchemes...)
	p.AllowRelativeURLs(false)
	p.RequireParseableURLs(true)
	p.RequireNoReferrerOnLinks(true)
	p.RequireNoFollowOnLinks(false)
	p.AddTargetBlankToFullyQualifiedLinks(true)
	return p
}

// newTerminalPolicy allows only the classes of terminal colors.
func newTerminalPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowAttrs("class").Matching(termClasses).OnElements("span")
	return p
}
