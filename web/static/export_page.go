package static

import (
	"crypto/sha256"
	_ "embed" // for the script and the stylesheet
	"encoding/base64"
	"io/fs"
	"net/url"
	"strings"
)

//go:generate go run ./icongen
//go:generate go run ./bundlegen
//go:generate go tool esbuild page/main.js --bundle --minify --format=iife --target=es2022 --legal-comments=none --log-level=warning --outfile=page/bundle.js

// pageScript is page/main.js bundled with its imports.
//
//go:embed page/bundle.js
var pageScript string

// PageScript returns the script of an HTML export.
func PageScript() string { return pageScript }

// pageStyle is the stylesheet of the page of a session.
//
//go:embed bundle/css/pages/session.css
var pageStyle string

// PageStyle returns the stylesheet of an HTML export.
func PageStyle() string { return pageStyle }

// PageIcon returns the icon as a data: URL.
func PageIcon() string {
	data, err := fs.ReadFile(files, "img/icon.svg")
	if err != nil { // embedded files are always readable
		panic(err)
	}
	return "data:image/svg+xml," + strings.ReplaceAll(url.QueryEscape(string(data)), "+", "%20")
}

// PagePolicy returns the content security policy of an HTML export. It allows only the
// page's own script, style and images.
func PagePolicy() string {
	return "default-src 'none'; script-src '" + policyHash(PageScript()) + "'; style-src '" + policyHash(PageStyle()) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
}

func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
