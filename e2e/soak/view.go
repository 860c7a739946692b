package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// view is what a page holds of a session: rows of the tree, and the end of the path.
type view struct {
	address  string
	rev      string
	rows     map[int]string // by index
	total    int
	anchor   string   // entry behind which the path may change
	items    []string // ids
	complete bool     // the path is held up to its end
}

// attribute returns an attribute of the first element of a text that has it.
func attribute(html, name string) string {
	_, rest, _ := strings.Cut(html, " "+name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

var (
	rowStart  = regexp.MustCompile(`<div class="row[ "]`)
	itemStart = regexp.MustCompile(`<li class="[^"]*" id="([^"]*)" data-entry=`)
	rowsStart = `<div class="rows"`
	pathStart = `<ol class="path-page"`
	// volatile are attributes that a page keeps up by itself, or that name a revision; what says
	// that an agent wrote within the last minute; and ages, whose times are in their titles.
	running  = regexp.MustCompile(`<span class="row-meta[^>]*>[^<]*</span>`) // says that a call runs for a minute, without a notice
	volatile = regexp.MustCompile(` (aria-setsize|tabindex|data-rev|data-content-hash|datetime|data-focus)="[^"]*"|rev=[0-9a-z.]+|[^<>]* is writing, |>[^<>]*</time>`)
)

// takeRows applies a list of rows. It first drops the rows from the first change on;
// for a reloaded window, all rows.
func (v *view) takeRows(html string, fresh bool) bool {
	at := strings.Index(html, rowsStart)
	if at < 0 {
		return false
	}
	html = html[at:]
	if end := strings.Index(html, pathStart); end >= 0 {
		html = html[:end]
	}
	from, _ := strconv.Atoi(attribute(html, "data-from"))
	v.total, _ = strconv.Atoi(attribute(html, "data-total"))
	v.rev = attribute(html, "data-rev")
	if fresh {
		v.rows, from = map[int]string{}, 0
	}
	for i := range v.rows {
		if i >= from {
			delete(v.rows, i)
		}
	}
	starts := rowStart.FindAllStringIndex(html, -1)
	for k, s := range starts {
		end := len(html)
		if k+1 < len(starts) {
			end = starts[k+1][0]
		}
		row := html[s[0]:end]
		if i, err := strconv.Atoi(attribute(row, "data-row")); err == nil {
			v.rows[i] = cutRow(row)
		}
	}
	return true
}

// cutRow returns what a row says: its name, its place, its text.
func cutRow(html string) string {
	html, _, _ = strings.Cut(html, "</div>") // a row has none inside
	html = volatile.ReplaceAllString(html, "")
	return running.ReplaceAllString(html, "")
}

// takePath applies a page of the path: it replaces the current one, or what a growing path
// has behind its anchor.
func (v *view) takePath(html string, fresh bool) bool {
	at := strings.Index(html, pathStart)
	if at < 0 {
		return false
	}
	html = html[at:]
	came := pathItems(html)
	if !fresh {
		first := slices.IndexFunc(v.items, func(id string) bool { return slices.Contains(came, id) })
		if first < 0 {
			first = len(v.items)
		}
		came = append(slices.Clip(v.items[:first]), came...)
	}
	v.items = came
	v.anchor = attribute(html, "data-anchor")
	v.complete = attribute(html, "data-at-end") == "true"
	return true
}

// pathItems returns the ids of the items of a page of the path.
func pathItems(html string) (ids []string) {
	for _, m := range itemStart.FindAllStringSubmatch(html, -1) {
		ids = append(ids, m[1])
	}
	return ids
}

// differs says in what a view differs from another one of the same session, as far as
// both hold it; "" is nothing.
func (v *view) differs(o *view) string {
	switch {
	case v.rev != o.rev:
		return fmt.Sprintf("revision %s, want %s", v.rev, o.rev)
	case v.total != o.total:
		return fmt.Sprintf("%d rows, want %d", v.total, o.total)
	case v.anchor != o.anchor:
		return fmt.Sprintf("the path ends behind %q, want %q", v.anchor, o.anchor)
	}
	for i, row := range o.rows {
		if held, ok := v.rows[i]; ok && held != row {
			return fmt.Sprintf("row %d of %d is %s", i, v.total, firstDifference(strings.ReplaceAll(held, ">", ">\n"), strings.ReplaceAll(row, ">", ">\n")))
		}
	}
	if n := min(len(v.items), len(o.items)); n > 0 && !slices.Equal(v.items[len(v.items)-n:], o.items[len(o.items)-n:]) {
		return fmt.Sprintf("the path ends in %v, want %v", v.items[len(v.items)-n:], o.items[len(o.items)-n:])
	}
	return ""
}
