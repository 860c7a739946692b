//go:build !dev

package static

import "embed"

//go:embed css js img vendor
var files embed.FS

// isFromDisk reports whether files may change while the program runs.
const isFromDisk = false
