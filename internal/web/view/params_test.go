package view

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

func TestParseParams(t *testing.T) {
	got, err := ParseParams(url.Values{
		"entry": {"e1"}, "leaf": {"none"}, "filter": {"no-tools"}, "q": {" a b "}, "layout": {"outline"}, "open": {"x,-y,%2Dz"}, "other": {"1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Params{
		Entry: "e1", Leaf: "none", Filter: outline.FilterNoTools, Layout: outline.LayoutOutline, Query: "a b",
		Open: map[string]bool{"x": true, "y": false, "-z": true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, want := got.Encode(), "entry=e1&leaf=none&filter=no-tools&q=a+b&layout=outline&open=%252Dz%2Cx%2C-y"; got != want {
		t.Errorf("Encode() = %q, want %q", got, want)
	}
}

func TestParseParams_invalid(t *testing.T) {
	for name, q := range map[string]url.Values{
		"filter":    {"filter": {"nothing"}},
		"layout":    {"layout": {"circle"}},
		"many open": {"open": {strings.Repeat("a,", maxOpenBranches) + "a"}},
		"escape":    {"open": {"%zz"}},
		"query":     {"q": {strings.Repeat("x", MaxQueryBytes+1)}},
	} {
		if _, err := ParseParams(q); !errors.Is(err, session.ErrInvalid) {
			t.Errorf("%s: error %v, want ErrInvalid", name, err)
		}
	}
}

// Parameters survive encoding for any ids.
func TestParams_roundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Params{
			Entry:  rapid.String().Draw(t, "entry"),
			Leaf:   rapid.String().Draw(t, "leaf"),
			Query:  strings.TrimSpace(rapid.StringN(0, 50, 200).Draw(t, "query")),
			Filter: outline.Filter(rapid.IntRange(0, 4).Draw(t, "filter")),
			Layout: outline.Layout(rapid.IntRange(0, 1).Draw(t, "layout")),
			Open:   rapid.MapOfN(rapid.StringN(1, 10, 40), rapid.Bool(), 0, 8).Draw(t, "open"),
		}
		got, err := ParseParams(p.Values())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p, got, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		if got.Encode() != p.Encode() {
			t.Errorf("Encode() = %q after a round trip, %q before", got.Encode(), p.Encode())
		}
	})
}

func TestParams_with(t *testing.T) {
	p := Params{Entry: "e", Leaf: "l", Open: map[string]bool{"a": true}}
	q := p.WithOpen("b", false)
	if len(p.Open) != 1 || len(q.Open) != 2 || q.Open["b"] {
		t.Errorf("withOpen changed %v to %v", p.Open, q.Open)
	}
	for range maxOpenBranches + 10 {
		q = q.WithOpen(strings.Repeat("x", len(q.Open)), true)
	}
	if _, err := ParseParams(q.Values()); err != nil {
		t.Errorf("a list filled by clicks is refused: %v", err)
	}
	if got, want := p.FollowLeaf().WithFilter(outline.FilterAll).WithLayout(outline.LayoutOutline).WithQuery("w").Href("/s"), "/s?filter=all&q=w&layout=outline&open=a"; got != want {
		t.Errorf("Href = %q, want %q", got, want)
	}
	if got := (Params{}).Href("/s"); got != "/s" {
		t.Errorf("Href of the default view = %q", got)
	}
}
