// Package view holds what all views of sessions share: the parameters in URLs, who a
// session is shown to, the texts of entries, and how values are written. The packages below
// it build the models that web/components renders. All of them are pure: they read no file,
// lock no session and ask no clock. Callers pass trees, bodies and the time.
//
// All text of a transcript is hostile. It leaves these packages either as plain text, which
// templ escapes, or as HTML that a sanitizing policy has processed.
package view
