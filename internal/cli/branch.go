package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/store"
)

// branchFlags holds the flags of branch and pop.
type branchFlags struct {
	changeFlags
	summary, instructions, label, leaf string
	summarize, replace                 bool
}

func (f *branchFlags) addBranchFlags(p *program, cmd *cobra.Command) {
	f.changeFlags.addChangeFlags(p, cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.summary, "summary", "", "summarize the abandoned branch as `TEXT`")
	flags.BoolVar(&f.summarize, "summarize", false, "let the summarizer write the summary")
	flags.StringVar(&f.instructions, "instructions", "", "append `TEXT` to the summarizer's instructions")
	flags.BoolVar(&f.replace, "replace-instructions", false, "use --instructions instead of the usual ones")
	flags.StringVar(&f.label, "label", "", "label the entry (with a summary: the summary)")
	flags.StringVar(&f.leaf, "leaf", "", "fail unless the current leaf is `ID` (none: before the first entry); with --dry-run, the leaf to assume")
}

func branchCommand(p *program) *cobra.Command {
	var f branchFlags
	cmd := &cobra.Command{Use: "branch PATH ENTRY", Short: "Branch in place: continue from an entry in the same file", Args: changeArgs(2, 2, "an entry, or none for before the first")}
	cmd.Long = cmd.Short + `.
From a prompt, the agent continues before it, and the prompt is printed to edit and resend. Nothing is rewritten.`
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.runBranch(cmd, &f, args[0], func(s *store.Session) (string, error) {
			if args[1] == "none" {
				return "", nil
			}
			return resolveEntryID(s, args[1])
		})
	}
	f.addBranchFlags(p, cmd)
	return cmd
}

// runBranch branches to the entry that target returns.
func (p *program) runBranch(cmd *cobra.Command, f *branchFlags, path string, target func(*store.Session) (string, error)) error {
	s, err := p.openSession(cmd.Context(), path)
	if err != nil {
		return err
	}
	entry, err := target(s)
	if err != nil {
		return err
	}
	r, err := f.branchRequest(cmd, s, entry)
	if err != nil {
		return err
	}
	r.Progress = p.hookProgress()
	hooks, err := p.newHookRunner()
	if err != nil {
		return err
	}
	if f.dryRun {
		plan, err := edit.PreviewBranch(cmd.Context(), s, r)
		if err != nil {
			return err
		}
		return p.printBranched(s, edit.BranchResult{MovePlan: plan}, true)
	}
	b, err := edit.Branch(cmd.Context(), s, hooks, r)
	switch {
	case err != nil && cmd.Context().Err() != nil && len(b.Lines) == 0:
		return errors.New("interrupted: nothing was written")
	case err != nil:
		return err
	}
	p.doneMessage = "The change was written"
	return p.printBranched(s, b, false)
}

// branchRequest reads the flags.
func (f *branchFlags) branchRequest(cmd *cobra.Command, s *store.Session, entry string) (edit.Request, error) {
	r := edit.Request{Entry: entry, Text: f.summary, Instructions: f.instructions, ReplaceInstructions: f.replace, Label: f.label}
	given := cmd.Flags().Changed
	if err := f.checkSummaryFlags(given, entry); err != nil {
		return r, usageError{err}
	}
	switch {
	case given("summary"):
		r.Summary = edit.SummaryByUser
	case f.summarize:
		r.Summary = edit.SummaryByProgram
	}
	if given("leaf") {
		var err error
		s.ReadTree(func(t *session.Tree, _ store.Revision) {
			var p session.Pos
			if p, err = parseLeaf(t, f.leaf, true); p != session.NoPos {
				r.Precondition.Leaf = t.At(p).ID
			}
		})
		r.Precondition.HasLeaf = true
		return r, err
	}
	return r, nil
}

