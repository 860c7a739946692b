package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/dialog"
)

// maxShareText limits the total length of title, note and name, in bytes.
const maxShareText = 2000

// parseShareForm parses the form of a share. The defaults omit thinking and images and
// redact all findings.
func parseShareForm(f url.Values) (dialog.ShareForm, error) {
	a := dialog.ShareForm{
		Entry: f.Get("entry"), Leaf: f.Get("leaf"), Scope: f.Get("scope"), ExpiryDays: dialog.ExpiryDayChoices[0],
		Include: map[string]bool{dialog.IncludeOutput: true, dialog.IncludeBranches: true}, Redact: map[string]bool{},
		Name: rowtext.OneLine(f.Get("name")), Note: rowtext.OneLine(f.Get("note")), SharedBy: rowtext.OneLine(f.Get("by")), Live: f.Get("live") == "1", ShowNames: f.Get("names") == "1",
	}
	if a.Entry == view.BeforeFirstEntry {
		a.Entry = ""
	}
	chosen := f.Has("chosen")
	excludeKeptValues(a.Redact, f)
	for _, class := range export.Classes() {
		a.Redact[class] = !chosen || slices.Contains(f["redact"], class)
	}
	if chosen {
		for _, kind := range []string{dialog.IncludeOutput, dialog.IncludeThinking, dialog.IncludeBranches, dialog.IncludeImages} {
			a.Include[kind] = slices.Contains(f["hold"], kind)
		}
	}
	if len(a.Name)+len(a.Note)+len(a.SharedBy) > maxShareText {
		return a, fmt.Errorf("%w: title, note and name may have %d bytes", session.ErrInvalid, maxShareText)
	}
	return a, parseExpiryDays(&a, f.Get("keep"))
}

func parseExpiryDays(a *dialog.ShareForm, days string) error {
	if days == "" {
		return nil
	}
	n, err := strconv.Atoi(days)
	if err != nil || !slices.Contains(dialog.ExpiryDayChoices, n) {
		return fmt.Errorf("%w: a link works for 1, 7 or 30 days, or 0 for ever, not %q", session.ErrInvalid, days)
	}
	a.ExpiryDays = n
	return nil
}

// linkLifetime returns how long a link works, 0 for no limit.
func linkLifetime(a dialog.ShareForm) time.Duration {
	return time.Duration(a.ExpiryDays) * 24 * time.Hour
}

// resolveSharePart returns the part of the session that the form selects. Without other
// branches it ends at the end of the viewed path.
func resolveSharePart(t *session.Tree, a dialog.ShareForm) (export.Part, error) {
	p := export.Part{Entry: a.Entry, Scope: export.Subtree, Bare: a.Scope == dialog.ShareBelow}
	end := ""
	if !a.Include[dialog.IncludeBranches] {
		at := sharedPathEnd(t, a)
		if at == session.NoPos {
			return p, errNothingToShare
		}
		end = t.At(at).ID
	}
	switch {
	case a.Scope == dialog.ShareAll && end == "":
		return export.Part{Scope: export.Tree}, nil
	case a.Scope == dialog.ShareAll:
		return export.Part{Entry: end, Scope: export.Path}, nil
	case a.Scope != dialog.ShareBelow && a.Scope != dialog.SharePath:
		return p, fmt.Errorf("%w: there is no part %q to share", session.ErrInvalid, a.Scope)
	case t.FindID(a.Entry) == session.NoPos:
		return p, fmt.Errorf("%w: %q", view.ErrNoEntry, a.Entry)
	}
	p.To = end
	return p, nil
}

// sharedPathEnd returns the end of the viewed path if it contains the entry, otherwise the
// newest leaf below the entry.
func sharedPathEnd(t *session.Tree, a dialog.ShareForm) session.Pos {
	entry, leaf := t.FindID(a.Entry), t.FindID(a.Leaf)
	if leaf == session.NoPos {
		leaf = t.Leaf()
	}
	if entry == session.NoPos || slices.Contains(t.Path(leaf), entry) {
		return leaf
	}
	return t.Subtrees().NewestLeaf(entry)
}

// listShareParts returns the parts that can be shared for an entry, without duplicates: at
// the first entry, the parts with and without the path to it are equal.
func listShareParts(t *session.Tree, a dialog.ShareForm) (all []dialog.SharePart, err error) {
	for _, scope := range []string{dialog.ShareBelow, dialog.SharePath, dialog.ShareAll} {
		if a.Entry == "" && scope != dialog.ShareAll || scope == dialog.SharePath && t.Parent(t.FindID(a.Entry)) == session.NoPos {
			continue
		}
		one := a
		one.Scope = scope
		p, err := resolveSharePart(t, one)
		if err != nil {
			return nil, err
		}
		n, err := p.Count(t)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			all = append(all, dialog.SharePart{Scope: scope, Entries: n})
		}
	}
	return all, nil
}

// defaultShareScope returns the first scope with more than one entry, otherwise the whole
// session.
func defaultShareScope(parts []dialog.SharePart) string {
	for _, p := range parts {
		if p.Entries > 1 || p.Scope == dialog.ShareAll {
			return p.Scope
		}
	}
	return dialog.ShareAll
}
