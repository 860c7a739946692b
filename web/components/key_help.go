package components

import "slices"

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
	{"Next, previous hit", []string{"N", "Shift", "N"}},
	{"Next, previous failed tool call", []string{"E", "Shift", "E"}},
	{"Open all tools", []string{"O"}},
	{"Open all thinking", []string{"T"}},
	{"Close, then back to the tree", []string{"Esc"}},
}

var changeKeys = []keyHelpEntry{
	{"Label", []string{"Shift", "L"}},
	{"Branch here", []string{"B"}},
	{"Show branches", []string{"Shift", "B"}},
	{"Show the context of an answer", []string{"I"}},
	{"Show the map", []string{"M"}},
}

var indexKeys = []keyHelpEntry{
	{"Move", []string{"↑", "↓"}},
	{"Move, vi style", []string{"J", "K"}},
	{"Open session", []string{"Enter"}},
	{"Star", []string{"S"}},
	{"Mark as unread, or as read", []string{"U"}},
	{"Filter sessions", []string{"/"}},
	{"Clear the filter, then leave it", []string{"Esc"}},
	{"Search inside sessions, in the filter", []string{"Enter"}},
}

var nowKeys = []keyHelpEntry{
	{"Move", []string{"↑", "↓"}},
	{"Move, vi style", []string{"J", "K"}},
	{"Open session", []string{"Enter"}},
	{"Notify me about a session", []string{"N"}},
	{"Go to the sessions that wait", []string{"G", "W"}},
	{"Go to those that work", []string{"G", "K"}},
	{"Go to those that have finished", []string{"G", "F"}},
	{"Go to the inactive ones", []string{"G", "Q"}},
}

var searchKeys = []keyHelpEntry{
	{"Move", []string{"↑", "↓"}},
	{"Move, vi style", []string{"J", "K"}},
	{"Previous, next session", []string{"[", "]"}},
	{"Open hit", []string{"Enter"}},
	{"Search field", []string{"/"}},
	{"Stop the search, then leave the field", []string{"Esc"}},
}

var contextKeys = []keyHelpEntry{
	{"Move", []string{"↑", "↓"}},
	{"View entry", []string{"Enter"}},
	{"Previous, next request", []string{"[", "]"}},
	{"Back to the session", []string{"Esc"}},
}

var mapKeys = []keyHelpEntry{
	{"Nearest branch in a direction", []string{"↑", "↓", "←", "→"}},
	{"Details of a branch", []string{"Enter"}},
	{"Zoom in, out", []string{"+", "−"}},
	{"Show all", []string{"0"}},
	{"Close the details, then back to the session", []string{"Esc"}},
}

var filesKeys = []keyHelpEntry{
	{"Next, previous file", []string{"J", "K"}},
	{"Next, previous branch", []string{"]", "["}},
	{"History of the file", []string{"H"}},
	{"Filter files", []string{"/"}},
	{"Back to the session", []string{"Esc"}},
}

var fileHistoryKeys = []keyHelpEntry{
	{"Next, previous edit", []string{"J", "K"}},
	{"Go to a line", []string{":"}},
	{"Another file", []string{"/"}},
}

var compareKeys = []keyHelpEntry{
	{"Conversation, files, failures", []string{"1", "2", "3"}},
	{"Next, previous difference", []string{"N", "P"}},
	{"Unfold or fold all answers", []string{"O"}},
	{"Swap the branches", []string{"X"}},
	{"Open", []string{"Enter"}},
	{"Back to the session", []string{"Esc"}},
}

var searchAllKeys = []keyHelpEntry{
	{"Search all sessions for the same words, in a field", []string{"Ctrl", "Enter"}},
}

var anyPageKeys = []keyHelpEntry{
	{"Commands", []string{"Ctrl", "K"}},
	{"Settings", []string{","}},
	{"This help", []string{"?"}},
}

// keyHelpEntries returns the keyboard shortcuts of a page, which is given by its class.
func keyHelpEntries(page string) []keyHelpEntry {
	switch page {
	case "page-session", "page-branches":
		return slices.Concat(sessionKeys, changeKeys, searchAllKeys, anyPageKeys)
	case "page-snapshot":
		return slices.Concat(sessionKeys, anyPageKeys)
	case "page-context":
		return slices.Concat(contextKeys, anyPageKeys)
	case "page-search":
		return slices.Concat(searchKeys, anyPageKeys)
	case "page-files":
		return slices.Concat(filesKeys, anyPageKeys)
	case "page-file-history":
		return slices.Concat(fileHistoryKeys, anyPageKeys)
	case "page-map":
		return slices.Concat(mapKeys, anyPageKeys)
	case "page-compare":
		return slices.Concat(compareKeys, searchAllKeys, anyPageKeys)
	case "page-now":
		return slices.Concat(nowKeys, searchAllKeys, anyPageKeys)
	case "page-index":
		return slices.Concat(indexKeys, searchAllKeys, anyPageKeys)
	}
	return anyPageKeys
}
