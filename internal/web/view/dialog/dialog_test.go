package dialog

import (
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// forkedTree returns a prompt and its answer, followed by two branches: an abandoned turn
// and one that ends with the leaf.
func forkedTree() *session.Tree {
	return session.BuildTree(session.Header{Format: "x", ID: "s", Version: 3}, []session.Entry{
		entry("setting", "", session.KindModel, "model", 1),
		entry("ask", "setting", session.KindUser, "Where does the time go?", 2),
		entry("say", "ask", session.KindAssistant, "Into encoding.", 3),
		entry("left", "say", session.KindUser, "Use a library", 4),
		entry("tip", "left", session.KindAssistant, "It brings four modules.", 5),
		entry("main", "say", session.KindUser, "Write a cache", 6),
		entry("leaf", "main", session.KindAssistant, "It works.", 7),
	}, nil)
}

func entry(id, parent string, kind session.Kind, text string, at int64) session.Entry {
	e := session.Entry{ID: id, Parent: parent, Kind: kind, Preview: text, Time: at}
	if parent != "" {
		e.Flags |= session.FlagHasParent
	}
	return e
}

func testChangeView(t *session.Tree) ChangeView {
	return ChangeView{Key: "k", File: "/s/talk.jsonl", Tree: t}
}

func ptr(s string) *string { return &s }

func TestBranch_Sentences(t *testing.T) {
	c := testChangeView(forkedTree())
	for _, tt := range []struct {
		name string
		in   BranchForm
		want string
	}{
		{"a prompt on the path", BranchForm{Entry: "main", Ancestor: ptr("main"), NewLeaf: ptr("say"), Abandoned: 1},
			"The agent continues from just before this prompt. The 1 entry after it stays in the tree."},
		{"an answer on the path", BranchForm{Entry: "say", Ancestor: ptr("say"), NewLeaf: ptr("say"), Abandoned: 2},
			"The agent continues from this answer. The 2 entries after it stay in the tree."},
		{"a setting", BranchForm{Entry: "setting", Ancestor: ptr("setting"), NewLeaf: ptr("setting"), Abandoned: 4},
			"The agent continues from this entry. The 4 entries after it stay in the tree."},
		{"another branch", BranchForm{Entry: "tip", Ancestor: ptr("say"), NewLeaf: ptr("tip"), Abandoned: 2},
			"The agent continues from this answer. The 2 entries of the branch you leave stay in the tree; both branches split after “Into encoding”."},
		{"the first prompt of a file", BranchForm{Entry: "ask", Ancestor: ptr("ask"), Abandoned: 3},
			"The agent continues from just before this prompt, with an empty conversation. The 3 entries after it stay in the tree."},
		{"before the first entry", BranchForm{Abandoned: 6},
			"The agent continues from before the first entry, with an empty conversation. The 6 entries stay in the tree."},
		{"another root", BranchForm{Entry: "tip", NewLeaf: ptr("tip"), Abandoned: 2},
			"The agent continues from this answer. The 2 entries of the other branch stay in the tree; the two share no entry."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := c.BranchDialog(tt.in)
			if len(m.Effects) != 1 || m.Effects[0] != tt.want {
				t.Errorf("Say = %q, want %q", m.Effects, tt.want)
			}
		})
	}
}

// Branches that split after a setting are said to split after the message before it.
func TestBranch_SplitAtSetting(t *testing.T) {
	c := testChangeView(session.BuildTree(session.Header{Format: "x", ID: "s", Version: 3}, []session.Entry{
		entry("ask", "", session.KindUser, "Where does the time go?", 1),
		entry("off", "ask", session.KindThinking, "off", 2),
		entry("left", "off", session.KindUser, "Use a library", 3),
		entry("main", "off", session.KindUser, "Write a cache", 4),
	}, nil))
	m := c.BranchDialog(BranchForm{Entry: "left", Ancestor: ptr("off"), NewLeaf: ptr("off"), Abandoned: 1})
	if len(m.Effects) != 1 || !strings.HasSuffix(m.Effects[0], "both branches split after “Where does the time go?”.") {
		t.Errorf("Effects = %q", m.Effects)
	}
}

