package components

// itemKinds are the kinds of items that have a style of their own; the rest
// look like cards of other messages.
var itemKinds = map[string]bool{
	"user": true, "asst": true, "tools": true, "fork": true, "pack": true,
	"sum": true, "note": true, "join": true, "leaf": true, "end": true,
}

func itemClass(it ItemModel) string {
	class := "entry entry--" + it.Kind
	if !itemKinds[it.Kind] {
		class += " entry--other"
	}
	if it.Target {
		class += " is-target"
	}
	return class
}

// commaIfMore divides what a note says from what follows on its line.
func commaIfMore(parts []NotePart) string {
	if len(parts) > 0 {
		return ","
	}
	return ""
}

func cardIcon(kind string) string {
	switch kind {
	case "shell":
		return "term"
	case "system":
		return "chip"
	}
	return "event"
}
