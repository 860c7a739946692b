//go:build !amd64

package jsonl

// skipPlainBlocks skips nothing: only on amd64 is there an instruction that makes blocks worth it.
func skipPlainBlocks(_ []byte, i int) (at int, escaped, stopped bool) { return i, false, false }