func TestBranch_Offers(t *testing.T) {
	c := testChangeView(forkedTree())
	before := BranchForm{Entry: "setting", NewLeaf: ptr("setting"), Ancestor: ptr("setting"), Abandoned: 6}
	if m := c.BranchDialog(before); m.Alternative == nil || !strings.HasSuffix(m.Alternative.Href, "/branch?entry=none") {
		t.Errorf("the first entry's dialog offers %+v, want the place before it", m.Alternative)
	}
	if m := c.BranchDialog(BranchForm{Entry: "ask", NewLeaf: ptr("setting"), Ancestor: ptr("ask"), Abandoned: 3}); m.Alternative == nil {
		t.Error("the first prompt's dialog does not offer the place before the first entry")
	}
	if m := c.BranchDialog(BranchForm{Entry: "tip", NewLeaf: ptr("tip"), Ancestor: ptr("say")}); m.Summary.NoWrite == "" || m.Summary.NoGenerate == "" || m.Alternative != nil {
		t.Errorf("with nothing left behind: %+v, %+v", m.Summary, m.Alternative)
	}
	none := c.BranchDialog(BranchForm{Abandoned: 6, Choice: "generate", NoGenerate: "No summarizer is set."})
	if none.Summary.Choice != "none" || none.Summary.NoGenerate == "" {
		t.Errorf("a choice that is not open is chosen: %+v", none.Summary)
	}
	c.Can.Branch.Reason = "Migrate first."
	if m := c.BranchDialog(before); m.Reason != "Migrate first." || m.Alternative == nil || !strings.Contains(m.Alternative.Href, "/fork?entry=setting") {
		t.Errorf("Reason = %q, Other = %+v", m.Reason, m.Alternative)
	}
}

func TestEntryActions(t *testing.T) {
	c := testChangeView(forkedTree())
	c.Can.Copy.Reason = "Not now."
	names := func(m components.ActionsModel) (all []string) {
		for _, a := range m.Items {
			all = append(all, a.Action)
		}
		return all
	}
	if got := names(c.EntryActions("tip")); !slices.Contains(got, "merge") || !slices.Contains(got, "switch") {
		t.Errorf("on a tip of another branch: %q", got)
	}
	if got := names(c.EntryActions("leaf")); slices.Contains(got, "merge") || slices.Contains(got, "switch") {
		t.Errorf("on the leaf: %q", got)
	}
	for _, a := range c.EntryActions("tip").Items {
		if (a.Action == "cherry-pick" || a.Action == "merge") != (a.Reason != "") {
			t.Errorf("%s: reason %q", a.Action, a.Reason)
		}
	}
}

func TestFork_NeedsAnAnswer(t *testing.T) {
	c := testChangeView(forkedTree())
	c.Config.FormatTitle = func(string) string { return "pi" }
	if m := c.ForkDialog("tip", ""); m.Reason != "" || !strings.Contains(m.Effects[0], "5 entries") {
		t.Errorf("from an answer: %+v", m)
	}
	if m := c.ForkDialog("ask", "the whole prompt"); !strings.Contains(m.Reason, "empty history") || m.Prompt == nil || m.Prompt.Text != "the whole prompt" {
		t.Errorf("from the first prompt: %q, %+v", m.Reason, m.Prompt)
	}
	if m := c.ForkDialog("setting", ""); m.Reason == "" || m.Prompt != nil {
		t.Errorf("from a setting: %q, %+v", m.Reason, m.Prompt)
	}
}

func TestShortFileName(t *testing.T) {
	for in, want := range map[string]string{
		"/s/talk.jsonl": "talk.jsonl",
		"/s/2026-02-03T09-00-00-000Z_0a6c1f52-7d1e-4b0e-9a51-c1a5e0f00003.jsonl": "2026-02-03T0…c1a5e0f00003.jsonl",
	} {
		if got := ShortFileName(in); got != want {
			t.Errorf("ShortFile(%q) = %q, want %q", in, got, want)
		}
	}
}

// The reason why actions are not available is shown once, below those that are.
func TestGroupUnavailable(t *testing.T) {
	items := []components.ActionModel{
		{Text: "a"}, {Text: "b", Reason: "x"}, {Text: "c", Reason: "y"}, {Text: "d"}, {Text: "e", Reason: "x"},
	}
	groupUnavailable(items)
	got := ""
	for _, a := range items {
		got += a.Text
		if a.Reason != "" && !a.HidesReason {
			got += "(" + a.Reason + ")"
		}
	}
	if got != "adb(x)ec(y)" {
		t.Errorf("the actions are %s", got)
	}
}
