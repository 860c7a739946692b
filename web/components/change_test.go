package components

import (
	"strings"
	"testing"
)

// Text of a transcript must not become markup or an address in dialogs.
func TestDialogs_HostileText(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>`
	m := fixtureDialog()
	m.Title, m.Effects, m.Reason, m.Unchanged = evil, []string{evil}, "", evil
	m.Quote = &Quote{Text: evil}
	m.Alert = &Alert{Kind: "warn", Strong: evil, Text: evil, Resubmit: evil}
	m.Prompt = &Prompt{Text: "</textarea>" + evil, Note: evil, Resume: evil}
	m.Lines = &LinesModel{Title: evil, Lines: []string{evil}, Preview: evil}
	m.Summary.Text, m.Summary.Abandoned, m.Summary.Instructions = "</textarea>"+evil, evil, "</textarea>"+evil
	m.Label = &LabelField{Value: evil, Placeholder: evil, Existing: []string{evil}, CanRemove: true}
	m.Back = Link{Text: evil, Href: "javascript:alert(1)"}
	done := ChangeResultModel{Text: evil, Strong: evil, More: evil, Go: evil, Link: &Link{Text: evil, Href: "javascript:alert(1)"},
		Copies: []CopyModel{{evil, evil, evil}}, Undo: &UndoModel{Post: "/p", Fields: []Pair{{"label", evil}}}}
	branches := BranchPanelModel{Title: evil, Find: evil, Base: "javascript:alert(1)", Rows: BranchRowsModel{Rows: []BranchRow{
		{Name: evil, Text: []Span{{Text: evil, Mark: true}}, Label: []Span{{Text: evil}}, Href: "javascript:alert(1)", Switch: evil, Head: evil, ID: evil},
	}}}
	for name, got := range map[string]string{
		"form": render(t, ChangeForm(m)), "page": render(t, ChangePage(m)), "label": render(t, LabelForm(m)),
		"done": render(t, ChangeResult(done)), "branches": render(t, BranchPanel(branches)),
	} {
		for _, bad := range []string{"<script>alert", "<img src=x", ` href="javascript:`, "</textarea>\""} {
			if strings.Contains(got, bad) {
				t.Errorf("%s has %q", name, bad)
			}
		}
	}
}
