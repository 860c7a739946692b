package cli

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/compare"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
)

func newCompareJSON(t *session.Tree, c *compare.Comparison, bodies filediff.Bodies, edits *filediff.Edits) compareJSON {
	a := compareJSON{Schema: 1, Ancestor: idOrNull(t, c.Ancestor), Shared: c.Shared, Prompts: []promptPairJSON{}, Files: []comparedFileJSON{}, Left: edits.Left}
	files := c.JoinFiles(t, edits)
	for i := range files {
		f := comparedFileJSON{Path: files[i].Path}
		for _, s := range files[i].Sides {
			var change *fileChangeJSON
			if s != nil {
				change = &fileChangeJSON{Added: s.Added, Removed: s.Removed, Edits: len(s.Edits), New: s.New, Unknown: s.Unknown}
			}
			f.Branches = append(f.Branches, change)
		}
		a.Files = append(a.Files, f)
	}
	for i := range c.Sides {
		s, changed := &c.Sides[i], compare.SumFiles(files, i)
		b := comparedJSON{
			Tip: t.At(s.End).ID, Current: s.End == t.Leaf(), Entries: s.Entries, Prompts: s.Prompts, Answers: s.Answers, Calls: s.Facts.Calls, Failed: s.Failed,
			Files: changed.Files, Added: changed.Added, Removed: changed.Removed, Input: s.Tokens - s.Output, Output: s.Output, Cost: s.Cost, Unpriced: s.Unpriced, WaitMs: s.Waited,
		}
		for k := range files {
			b.unknown = b.unknown || files[k].IsUnknown(i)
		}
		if head := s.Head(); head != session.NoPos {
			b.Title = session.BranchTitleText(t, head)
		}
		a.Branches = append(a.Branches, b)
	}
	if len(c.Sides) == 2 {
		for _, step := range compare.AlignTurns(&c.Sides[0], &c.Sides[1]) {
			a.Prompts = append(a.Prompts, newPromptPair(t, step, bodies))
		}
	}
	return a
}

// newPromptPair returns the prompts of a step. What continues the prompt above the ancestor has
// none.
func newPromptPair(t *session.Tree, step compare.Step, bodies filediff.Bodies) (p promptPairJSON) {
	id := func(turn *compare.Turn, text *string) *string {
		if turn == nil || turn.Prompt == session.NoPos {
			return nil
		}
		*text = promptText(t, turn.Prompt, bodies)
		return idOrNull(t, turn.Prompt)
	}
	p.A, p.B = id(step.A, &p.texts[0]), id(step.B, &p.texts[1])
	switch {
	case p.A == nil && p.B == nil:
		p.Differs = "continued"
	case p.B == nil:
		p.Differs = "only in A"
	case p.A == nil:
		p.Differs = "only in B"
	default:
		like, _, _ := compare.DiffWords(p.texts[0], p.texts[1])
		p.Differs = like.String()
	}
	return p
}

// promptText returns the text of a prompt.
func promptText(t *session.Tree, p session.Pos, bodies filediff.Bodies) string {
	var texts []string
	if body := bodies(p); body != nil {
		for i := range body.Blocks {
			if b := &body.Blocks[i]; b.Kind == session.BlockText {
				texts = append(texts, b.Text)
			}
		}
	}
	return cmp.Or(strings.TrimSpace(strings.Join(texts, "\n\n")), t.At(p).Preview)
}

func printComparison(p *program, c compareJSON) error {
	if c.Ancestor != nil {
		fmt.Fprintf(p.out, "All branch off after %s and share %s.\n\n", terminal.CleanLine(*c.Ancestor), terminal.Pluralize(int32(c.Shared), "entry", "entries"))
	} else {
		fmt.Fprintf(p.out, "They share no entry.\n\n")
	}
	for i, b := range c.Branches {
		mark := " "
		if b.Current {
			mark = "*"
		}
		fmt.Fprintf(p.out, "%s %c  %s  %s\n", mark, 'A'+i, terminal.CleanLine(b.Tip), terminal.CleanLine(rowtext.Cut(rowtext.OneLine(b.Title), 90)))
	}
	fmt.Fprintln(p.out)
	if err := printComparedFacts(p, c.Branches); err != nil {
		return err
	}
	printPromptPairs(p, c.Prompts)
	return printComparedFiles(p, &c)
}

