//go:build !dev

package static

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed bundle img
var embedded embed.FS

// files has the bundles at the addresses of their sources.
var files fs.FS = bundled{embedded}

// isFromDisk reports whether files may change while the program runs.
const isFromDisk = false

// bundled is a file system whose scripts and stylesheets are the bundles of those on disk.
type bundled struct{ fs.FS }

func (b bundled) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "js/") || strings.HasPrefix(name, "css/") {
		name = "bundle/" + name
	}
	return b.FS.Open(name)
}
