package cli

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/store"
)

// branchesJSON is the output of branches --json.
type branchesJSON struct {
	Schema   int       `json:"schema"`
	Branches []tipJSON `json:"branches"`
	Agents   int       `json:"agents"` // sub-agents; they are not branches
}

type tipJSON struct {
	Tip         string  `json:"tip"`
	Fork        *string `json:"fork"`
	Entries     int     `json:"entries"`
	FirstPrompt string  `json:"firstPrompt"` // of the branch; where it has none, the last one before it
	Modified    *string `json:"modified"`
	Current     bool    `json:"current"`
	Title       string  `json:"title"`
}

func branchesCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "branches PATH", Short: "List the ends of all branches, the current one first", Args: sessionPathArgs(1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := p.openSession(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return printBranches(p, newBranchesJSON(s))
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return cmd
}

func newBranchesJSON(s *store.Session) branchesJSON {
	answer := branchesJSON{Schema: 1, Branches: []tipJSON{}}
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		answer.Agents = t.Subtrees().AgentCount()
		for _, tip := range t.BranchTips() {
			b := tipJSON{Tip: t.At(tip.Pos).ID, Fork: idOrNull(t, tip.Fork), Entries: tip.Entries, Title: session.BranchTitleText(t, tip.Head), Current: tip.Current}
			if tip.Prompt != session.NoPos {
				b.FirstPrompt = t.At(tip.Prompt).Preview
			}
			if tip.Time != session.NoTime {
				b.Modified = stringOrNull(formatTimestamp(time.UnixMilli(tip.Time)))
			}
			answer.Branches = append(answer.Branches, b)
		}
	})
	return answer
}

func printBranches(p *program, b branchesJSON) error {
	if p.json {
		return p.printJSON(b)
	}
	out := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', 0)
	for _, tip := range b.Branches {
		mark, when, fork := " ", "", "the beginning"
		if tip.Current {
			mark = "*"
		}
		if tip.Modified != nil {
			at, _ := time.Parse(time.RFC3339, *tip.Modified)
			when = at.Local().Format("2006-01-02 15:04")
		}
		if tip.Fork != nil {
			fork = *tip.Fork
		}
		fmt.Fprintf(out, "%s %s\t%s\t%s\tfrom %s\t%s\n", mark, terminal.CleanLine(tip.Tip), when, terminal.Pluralize(int32(tip.Entries), "entry", "entries"),
			terminal.CleanLine(fork), terminal.CleanLine(rowtext.Cut(rowtext.OneLine(tip.Title), 59)))
	}
	if err := out.Flush(); err != nil || b.Agents == 0 {
		return err
	}
	_, err := fmt.Fprintf(p.out, "and %s\n", terminal.Pluralize(int32(b.Agents), "sub-agent", "sub-agents"))
	return err
}

func switchCommand(p *program) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{Use: "switch PATH TIP", Short: "Make another branch current: the one that ends at an entry", Args: changeArgs(2, 2, "the last entry of a branch")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, entry, err := p.openEntry(cmd.Context(), args)
		if err != nil {
			return err
		}
		hooks, err := p.newHookRunner()
		if err != nil {
			return err
		}
		if f.dryRun {
			plan, err := edit.PreviewSwitch(cmd.Context(), s, entry)
			if err != nil {
				return err
			}
			return p.printBranched(s, edit.BranchResult{MovePlan: plan}, true)
		}
		b, err := edit.SwitchBranch(cmd.Context(), s, hooks, entry, store.Precondition{})
		if err != nil {
			return err
		}
		p.doneMessage = "The change was written"
		return p.printBranched(s, b, false)
	}
	f.addChangeFlags(p, cmd)
	return cmd
}
