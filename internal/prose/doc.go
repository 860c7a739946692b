// Package prose tests the language and the shape of the source. It checks that comments
// and documents are in plain English, that functions and files are short, and that a
// search finds names. It has no code.
package prose
