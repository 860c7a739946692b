// Package jsonl reads files of one JSON value a line: it splits bytes into lines
// with offsets and numbers, and walks a line once, from left to right, checking
// every byte as strictly as encoding/json while keeping only what is asked for.
// It knows nothing of sessions and opens no files.
package jsonl
