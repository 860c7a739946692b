package sessionmap

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/sessiontest"
	"sessiontree/internal/session/spend"
)

func build(t *session.Tree, axis Axis) *Map {
	costs := spend.ReadSheet(t, prices.Default(), spend.Ownership{})
	return Build(t, costs, Options{Axis: axis, Width: 1000, Room: 180, Tip: t.Leaf(), LabelWidth: func(*branchlist.Branch) float64 { return 80 }})
}

// Every branch of a session is in exactly one line, and every place is within the picture.
func TestBuild_Random(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := session.BuildTree(session.Header{}, sessiontest.DrawDamagedEntries(rt), nil)
		for _, axis := range []Axis{Time, Steps} {
			m := build(tree, axis)
			shown := 0
			for i, b := range m.Branches {
				if shown += max(b.Merged, 1); b.Lane > m.Lanes || (b.Lane == 0) != (i == 0) {
					rt.Errorf("branch %d is in lane %d of %d", i, b.Lane, m.Lanes)
				}
				checkPlaces(rt, b.X0, b.X1, b.ViewedX)
				for _, mark := range b.Marks {
					if checkPlaces(rt, mark.X); mark.X < b.X0 || mark.X > max(b.X1, b.X0) {
						rt.Errorf("branch %d is a line from %v to %v, and has a mark at %v", i, b.X0, b.X1, mark.X)
					}
				}
			}
			if shown != len(m.Listed) {
				rt.Errorf("%d of %d branches are shown", shown, len(m.Listed))
			}
			for i := 1; i < len(m.Ticks); i++ {
				if m.Ticks[i].X-m.Ticks[i-1].X < minTickDistance-1 {
					rt.Errorf("ticks %v", m.Ticks)
				}
			}
		}
	})
}

func checkPlaces(t *rapid.T, places ...float64) {
	for _, x := range places {
		if math.IsNaN(x) || x < 0 || x > 1000+CurveWidth {
			t.Errorf("a place at %v", x)
		}
	}
}

// chain returns entries that each continue the one before, at times in minutes.
func chain(minutes ...int64) []session.Entry {
	entries := make([]session.Entry, len(minutes))
	for i, m := range minutes {
		entries[i] = session.Entry{ID: string(rune('a' + i)), Kind: session.KindUser, Flags: session.FlagText | session.FlagHasParent, Time: 1e12 + m*60_000}
		if i > 0 {
			entries[i].Parent = entries[i-1].ID
		}
	}
	return entries
}

// A long pause is folded, so that the times on both sides of it have room.
func TestBuild_Pause(t *testing.T) {
	t.Parallel()
	tree := session.BuildTree(session.Header{}, chain(0, 4, 600, 604), nil)
	m := build(tree, Time)
	if len(m.Pauses) != 1 || m.Pauses[0].Length != 596*60_000 || m.Pauses[0].X1-m.Pauses[0].X0 != pauseWidth {
		t.Fatalf("pauses %+v", m.Pauses)
	}
	marks := m.Branches[0].Marks
	if len(marks) != 4 {
		t.Fatalf("marks %+v", marks)
	}
	if before, after := marks[1].X-marks[0].X, marks[3].X-marks[2].X; math.Abs(before-after) > 1 || before < 350 {
		t.Errorf("four minutes are %v and %v wide", before, after)
	}
	if steps := build(tree, Steps); math.Abs(steps.Branches[0].Marks[2].X-steps.Branches[0].Marks[1].X-(steps.Branches[0].Marks[1].X-steps.Branches[0].Marks[0].X)) > 1 {
		t.Errorf("steps are not equal: %+v", steps.Branches[0].Marks)
	}
}

// More branches than there are lines are merged where they leave the path.
func TestBuild_ManyBranches(t *testing.T) {
	t.Parallel()
	entries := chain(0, 1)
	for i := range 3 * maxLines {
		e := entries[1]
		e.ID, e.Time = string(rune(0x4e00+i)), e.Time+int64(i)*1000
		entries = append(entries, e)
	}
	m := build(session.BuildTree(session.Header{}, entries, nil), Time)
	merged := 0
	for _, b := range m.Branches {
		merged += b.Merged
	}
	if len(m.Branches) > maxLines+1 || merged != len(m.Listed)-maxLines {
		t.Errorf("%d lines, %d of %d branches are merged", len(m.Branches), merged, len(m.Listed))
	}
}

