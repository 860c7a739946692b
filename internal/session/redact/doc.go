// Package redact finds secrets and personal data in text and replaces them. It knows
// nothing about sessions: its input is a string or one line of JSON.
//
// One pass over the text finds words (word_matcher.go). Each word triggers one of:
//
//   - A rule from gitleaks' file or our own, which identifies a key by its form. Its
//     regexp runs only on the bytes around the word that a match can reach. (Importing
//     gitleaks as a library would add dozens of modules for a matcher that scans whole
//     files.)
//   - A detector, which identifies a secret by its context: the name of a setting
//     (setting.go, setting_names.go, assign_*.go, is_secret.go), a flag of a command
//     (command_flag.go), a command that stores secrets (stored_secret.go), an argument of
//     a call (secret_argument.go), a URL (url_password.go), the lines of a key
//     (key_block.go), a file of secrets (secret_files.go). The words and the names are in
//     rules/names.toml.
//   - A finder of personal data: the home directory, the user and the host in the
//     options, the home directories of others, and e-mail addresses.
//
// Text with invisible characters (terminal colors, zero-width characters, NULs) is
// searched a second time without them (hidden_text.go).
package redact
