// Package view builds the models that web/components renders. It is pure: it reads no file,
// locks no session and asks no clock. Callers pass trees, bodies and the time.
//
// All text of a transcript is hostile. It leaves this package either as plain text, which
// templ escapes, or as HTML that a sanitizing policy has processed.
package view