// Very many pauses are joined to few, and none has a tick.
func TestBuild_ManyPauses(t *testing.T) {
	t.Parallel()
	entries := manyEntries()
	for i := range entries {
		entries[i].Time = 1e12 + int64(i)*11*60_000
	}
	m := build(session.BuildTree(session.Header{}, entries, nil), Time)
	length := int64(0)
	for _, p := range m.Pauses {
		length += p.Length
	}
	if len(m.Pauses) == 0 || len(m.Pauses) > 300 || length != int64(len(entries)-1)*11*60_000 {
		t.Errorf("%d pauses of %d ms", len(m.Pauses), length)
	}
}

// Calls whose results are recorded with them are counted as those with results of their own.
func TestBuild_CallsWithOutcomes(t *testing.T) {
	t.Parallel()
	entries := chain(0, 1)
	entries[1].Kind = session.KindAssistant
	entries[1].OwnDetails().Calls = []session.ToolCall{{Name: "bash", Outcome: &session.Outcome{}}, {Name: "bash", Outcome: &session.Outcome{Failed: true}}, {Name: "bash"}}
	m := build(session.BuildTree(session.Header{}, entries, nil), Time)
	if len(m.Bars) != 1 || m.Bars[0].Calls != 2 || m.Bars[0].Failed != 1 {
		t.Errorf("bars %+v", m.Bars)
	}
	if marks := m.Branches[0].Marks; len(marks) != 2 || marks[1].Kind != Failure {
		t.Errorf("marks %+v", marks)
	}
}

// A second root begins at its own place.
func TestBuild_SecondRoot(t *testing.T) {
	t.Parallel()
	entries := chain(0, 4, 5, 8)
	entries[2].Parent, entries[2].Flags = "", session.FlagText
	m := build(session.BuildTree(session.Header{}, entries, nil), Time)
	if len(m.Branches) != 2 {
		t.Fatalf("branches %+v", m.Branches)
	}
	if b := m.Branches[1]; b.X0 != b.Marks[0].X {
		t.Errorf("the second root begins at %v, its first prompt is at %v", b.X0, b.Marks[0].X)
	}
}

// A long session with very many prompts and labels has a limited number of marks.
func TestBuild_ManyMarks(t *testing.T) {
	t.Parallel()
	tree := session.BuildTree(session.Header{}, manyEntries(), nil)
	costs := spend.ReadSheet(tree, prices.Default(), spend.Ownership{})
	m := Build(tree, costs, Options{Width: 100_000, Room: 180, Tip: tree.Leaf(), LabelWidth: func(*branchlist.Branch) float64 { return 80 }})
	marks := 0
	for _, b := range m.Branches {
		marks += len(b.Marks)
	}
	if marks < maxMarks/2 || marks > maxMarks+len(m.Branches) {
		t.Errorf("%d marks on %d lines", marks, len(m.Branches))
	}
}

// manyEntries returns 50,000 entries with 500 branches.
func manyEntries() []session.Entry {
	entries := make([]session.Entry, 0, 50_000)
	for i := range 50_000 {
		e := session.Entry{ID: "e" + string(rune(0x10000+i)), Kind: session.KindUser, Flags: session.FlagText | session.FlagHasParent, Time: 1e12 + int64(i)*7000}
		if i > 0 {
			e.Parent = entries[i-1].ID
		}
		if i%100 == 99 {
			e.Parent = entries[i-60].ID
		}
		entries = append(entries, e)
	}
	return entries
}

// BenchmarkBuild draws a session of 50,000 entries with 500 branches.
func BenchmarkBuild(b *testing.B) {
	tree := session.BuildTree(session.Header{}, manyEntries(), nil)
	costs := spend.ReadSheet(tree, prices.Default(), spend.Ownership{})
	for b.Loop() {
		Build(tree, costs, Options{Width: 1000, Room: 180, Tip: tree.Leaf(), LabelWidth: func(*branchlist.Branch) float64 { return 80 }})
	}
}
