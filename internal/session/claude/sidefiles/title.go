package sidefiles

import (
	"encoding/json"
	"io"
	"io/fs"
	"strings"
)

// maxTitleFile is how many bytes of a title's file are read.
const maxTitleFile = 1 << 20

// ReadTitle returns the title that Claude Code stores in a file next to the transcript with a
// name, "" if there is none.
func ReadTitle(dir fs.FS, name string) string {
	stem, ok := strings.CutSuffix(name, ".jsonl")
	if !ok {
		return ""
	}
	f, err := dir.Open(stem + "/custom-title.json")
	if err != nil {
		return ""
	}
	defer f.Close()
	var title struct{ CustomTitle string }
	if json.NewDecoder(io.LimitReader(f, maxTitleFile)).Decode(&title) != nil {
		return ""
	}
	return title.CustomTitle
}
