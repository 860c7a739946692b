// Package prose tests the language and the shape of the source: comments and documents
// in plain English, short functions and files, names that grep finds. It has no code.
package prose
