// Package view builds the models that web/components renders. Apart from reading bodies
// through store.Session it is pure: it uses neither HTTP nor a clock; callers pass the
// time.
//
// All text of a transcript is hostile. It leaves this package either as plain text, which
// templ escapes, or as HTML that a sanitizing policy has processed.
package view
