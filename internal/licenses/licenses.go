// Package licenses holds the licences of what the program is made of.
package licenses

import _ "embed"

//go:generate go run ./gen ../.. NOTICE

// Notice lists the program's third-party parts, each with its licence in full.
//
//go:embed NOTICE
var Notice string
