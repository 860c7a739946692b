package toolresult

import (
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session/jsonl"
)

// NotebookDiff returns the change of a cell of a notebook as a diff, "" if the result records none.
// Claude Code records the notebook before and after the change.
func NotebookDiff(result jsonl.Object) string {
	source := result.Get("new_source")
	if !result.Get("notebook_path").IsString() || !source.IsString() {
		return ""
	}
	var before, after []string
	if mode := result.Text("edit_mode"); mode != "insert" {
		before = cellLines(result.Text("original_file"), result.Text("cell_id"))
	}
	if result.Text("edit_mode") != "delete" {
		after = strings.Split(strings.TrimSuffix(source.Text(), "\n"), "\n")
	}
	if slices.Equal(before, after) {
		return ""
	}
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "@@ -1,%d +1,%d @@\n", len(before), len(after))
	writeLines(&b, " ", before[:head])
	writeLines(&b, "-", before[head:len(before)-tail])
	writeLines(&b, "+", after[head:len(after)-tail])
	writeLines(&b, " ", before[len(before)-tail:])
	return b.String()
}

func writeLines(b *strings.Builder, sign string, lines []string) {
	for _, l := range lines {
		b.WriteString(sign + l + "\n")
	}
}

// cellLines returns the lines of a cell of a notebook, nil if there is no such cell. Cells without
// an id are named by their index.
func cellLines(notebook, id string) []string {
	v, err := jsonl.ParseObject([]byte(notebook))
	if err != nil {
		return nil
	}
	for i, item := range jsonl.ArrayElements(jsonl.ObjectFields(v).Get("cells")) {
		cell := jsonl.ObjectFields(item)
		if cell.Text("id") != id && fmt.Sprintf("cell-%d", i) != id {
			continue
		}
		source := cell.Get("source")
		text := source.Text()
		for _, part := range jsonl.ArrayElements(source) {
			text += part.Text()
		}
		return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	return nil
}
