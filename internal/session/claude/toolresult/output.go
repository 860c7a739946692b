package toolresult

import (
	"encoding/json"
	"regexp"
	"strings"

	"sessiontree/internal/session"
)

// SplitOutput returns the blocks of the text of a result: what a search of the web found as links,
// what Claude Code reminds the model of apart, and the output of a command in the background without
// its tags. Other texts are one block.
func SplitOutput(text string) []session.Block {
	switch {
	case strings.HasPrefix(text, "Web search results for query"):
		return splitSearch(text)
	case strings.HasPrefix(text, "<status>") && strings.HasSuffix(strings.TrimSpace(text), "</timestamp>"):
		return []session.Block{{Kind: session.BlockOutput, Text: backgroundOutput(text)}}
	}
	return []session.Block{{Kind: session.BlockOutput, Text: text}}
}

// searchReminder begins what Claude Code adds to the results of a search for the model.
const searchReminder = "\n\nREMINDER: "

// splitSearch separates the links of a search from the text about them. Claude Code records
// them as a line of JSON; their text is a list in Markdown.
func splitSearch(text string) (blocks []session.Block) {
	text, reminder, _ := strings.Cut(text, searchReminder)
	for rest := text; rest != ""; {
		before, list, found := strings.Cut(rest, "\n\nLinks: [")
		blocks = appendText(blocks, before)
		if !found {
			break
		}
		list, rest, _ = strings.Cut("["+list, "\n")
		var links []session.WebLink
		if json.Unmarshal([]byte(list), &links) != nil {
			blocks = appendText(blocks, list)
		} else if len(links) > 0 {
			blocks = append(blocks, session.Block{Kind: session.BlockOutput, Text: markdownLinks(links), Links: links})
		}
	}
	if reminder != "" {
		blocks = append(blocks, session.Block{Kind: session.BlockInjected, Name: "System reminder", Text: strings.TrimSpace(reminder)})
	}
	return blocks
}

func appendText(blocks []session.Block, text string) []session.Block {
	if text = strings.TrimSpace(text); text == "" {
		return blocks
	}
	return append(blocks, session.Block{Kind: session.BlockOutput, Text: text})
}

// markdownLinks returns links as a list in Markdown.
func markdownLinks(links []session.WebLink) string {
	var b strings.Builder
	for _, l := range links {
		b.WriteString("- [" + strings.NewReplacer("[", "(", "]", ")", "\n", " ").Replace(l.Title) + "](<" + strings.NewReplacer("<", "", ">", "", "\n", "").Replace(l.URL) + ">)\n")
	}
	return b.String()
}

// outputTag is a part of the output of a command in the background.
var outputTag = regexp.MustCompile(`(?s)<(status|exit_code|stdout|stderr)>(.*?)</(?:status|exit_code|stdout|stderr)>`)

// backgroundOutput returns the output of a command in the background, after its state.
func backgroundOutput(text string) string {
	state, output := "", ""
	for _, m := range outputTag.FindAllStringSubmatch(text, -1) {
		switch part := strings.Trim(m[2], "\n"); m[1] {
		case "status":
			state = part
		case "exit_code":
			state += ", exit code " + part
		default:
			output += "\n" + part
		}
	}
	return "[" + state + "]" + output
}
