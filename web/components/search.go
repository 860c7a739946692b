package components

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"github.com/a-h/templ"
)

// sitePages are the pages outside of a session.
var sitePages = []struct{ Name, Text, Href string }{
	{"sessions", "Sessions", "/"},
	{"now", "Now", "/now"},
	{"search", "Search", "/search"},
	{"spend", "Spend", "/spend"},
}

// markedText is a text with marks, and without white space between its parts.
func markedText(parts []Span) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		for _, p := range parts {
			text := templ.EscapeString(p.Text)
			if p.Mark {
				text = "<mark>" + text + "</mark>"
			}
			b.WriteString(text)
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// HitSign is how a kind of hit is shown: its icon, the color of that, and its name.
type HitSign struct {
	Icon  string `json:"icon"`
	Class string `json:"class,omitempty"` // "is-prompt", "is-label", "is-summary", "is-failed" or ""
	Name  string `json:"name"`
}

// hitSigns are the signs by the role of the text that was found. FailedCall is that of a call
// or its output. A note is found in exported pages only.
var hitSigns = map[string]HitSign{
	"prompt":   {"user", "is-prompt", "Prompt"},
	"answer":   {"answer", "", "Answer"},
	"thinking": {"think", "", "Thinking"},
	"input":    {"tool", "", "Tool call"},
	"output":   {"term", "", "Tool output"},
	"summary":  {"sum", "is-summary", "Summary"},
	"label":    {"flag", "is-label", "Label or name"},
	"note":     {"chip", "", "Note"},
	FailedCall: {"warn", "is-failed", "Failed tool call"},
}

// FailedCall is the key of the sign of failed tool calls.
const FailedCall = "failed"

// SignOfHit returns the sign of a role, or that of FailedCall.
func SignOfHit(role string) HitSign { return hitSigns[role] }

// hitSignsJSON returns all signs for the script, which shows the hits of a session.
func hitSignsJSON() string {
	data, err := json.Marshal(hitSigns)
	if err != nil { // texts can always be encoded
		panic(err)
	}
	return string(data)
}

// searchHref returns the address of a search over all sessions.
func searchHref(query string) string { return "/search?q=" + url.QueryEscape(query) }

// searchOperatorList returns what narrows a search, with examples. zone is that of dates.
func searchOperatorList(zone string) []Pair {
	return []Pair{
		{Name: `"two words"`, Value: "exact phrase"},
		{Name: `re:fs\.watch(File)?`, Value: "regular expression"},
		{Name: "role:prompt", Value: "prompt, answer, thinking, input, output, summary, label"},
		{Name: "tool:bash", Value: "a tool by name"},
		{Name: "label:", Value: "entries with a label"},
		{Name: "is:failed", Value: "failed tool calls"},
		{Name: "is:abandoned", Value: "branches you left; also current, sub-agent, live, starred"},
		{Name: "agent:claude", Value: "pi, omp, claude, wave"},
		{Name: "project:pi-mono", Value: "folder name"},
		{Name: "after:2026-10-01", Value: "or before:, time zone " + zone},
	}
}
