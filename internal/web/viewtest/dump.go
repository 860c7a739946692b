package viewtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/web/components"
)

var update = flag.Bool("update", false, "write golden files")

// CompareGolden compares text with a golden file.
func CompareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// DumpRows formats rows as text: lanes, node, text, and trailing details.
func DumpRows(rows []components.RowModel) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%-14s %-22s %s\n", dumpLanes(r), r.ID+" "+r.Class+"/"+r.Node, dumpRow(r))
	}
	return b.String()
}

func dumpLanes(r components.RowModel) string {
	var cells []string
	for _, l := range r.Lanes {
		cells = append(cells, strings.ReplaceAll(strings.TrimSpace(l.Color+" "+l.Shape), " ", "."))
	}
	return strings.Join(cells, " ") + countText("+", r.More)
}

func dumpRow(r components.RowModel) string {
	var b strings.Builder
	b.WriteString(r.Prefix)
	if r.Tool != "" {
		b.WriteString("<" + r.Tool + "> ")
	}
	for _, s := range r.Text {
		if s.Mark {
			b.WriteString("[[" + s.Text + "]]")
		} else {
			b.WriteString(s.Text)
		}
	}
	b.WriteString(countText(" count=", r.Count) + countText(" +", r.Added) + countText(" -", r.Removed))
	for _, f := range []struct {
		name string
		on   bool
	}{
		{"selected", r.Selected}, {"path", r.OnPath}, {"current", r.Current}, {"leaf", r.Leaf}, {"hit", r.Hit},
		{"rule", r.Rule}, {"running", r.Running}, {"open", r.Expanded == 1}, {"closed", r.Expanded == 0},
	} {
		if f.on {
			b.WriteString(" " + f.name)
		}
	}
	for _, s := range []string{r.Status, r.Meta, r.Warn} {
		if s != "" {
			b.WriteString(" (" + s + ")")
		}
	}
	if r.Label != "" {
		b.WriteString(" #" + r.Label)
	}
	return b.String()
}

func countText(sign string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(sign, n)
}

// DumpItems formats the items of a path as text.
func DumpItems(items []components.Item) string {
	var b strings.Builder
	for _, m := range DescribeItems(items) {
		fmt.Fprintf(&b, "%s %s%s\n", m.Kind, m.ID, joinWords(m.Icon, m.Who, m.Title, m.Detail, m.Edited, m.Error, tag("#", m.Label), flagWord("folded", m.Folded), flagWord("target", m.Target)))
		if s := m.Switch; s != nil {
			fmt.Fprintf(&b, "  %d/%d prev=%s next=%s%s\n", s.At, s.Of, s.Prev, s.Next, joinWords(s.NextText, s.NextCount))
		}
		for _, a := range m.Also {
			fmt.Fprintf(&b, "  and %s: %s %s\n", a.Entry, a.Title, a.Detail)
		}
		if f := m.Foot; f != nil {
			fmt.Fprintf(&b, "  foot: %s\n", strings.Join([]string{f.Model, f.Duration, f.Input, f.Output, f.Cost}, ", "))
		}
		for _, p := range m.Pairs {
			fmt.Fprintf(&b, "  %s: %s\n", p.Name, p.Value)
		}
		dumpBlocks(&b, "  ", m.Blocks)
		for _, t := range m.Tools {
			dumpTool(&b, &t)
		}
	}
	return b.String()
}

func dumpTool(b *strings.Builder, t *components.ToolModel) {
	fmt.Fprintf(b, "  tool %s [%s]%s\n", t.ID, t.Icon, joinWords(t.Name, t.Arg, t.ArgNote, t.Status, t.Meta, tag("#", t.Label),
		countText("+", t.Added)+countText("-", t.Removed), flagWord("error", t.Err), flagWord("open", t.Open), flagWord("running", t.Running)))
	if t.Cost != "" {
		fmt.Fprintf(b, "    cost: %s\n", t.Cost)
	}
	for _, l := range t.Diff {
		fmt.Fprintf(b, "    %4s %4s %1s %s%s\n", l.Old, l.New, l.Sign, l.HTML, flagText(l.HTML == "", l.Text))
	}
	if t.DiffLeft != "" {
		fmt.Fprintf(b, "    %s\n", t.DiffLeft)
	}
	dumpBlocks(b, "    ", t.Blocks)
}

func dumpBlocks(b *strings.Builder, indent string, blocks []components.BlockModel) {
	for _, m := range blocks {
		text := m.HTML + m.Text
		if m.Kind == "image" {
			text = fmt.Sprint(m.Src, " ", m.Alt, " ", m.W, "x", m.H, " ", m.Text)
		}
		for _, v := range m.Pairs {
			text += fmt.Sprintf("\n%s = %s", v.Name, v.Value)
		}
		for _, v := range m.Questions {
			text += fmt.Sprintf("\n%s %+v | chosen %q | added %q", v.Text, v.Options, v.Chosen, v.Added)
		}
		for _, t := range m.Todos {
			text += fmt.Sprintf("\n%s: %s%s", t.State, t.Text, tag(" in ", t.Group))
		}
		for _, l := range m.Links {
			text += fmt.Sprintf("\n%s, %s: %s", l.Title, l.Host, l.Href)
		}
		fmt.Fprintf(b, "%s%s%s: %s\n", indent, m.Kind, joinWords(m.Name, m.Short, m.Left, m.More), strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+indent+"  "))
	}
}

func joinWords(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p != "" {
			b.WriteString(" | " + p)
		}
	}
	return b.String()
}

func tag(sign, s string) string {
	if s == "" {
		return ""
	}
	return sign + s
}

func flagWord(word string, on bool) string { return flagText(on, word) }

func flagText(on bool, s string) string {
	if on {
		return s
	}
	return ""
}
