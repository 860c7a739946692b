package usertext

import "strings"

// TextInTag returns the text between a tag and its end tag, "" if the tag is missing.
func TextInTag(text, tag string) string {
	_, rest, ok := strings.Cut(text, "<"+tag+">")
	if !ok {
		return ""
	}
	in, _, _ := strings.Cut(rest, "</"+tag+">")
	return strings.TrimSpace(in)
}

// injectionTags are the tags around text that the user did not type, with the names of such text.
var injectionTags = []struct{ tag, name string }{
	{"system-reminder", "System reminder"},
	{"ide_opened_file", "Opened in the editor"},
	{"ide_selection", "Selected in the editor"},
	{"ide_diagnostics", "Diagnostics of the editor"},
	{"post-tool-use-hook", "A hook"},
	{"user-prompt-submit-hook", "A hook"},
}

// InjectedText is text that Claude Code added to a prompt.
type InjectedText struct{ Name, Text string }

// SplitInjected separates the typed text from injected text.
func SplitInjected(text string) (typed string, injected []InjectedText) {
	for _, h := range injectionTags {
		if !strings.Contains(text, "<"+h.tag+">") {
			continue
		}
		var kept strings.Builder
		for rest := text; ; {
			before, in, ok := strings.Cut(rest, "<"+h.tag+">")
			kept.WriteString(before)
			if !ok {
				break
			}
			in, rest, _ = strings.Cut(in, "</"+h.tag+">")
			injected = append(injected, InjectedText{h.name, strings.TrimSpace(in)})
		}
		text = kept.String()
	}
	return strings.TrimSpace(text), injected
}

// StripTags removes tags and keeps their content.
func StripTags(text string) string {
	var b strings.Builder
	for text != "" {
		before, rest, ok := strings.Cut(text, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		tag, after, closed := strings.Cut(rest, ">")
		if !closed || !isTag(tag) {
			b.WriteByte('<')
			text = rest
			continue
		}
		b.WriteByte(' ')
		text = after
	}
	return strings.TrimSpace(b.String())
}

// isTag reports whether a text between angle brackets is one of Claude Code's tags: a word with
// hyphens or underscores, with or without attributes.
func isTag(s string) bool {
	s = strings.TrimPrefix(s, "/")
	name, _, _ := strings.Cut(s, " ")
	return strings.ContainsAny(name, "-_") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-_") == ""
}
