//go:build !amd64

package jsonl

// skipPlainBlocks skips nothing: only for amd64 are there instructions that make blocks worth it.
func skipPlainBlocks(_ []byte, i int) (at int, escaped, stopped bool) { return i, false, false }
