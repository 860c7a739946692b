//go:build dev

package static

import "os"

// files are read when they are requested, so that a page shows a change when it is loaded
// again. The program has to run in the root of the repository.
var files = os.DirFS("web/static")

// isFromDisk reports whether files may change while the program runs.
const isFromDisk = true
