// Package usertext parses the texts of role user in transcripts: typed prompts, and the many texts
// that Claude Code writes with that role.
package usertext
