package static

import (
	"bytes"
	"io/fs"
	"sync"
)

// StylesheetName is the single stylesheet of all pages. It joins the stylesheets to save a
// request for each.
const StylesheetName = "css/all.css"

// stylesheets lists the stylesheets in the order of joining.
var stylesheets = []string{"tokens", "base", "icons", "shell", "loading", "tree", "hits", "find", "path", "tools", "code", "index", "dialog", "branches", "compare", "context", "map", "files", "search", "touch", "phone", "sessionlist", "spend", "now", "change", "share", "keep", "snapshot", "tablet", "media"}

// joinedStylesheets returns the joined stylesheet as it was at first use.
var joinedStylesheets = sync.OnceValue(readStylesheets)

// joinStylesheets returns the joined stylesheet.
func joinStylesheets() []byte {
	if isFromDisk {
		return readStylesheets()
	}
	return joinedStylesheets()
}

func readStylesheets() []byte {
	var b bytes.Buffer
	for _, name := range stylesheets {
		css, err := fs.ReadFile(files, "css/"+name+".css")
		if err != nil { // embedded files are always readable; a test checks the list
			panic(err)
		}
		b.Write(css)
		b.WriteByte('\n')
	}
	return b.Bytes()
}
