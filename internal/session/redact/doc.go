// Package redact finds secrets and personal data in text and puts something
// harmless in their place. It knows nothing of sessions: text goes in as a string
// or as one line of JSON.
//
// What a secret looks like is written down in two rule files, gitleaks' own and
// ours beside it (see rules/README.md). Taking gitleaks as a library would bring
// dozens of modules for a matcher that scans whole files; here one pass over the
// text finds the rules' keywords, and a rule's regexp runs only over the bytes
// around its keyword that a match can reach. Personal data is what the options
// name (home, user, host), other people's home directories, and e-mail addresses.
package redact
