package components

import "net/url"

// itemClass returns the classes of an item of a kind.
func itemClass(kind string, target bool) string {
	return appendIf("entry entry--"+kind, target, "is-target")
}

// changeHref returns the address of a dialog about an entry.
func changeHref(it *EntryHead, action string) string {
	return it.Change + "/" + action + "?entry=" + url.QueryEscape(it.Entry)
}

// commaIfMore returns a comma if further notes follow on the line.
func commaIfMore(parts []NotePart) string {
	if len(parts) > 0 {
		return ","
	}
	return ""
}

func pathEndClass(leaf bool) string {
	if leaf {
		return "leaf"
	}
	return "end"
}
