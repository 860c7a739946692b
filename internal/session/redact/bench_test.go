package redact

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// transcript returns the demo sessions of the program, up to 1.5 MB.
func transcript(b *testing.B) (lines [][]byte, size int64) {
	files, err := filepath.Glob("../../../internal/cli/serve/demo/*/*/*.jsonl")
	if err != nil || len(files) == 0 {
		b.Fatal("no demo sessions", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if json.Valid([]byte(line)) {
				lines, size = append(lines, []byte(line)), size+int64(len(line))
			}
		}
	}
	return lines, size
}

func BenchmarkJSON(b *testing.B) {
	lines, size := transcript(b)
	b.SetBytes(size)
	for b.Loop() {
		for _, line := range lines {
			if _, _, _, err := dana.RedactJSON(line, both); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkFind(b *testing.B) {
	lines, size := transcript(b)
	b.SetBytes(size)
	for b.Loop() {
		for _, line := range lines {
			dana.Find(string(line))
		}
	}
}

// BenchmarkFindDense searches a megabyte that names a key in every line, the worst case.
func BenchmarkFindDense(b *testing.B) {
	text := strings.Repeat("curl -H 'Authorization: Bearer $TOKEN' https://api.example.org/v1/secret?password=x # twitter sk-\n", 10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		dana.Find(text)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Options{Home: "/home/dana.w", User: "dana.w", Host: "kestrel"})
	}
}
