package static

import (
	"bytes"
	"io/fs"
	"sync"
)

// SheetName is the one stylesheet that pages link: a page with a dozen of them
// waits a dozen times before it paints.
const SheetName = "css/all.css"

// sheets are joined in this order: values first, then what builds on them.
var sheets = []string{"tokens", "base", "icons", "shell", "loading", "tree", "path", "tools", "code", "index", "dialog", "phone", "change", "share", "reader", "media"}

// sheet joins the stylesheets.
var sheet = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	for _, name := range sheets {
		css, err := fs.ReadFile(files, "css/"+name+".css")
		if err != nil { // an embedded file is always readable; a test holds the list
			panic(err)
		}
		b.Write(css)
		b.WriteByte('\n')
	}
	return b.Bytes()
})
