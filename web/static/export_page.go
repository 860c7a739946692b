package static

import (
	"crypto/sha256"
	_ "embed" // the script of a page that stands by itself
	"encoding/base64"
	"net/url"
	"strings"
)

//go:generate go tool esbuild page/main.js --bundle --minify --format=iife --target=es2022 --legal-comments=none --log-level=warning --outfile=page/bundle.js

// pageScript is page/main.js and all it imports, in one.
//
//go:embed page/bundle.js
var pageScript string

// PageScript is the one script of a page that needs no server, PageStyle its one
// stylesheet, PageIcon its picture as a data: URL.
func PageScript() string { return pageScript }

// PageStyle is all stylesheets in one.
func PageStyle() string { return string(joinStylesheets()) }

// PageIcon is the icon as a data: URL.
func PageIcon() string {
	data, err := files.ReadFile("img/icon.svg")
	if err != nil { // an embedded file is always readable
		panic(err)
	}
	return "data:image/svg+xml," + strings.ReplaceAll(url.QueryEscape(string(data)), "+", "%20")
}

// PagePolicy is the content policy of such a page: it runs its own script and wears
// its own style, shows images that it holds, and loads nothing.
func PagePolicy() string {
	return "default-src 'none'; script-src '" + policyHash(PageScript()) + "'; style-src '" + policyHash(PageStyle()) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
}

func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
