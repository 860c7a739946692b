// Package licenses contains the licenses of third-party software in the program.
package licenses

import _ "embed"

//go:generate go run ./gen ../.. NOTICE

// Notice lists the third-party software in the program with its licenses.
//
//go:embed NOTICE
var Notice string
