package jsonl

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

var benchLines = map[string]string{
	"prose": `{"type":"message","id":"a1","message":{"role":"user","content":"` + strings.Repeat("The quick brown fox jumps over it. ", 60) + `"}}`,
	"code":  `{"type":"message","id":"a1","message":{"role":"toolResult","content":[{"type":"text","text":"` + strings.Repeat(`\tif err != nil {\n\t\treturn \"it\"\n\t}\n`, 60) + `"}]}}`,
	"image": `{"type":"message","id":"a1","message":{"data":"` + strings.Repeat("iVBORw0KGgoAAAANSUhEUgAA", 40000) + `"}}`,
}

func BenchmarkSkip(b *testing.B) {
	for name, line := range benchLines {
		text := []byte(line)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var c Cursor
			for b.Loop() {
				c.Reset(text)
				c.Skip()
				if c.End() != nil {
					b.Fatal("not valid")
				}
			}
		})
		b.Run(name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if !json.Valid(text) {
					b.Fatal("not valid")
				}
			}
		})
	}
}

func BenchmarkLines(b *testing.B) {
	text := bytes.Repeat([]byte(benchLines["prose"]+"\n"), 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		n := 0
		for range Lines(text) {
			n++
		}
		if n != 100 {
			b.Fatal(n)
		}
	}
}
