// Package view turns sessions into the models that web/components draws. It is
// pure but for reading bodies through store.Session: values in, values out, no
// HTTP, no clock (the moment is passed in).
//
// All text of a transcript is hostile. It leaves this package either as plain
// text, which templ escapes, or as HTML that came out of a sanitising policy.
package view