// checkSummaryFlags returns an error for invalid combinations of flags.
func (f *branchFlags) checkSummaryFlags(given func(flag string) bool, entry string) error {
	switch {
	case given("summary") && f.summarize:
		return errors.New("--summary and --summarize cannot be used together")
	case given("summary") && rowtext.OneLine(f.summary) == "":
		return errors.New("--summary is empty")
	case given("instructions") && !f.summarize || f.replace && f.instructions == "":
		return errors.New("--instructions needs --summarize, and --replace-instructions needs --instructions")
	case entry == "" && f.label != "" && f.summary == "" && !f.summarize:
		return errors.New("before the first entry there is nothing to label")
	}
	return nil
}

// branchJSON is the output of branch, pop and switch with --json.
type branchJSON struct {
	Schema         int         `json:"schema"`
	Session        sessionJSON `json:"session"`
	Target         *string     `json:"target"`
	OldLeaf        *string     `json:"oldLeaf"`
	CommonAncestor *string     `json:"commonAncestor"`
	Abandoned      []string    `json:"abandoned"`
	NewLeaf        *string     `json:"newLeaf"`
	Prefill        *string     `json:"prefill"`
	Noop           bool        `json:"noop"`
	Append         []string    `json:"append"`
	Refused        *string     `json:"refused"` // with --dry-run: why the change is refused
	Resume         *string     `json:"resume"`
	Live           *string     `json:"live"`
	Warnings       []string    `json:"warnings,omitempty"`
}

// printBranched prints the result of a branch, or with dry the plan.
func (p *program) printBranched(s *store.Session, b edit.BranchResult, dry bool) error {
	if p.json {
		return p.printJSON(branchJSON{Schema: 1, Session: readSessionJSON(s), Target: b.Target, OldLeaf: b.OldLeaf, CommonAncestor: b.Ancestor,
			Abandoned: b.Abandoned, NewLeaf: b.NewLeaf, Prefill: b.Prefill, Noop: b.IsNoop, Append: appendedTexts(b.Append), Refused: stringOrNull(b.RefusedReason),
			Resume: stringOrNull(b.Resume), Live: stringOrNull(b.LiveWarning), Warnings: b.Warnings})
	}
	p.printWarnings(b.Warnings)
	if b.IsNoop {
		_, err := fmt.Fprintln(p.out, "The session is already there. Nothing to write.")
		return err
	}
	file := s.Path()
	if dry {
		file = ""
	}
	if err := p.printLines(b.Append, file); err != nil {
		return err
	}
	return p.printBranchPlan(b.MovePlan)
}

// printBranchPlan prints what a branch would change, for people.
func (p *program) printBranchPlan(b edit.MovePlan) error {
	out := terminal.NewColorWriter(p.out)
	from := "before the first entry"
	if b.NewLeaf != nil {
		from = "from " + *b.NewLeaf
	}
	out.WriteColored("", fmt.Sprintf("The agent continues %s; %s left on the other branch.\n", from, terminal.Pluralize(int32(len(b.Abandoned)), "entry is", "entries are")))
	if b.RefusedReason != "" {
		out.WriteColored(terminal.Yellow, "Not possible now: "+terminal.CleanLine(b.RefusedReason)+"\n")
	}
	if b.LiveWarning != "" {
		out.WriteColored(terminal.Yellow, b.LiveWarning+"\n")
	}
	if b.Resume != "" {
		out.WriteColored("", "To continue: "+terminal.CleanLine(b.Resume)+"\n")
	}
	if b.Prefill != nil {
		out.WriteColored(terminal.Dim, "Original prompt (edit and resend):\n")
		out.WriteIndented(*b.Prefill)
	}
	return out.Flush()
}

func popCommand(p *program) *cobra.Command {
	var f branchFlags
	cmd := &cobra.Command{Use: "pop PATH [ENTRY]", Short: "Go back one prompt, or to an entry, in the same file", Args: changeArgs(1, 2)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.runBranch(cmd, &f, args[0], func(s *store.Session) (string, error) {
			if len(args) == 2 {
				return resolveEntryID(s, args[1])
			}
			return edit.PreviousPrompt(s)
		})
	}
	f.addBranchFlags(p, cmd)
	return cmd
}
