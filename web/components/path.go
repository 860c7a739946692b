package components

// itemKinds lists the kinds of items with a style of their own; others use the generic
// card.
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

// commaIfMore returns a comma if further notes follow on the line.
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
