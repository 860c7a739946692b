package components

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// modules lists all modules that main.js imports, directly or not, so that the browser
// fetches them in parallel.
var modules = []string{
	"js/main.js",
	"js/actions.js", "js/dom.js", "js/keyboard.js", "js/notify.js", "js/scrollstate.js",
	"js/search.js", "js/server.js", "js/session.js", "js/settings.js", "js/text.js",
	"js/theme.js", "js/times.js", "js/view.js",
	"js/dialog/bannerrefresh.js", "js/dialog/busyform.js", "js/dialog/changecommands.js",
	"js/dialog/changedialog.js", "js/dialog/changeresult.js", "js/dialog/changetarget.js",
	"js/dialog/imageviewer.js", "js/dialog/linepreview.js", "js/dialog/popover.js",
	"js/dialog/rename.js", "js/dialog/share.js", "js/dialog/submitform.js",
	"js/live/follow.js", "js/live/newcount.js", "js/live/socket.js",
	"js/palette/commands.js", "js/palette/palette.js",
	"js/path/branchswitch.js", "js/path/enhance.js", "js/path/morphitems.js", "js/path/path.js",
	"js/path/pathscroll.js",
	"js/sessionlist/sessionlist.js", "js/sessionlist/updatelist.js",
	"js/tree/drawer.js", "js/tree/sidebarresize.js", "js/tree/tree.js",
	"js/virtualrows/cache.js", "js/virtualrows/dom.js", "js/virtualrows/geometry.js",
	"js/virtualrows/virtualrows.js",
	"vendor/idiomorph.esm.js",
}

type keyHelpEntry struct {
	Does string
	Keys []string
}

var sessionKeys = []keyHelpEntry{
	{"Move", []string{"↑", "↓"}},
	{"Move, vi style", []string{"J", "K"}},
	{"Open branch, then first row", []string{"→"}},
	{"Close branch, else go up", []string{"←"}},
	{"First, last row", []string{"Home", "End"}},
	{"View entry", []string{"Enter"}},
	{"Open all branches here", []string{"*"}},
	{"Previous, next prompt", []string{"Shift", "↑", "↓"}},
	{"Previous, next branch", []string{"[", "]"}},
	{"Reset to leaf", []string{"L"}},
	{"Go to a label", []string{"G"}},
	{"Search this session", []string{"/"}},
	{"Open all tools", []string{"O"}},
	{"Open all thinking", []string{"T"}},
	{"Close, then back to the tree", []string{"Esc"}},
}

var changeKeys = []keyHelpEntry{
	{"Label", []string{"Shift", "L"}},
	{"Branch here", []string{"B"}},
}

var indexKeys = []keyHelpEntry{
	{"Move", []string{"↑", "↓"}},
	{"Move, vi style", []string{"J", "K"}},
	{"Open session", []string{"Enter"}},
	{"Filter sessions", []string{"/"}},
	{"Clear the filter, then leave it", []string{"Esc"}},
}

var anyPageKeys = []keyHelpEntry{
	{"Commands", []string{"Ctrl", "K"}},
	{"This help", []string{"?"}},
}

// keyHelpEntries returns the keyboard shortcuts of a page, which is given by its class.
func keyHelpEntries(page string) []keyHelpEntry {
	switch page {
	case "page-session":
		return slices.Concat(sessionKeys, changeKeys, anyPageKeys)
	case "page-reader":
		return slices.Concat(sessionKeys, anyPageKeys)
	case "page-index":
		return slices.Concat(indexKeys, anyPageKeys)
	}
	return anyPageKeys
}

// timeFallback returns the text of a time for browsers without script: only the day, or the
// full text for "clock".
func timeFallback(t Time, how string) string {
	if how == "clock" {
		return t.Text
	}
	day, _, _ := strings.Cut(t.Text, " ")
	return day
}

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
	class := "ln " + c.Color
	for _, shape := range strings.Fields(c.Shape) {
		class += " ln--" + shape
	}
	return class
}

// nodeLaneIndex returns the index of the cell that holds the row's node, the last one.
func nodeLaneIndex(r RowModel) int { return len(r.Lanes) - 1 }

// nodeNames are the accessible names of nodes.
var nodeNames = map[string]string{
	"user": "Prompt", "asst": "Answer", "tool": "Tool", "pack": "Compaction",
	"sum": "Branch summary", "note": "Note", "leaf": "Leaf",
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
		if c.on {
			class += " " + c.name
		}
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
	"agent": "agent", "todo": "check", "plan": "sum", "ask": "info", "web": "search", "script": "code",
}

func toolIcon(t ToolModel) string {
	if t.Err {
		return "warn"
	}
	if name, ok := toolIcons[t.Icon]; ok {
		return name
	}
	return "tool"
}

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
	return strconv.FormatFloat(fx, 'f', -1, 64), strconv.FormatFloat(fy, 'f', -1, 64)
}

func (s ShapePath) isSpine() bool { return s.Class == "s" }

// formatPermille formats thousandths as a percentage: 173 is "17.3%".
func formatPermille(y int) string { return fmt.Sprintf("%d.%d%%", y/10, y%10) }
