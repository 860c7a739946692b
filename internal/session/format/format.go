// Package format lists the formats. It is the only package that imports them all.
package format

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/claude"
	"sessiontree/internal/session/pi"
	"sessiontree/internal/session/wave"
)

// All is every format, in the order in which a file is offered to them.
var All = []*session.Format{&pi.OMP, &pi.Format, &claude.Format, &wave.Format, &wave.JSONFormat}
