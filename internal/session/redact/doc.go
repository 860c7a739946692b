// Package redact finds secrets and personal data in text and puts something
// harmless in their place. It knows nothing of sessions: text goes in as a string
// or as one line of JSON.
//
// One pass over the text finds words (words.go). Each word calls for one of:
//
//   - a rule of gitleaks' file or of ours beside it, which knows a key by its own
//     form. Its regexp runs only over the bytes around the word that a match can
//     reach. (Taking gitleaks as a library would bring dozens of modules for a
//     matcher that scans whole files.)
//   - a detector, which knows a secret by what is around it: the name of a setting
//     (named.go, assign.go, apart.go, read.go, judge.go), a flag of a command
//     (command.go), an argument of a call (call.go), an address (url.go), the lines of a key (block.go), a file that holds secrets
//     (stored.go). The words and the names are in rules/names.toml.
//   - a look for personal data: the home directory, user and host that the options
//     name, other people's home directories, and e-mail addresses.
//
// Text with characters that nobody sees (colors of a terminal, characters without
// width, NULs) is searched a second time without them (plain.go).
package redact
