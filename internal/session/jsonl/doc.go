// Package jsonl reads files of one JSON value per line. It splits bytes into lines with offsets and
// numbers, and walks a line once from left to right. It checks every byte as strictly as
// encoding/json and keeps only the values that are used. It knows nothing about sessions and opens
// no files.
package jsonl