// printComparedFacts prints a line for each fact.
func printComparedFacts(p *program, branches []comparedJSON) error {
	out := tabwriter.NewWriter(p.out, 0, 8, 3, ' ', tabwriter.AlignRight)
	row := func(name string, value func(b *comparedJSON) string) {
		fmt.Fprintf(out, "%s\t", name)
		for i := range branches {
			fmt.Fprintf(out, "%s\t", value(&branches[i]))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprint(out, "\t")
	for i := range branches {
		fmt.Fprintf(out, "%c\t", 'A'+i)
	}
	fmt.Fprintln(out)
	row("entries", func(b *comparedJSON) string { return fmt.Sprint(b.Entries) })
	row("prompts", func(b *comparedJSON) string { return fmt.Sprint(b.Prompts) })
	row("answers", func(b *comparedJSON) string { return fmt.Sprint(b.Answers) })
	row("tool calls", func(b *comparedJSON) string { return fmt.Sprint(b.Calls) })
	row("failed", func(b *comparedJSON) string { return fmt.Sprint(b.Failed) })
	row("files", func(b *comparedJSON) string { return fmt.Sprint(b.Files) })
	row("lines", func(b *comparedJSON) string { return formatLineCounts(b.Added, b.Removed, b.unknown) })
	row("tokens in", func(b *comparedJSON) string { return view.FormatTokens(b.Input) })
	row("tokens out", func(b *comparedJSON) string { return view.FormatTokens(b.Output) })
	row("cost", func(b *comparedJSON) string { return view.FormatKnownDollars(b.Cost, b.Unpriced > 0) })
	row("working time", func(b *comparedJSON) string { return cmp.Or(view.FormatDuration(b.WaitMs), "0s") })
	return out.Flush()
}

func printPromptPairs(p *program, pairs []promptPairJSON) {
	if len(pairs) > 0 {
		fmt.Fprintln(p.out, "\nPrompts")
	}
	for _, pair := range pairs {
		fmt.Fprintf(p.out, "  %s\n", pair.Differs)
		for i, text := range pair.texts {
			if text != "" && (i == 0 || text != pair.texts[0]) {
				fmt.Fprintf(p.out, "    %c  %s\n", 'A'+i, terminal.CleanLine(rowtext.Cut(rowtext.OneLine(text), 160)))
			}
		}
	}
}

func printComparedFiles(p *program, c *compareJSON) error {
	if len(c.Files) == 0 {
		fmt.Fprintln(p.out, "\nNo files were changed.")
		return nil
	}
	fmt.Fprintln(p.out, "\nFiles")
	out := tabwriter.NewWriter(p.out, 0, 8, 3, ' ', 0)
	for i := range c.Files {
		fmt.Fprintf(out, "  %s", terminal.CleanLine(c.Files[i].Path))
		for _, change := range c.Files[i].Branches {
			fmt.Fprint(out, "\t"+change.text())
		}
		fmt.Fprintln(out)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if c.Left > 0 {
		fmt.Fprintf(p.out, "  %s not included: there is too much text to compare.\n", terminal.Pluralize(int32(c.Left), "edit is", "edits are"))
	}
	return nil
}

// text returns the size of the change as a cell shows it.
func (c *fileChangeJSON) text() string {
	if c == nil {
		return "·"
	}
	return formatLineCounts(c.Added, c.Removed, c.Unknown)
}

// formatLineCounts formats numbers of changed lines, "?" if none is known.
func formatLineCounts(added, removed int, unknown bool) string {
	if unknown && added+removed == 0 {
		return "?"
	}
	return fmt.Sprintf("+%d -%d", added, removed)
}
