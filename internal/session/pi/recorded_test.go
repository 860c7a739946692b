package pi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// TestMutationVectors compares the lines with those that pi 0.58.3 appended, key by key. They
// differ as pi 1.5 does (fromId is the old leaf) and in intended points: an empty label clears like
// a missing one, a summary always lists its files, and a summary at a prompt is a child of the
// prompt's parent, because navigateTree requests nothing else.
func TestMutationVectors(t *testing.T) {
	t.Parallel()
	recorded(t, func(t *testing.T, f *file, want changes) {
		if f.tree(t).Header().Migrated {
			return // pi migrates first; see TestMigrateVectors
		}
		if text := string(f.text); !strings.HasSuffix(text, "\n") {
			f.text = []byte(text[:strings.LastIndexByte(text, '\n')+1])
			f.text = append(f.text, ended(text)...)
		}
		ids := map[string]string{}
		for _, m := range want.Mutations {
			f.mutate(t, m, ids)
		}
	})
}

// ended returns the last line of a text if only its line end is missing.
func ended(text string) string {
	if last := text[strings.LastIndexByte(text, '\n')+1:]; json.Valid([]byte(last)) {
		return last + "\n"
	}
	return ""
}

func (f *file) mutate(t *testing.T, m mutation, ids map[string]string) {
	t.Helper()
	tree := f.tree(t)
	var c session.Change
	switch m.Step.Op {
	case "label":
		c = session.Change{Op: session.OpLabel, Entry: m.Step.Target}
		if m.Step.Label != nil {
			c.Text = *m.Step.Label
		}
	case "sessionInfo":
		c = session.Change{Op: session.OpName, Text: m.Step.Name}
	case "branchWithSummary":
		c = session.Change{Op: session.OpBranch, Entry: m.Step.At, Summary: &session.Summary{Text: m.Step.Summary}}
	case "branch":
		return // keeps nothing in the file
	}
	before := session.NoPos
	if tree.Len() > 0 {
		before = tree.Leaf()
	}
	lines, err := f.apply(t, c)
	if m.Error != "" {
		if err == nil {
			t.Errorf("%+v was done: %s", c, join(lines))
		}
		return
	}
	if err != nil || len(lines) != 1 {
		t.Fatalf("%+v: %d lines, %v", c, len(lines), err)
	}
	var entry struct{ ID string }
	if err := json.Unmarshal(m.Entry, &entry); err != nil {
		t.Fatal(err)
	}
	ids[lines[0].ID] = entry.ID
	got, want := pairs(t, lines[0].Text), pairs(t, m.Entry)
	for i, p := range got {
		for mine, theirs := range ids {
			got[i] = strings.Replace(p, `"`+mine+`"`, `"`+theirs+`"`, 1)
			p = got[i]
		}
	}
	if diff := cmp.Diff(f.deviations(tree, c, before, want, ids), got); diff != "" {
		t.Errorf("%+v (-want +got):\n%s", c, diff)
	}
}

// pairs lists the members of an object, in order.
func pairs(t *testing.T, line []byte) (out []string) {
	t.Helper()
	for _, f := range jsonl.ObjectFields(value(line)) {
		out = append(out, string(f.Key)+" "+string(f.Value.Raw))
	}
	return out
}

// deviations returns the line that is expected instead of pi's.
func (f *file) deviations(tree *session.Tree, c session.Change, leaf session.Pos, line []string, ids map[string]string) (want []string) {
	for _, p := range line {
		key, _, _ := strings.Cut(p, " ")
		switch {
		case key == "timestamp":
			p = `timestamp "2025-03-02T07:20:00.000Z"`
		case key == "label" && c.Text == "":
			continue
		case key == "parentId" && c.Op == session.OpBranch && c.Entry != "":
			if above := session.PlanBranch(tree, tree.FindID(c.Entry), leaf).NewLeaf; above != tree.FindID(c.Entry) {
				p = "parentId null"
				if above != session.NoPos {
					p = fmt.Sprintf("parentId %q", tree.At(above).ID)
				}
			}
		case key == "parentId" && c.Op != session.OpBranch && leaf != session.NoPos:
			id := tree.At(leaf).ID // a step that only moved the leaf in memory has no line
			if theirs, ours := ids[id]; ours {
				id = theirs
			}
			p = fmt.Sprintf("parentId %q", id)
		case key == "fromId" && leaf != session.NoPos:
			id := tree.At(leaf).ID
			if theirs, ours := ids[id]; ours {
				id = theirs
			}
			p = fmt.Sprintf("fromId %q", id)
		}
		want = append(want, p)
		if key == "summary" {
			want = append(want, `details {"readFiles":[],"modifiedFiles":[]}`)
		}
	}
	return want
}

// TestPlanVectors compares the plan with what pi 0.58.3 collects when a branch is abandoned. Unlike
// PlanBranch, pi distinguishes an unknown target from none.
func TestPlanVectors(t *testing.T) {
	t.Parallel()
	recorded(t, func(t *testing.T, f *file, want changes) {
		tree := f.tree(t)
		at := func(id *string) (session.Pos, bool) {
			if id == nil {
				return session.NoPos, true
			}
			if p := tree.FindID(*id); p != session.NoPos || !strings.HasPrefix(*id, "#") {
				return p, p != session.NoPos
			}
			var n session.Pos
			_, err := fmt.Sscanf(*id, "#%d", &n)
			return n, err == nil
		}
		for _, want := range want.BranchSummary {
			leaf, ok := at(want.OldLeaf)
			target, known := at(want.Target)
			ancestor, _ := at(want.CommonAncestorID)
			if !ok || !known {
				continue
			}
			plan := session.PlanBranch(tree, target, leaf)
			var left []session.Pos
			for _, id := range want.EntryIDs {
				p, _ := at(&id)
				left = append(left, p)
			}
			if diff := cmp.Diff(left, plan.Abandoned); diff != "" || plan.Ancestor != ancestor || plan.IsNoop != (target == leaf) {
				t.Errorf("from %d to %d: %+v, want ancestor %d, abandoned %v", leaf, target, plan, ancestor, left)
			}
		}
	})
}

// TestMigrateVectors compares migrated files with those of pi 0.58.3, byte for byte except ids.
func TestMigrateVectors(t *testing.T) {
	t.Parallel()
	tried := 0
	recorded(t, func(t *testing.T, f *file, want changes) {
		if want.Rewritten == nil {
			return
		}
		tried++
		out, ids := f.migrate(t)
		for i, id := range ids {
			out = strings.ReplaceAll(out, `"`+id+`"`, fmt.Sprintf("%q", fmt.Sprintf("#%d", i)))
		}
		var lines []string
		for _, line := range want.Rewritten {
			line := string(line)
			for i, id := range ids {
				line = strings.ReplaceAll(line, `"`+id+`"`, fmt.Sprintf("%q", fmt.Sprintf("#%d", i)))
			}
			lines = append(lines, line)
		}
		var got []string
		for line := range strings.Lines(out) {
			if line = strings.TrimSpace(line); json.Valid([]byte(line)) {
				got = append(got, line)
			}
		}
		if diff := cmp.Diff(lines, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	if tried < 9 {
		t.Errorf("only %d files were migrated", tried)
	}
}
