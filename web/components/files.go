package components

// fileKindLetter returns the letter that stands for what was done to a file.
func fileKindLetter(kind string) string {
	switch kind {
	case "new":
		return "A"
	case "changed":
		return "M"
	}
	return "R"
}

// blameHue returns the class of the color of a line.
func blameHue(l BlameLine) string {
	if l.Hue == "" {
		return ""
	}
	return "hue-" + l.Hue
}

func firstClass(is bool) string {
	if is {
		return "is-first"
	}
	return ""
}

func onClass(is bool) string {
	if is {
		return "is-on"
	}
	return ""
}
