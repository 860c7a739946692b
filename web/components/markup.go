package components

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// themeAttr returns a valid value of the theme attribute.
func themeAttr(theme string) string {
	if theme == "light" || theme == "dark" {
		return theme
	}
	return "system"
}

func boolAttr(on bool) string { return strconv.FormatBool(on) }

// Pluralize formats a number with its noun: "1 branch", "8 branches".
func Pluralize(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return FormatCount(n) + " " + many
}

// FormatCount formats 1050 as "1,050".
func FormatCount(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// laneClass returns the classes of a lane cell.
func laneClass(c LaneCell) string {
	class := "lane lane--" + c.Color
	for _, shape := range strings.Fields(c.Shape) {
		class += " lane--" + shape
	}
	return class
}

// nodeLaneIndex returns the index of the cell that holds the row's node, the last one.
func nodeLaneIndex(r RowModel) int { return len(r.Lanes) - 1 }

// nodeNames are the accessible names of nodes.
var nodeNames = map[string]string{
	"user": "Prompt", "answer": "Answer", "tool": "Tool", "compaction": "Compaction",
	"summary": "Branch summary", "note": "Note", "leaf": "Leaf",
}

func rowClass(r RowModel) string {
	class := "row row--" + r.Class
	for _, c := range []struct {
		on   bool
		name string
	}{
		{r.OnPath, "is-path"}, {r.Selected, "is-selected"}, {r.Hit, "is-hit"},
		{r.Rule, "is-rule"}, {r.Thread != "", "row--" + r.Thread}, {len(r.Lanes) == 0, "row--outline"},
	} {
		class = appendIf(class, c.on, c.name)
	}
	return class
}

func tabIndexAttr(first bool) string {
	if first {
		return "0"
	}
	return "-1"
}

func toggleLabel(expanded int) string {
	if expanded == 1 {
		return "Close"
	}
	return "Open"
}

// hitList formats indexes for the browser: "3 17 240".
func hitList(hits []int) string {
	var b strings.Builder
	for i, h := range hits {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(h))
	}
	return b.String()
}

// toolIcons maps kinds of tools to icons.
var toolIcons = map[string]string{
	"bash": "term", "read": "file", "edit": "pencil", "write": "file-plus", "search": "search",
	"agent": "agent", "todo": "check", "plan": "sum", "ask": "ask", "web": "web", "script": "code", "skill": "event", "code": "code",
}

func toolIcon(t ToolModel) string {
	switch {
	case t.Err:
		return "warn"
	case t.Server != "":
		return "plug"
	}
	return ToolIcon(t.Icon)
}

// ToolIcon returns the icon of a kind of tools.
func ToolIcon(kind string) string { return cmp.Or(toolIcons[kind], "tool") }

var noteIcons = map[string]string{
	"model": "chip", "thinking": "think", "name": "pencil", "label": "flag", "usage": "coin",
	"edit": "scissors", "reset": "reset", "event": "event", "warn": "warn",
}

func noteIcon(name string) string {
	if icon, ok := noteIcons[name]; ok {
		return icon
	}
	return "event"
}

// startPoint returns the start of a path in the small tree, for its dot.
func (s ShapePath) startPoint() (x, y string) {
	var fx, fy float64
	if _, err := fmt.Sscanf(strings.Replace(s.D, ",", " ", 1), "M%f %f", &fx, &fy); err != nil {
		return "", ""
	}
	return formatNumber(fx), formatNumber(fy)
}

func formatNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func (s ShapePath) isSpine() bool { return s.Class == "s" }

// formatPermille formats thousandths as a percentage: 173 is "17.3%".
func formatPermille(y int) string { return fmt.Sprintf("%d.%d%%", y/10, y%10) }

// currentAttr marks the chosen one of several links. The value is not empty, which would mean
// false.
func currentAttr(on bool) templ.Attributes {
	if !on {
		return nil
	}
	return templ.Attributes{"aria-current": "true"}
}

// isInstallable reports whether browsers may offer to install the explorer on a page, which
// is given by its class. Shares and errors of shares are for other people.
func isInstallable(page string) bool { return page != "page-snapshot" && page != "page-error" }

// class returns the attribute class with names, for what pages contain by the thousand.
// Unlike class={ ... } it does not allocate two maps to look for duplicates.
func class(names ...string) templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "class", Value: strings.Join(names, " ")}}
}

// appendIf returns the class names with one more if on is true.
func appendIf(names string, on bool, name string) string {
	if on {
		return names + " " + name
	}
	return names
}
