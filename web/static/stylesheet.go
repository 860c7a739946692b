package static

import (
	"bytes"
	"io/fs"
	"sync"
)

// StylesheetName is the one stylesheet that pages link: a page with a dozen of them
// waits a dozen times before it paints.
const StylesheetName = "css/all.css"

// stylesheets are joined in this order: values first, then what builds on them.
var stylesheets = []string{"tokens", "base", "icons", "shell", "loading", "tree", "path", "tools", "code", "index", "dialog", "phone", "change", "share", "reader", "media"}

// joinStylesheets joins the stylesheets.
var joinStylesheets = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	for _, name := range stylesheets {
		css, err := fs.ReadFile(files, "css/"+name+".css")
		if err != nil { // an embedded file is always readable; a test holds the list
			panic(err)
		}
		b.Write(css)
		b.WriteByte('\n')
	}
	return b.Bytes()
})
