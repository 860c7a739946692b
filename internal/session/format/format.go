// Package format lists all session formats. It is the only package that imports all of
// them.
package format

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/claude"
	"sessiontree/internal/session/pi"
	"sessiontree/internal/session/wave"
)

// All is every format, in the order in which they sniff a file.
var All = []*session.Format{&pi.OMP, &pi.Format, &claude.Format, &wave.Format, &wave.JSONFormat}
