package main

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// branchesJSON is what branches --json prints.
type branchesJSON struct {
	Schema   int       `json:"schema"`
	Branches []tipJSON `json:"branches"`
	Agents   int       `json:"agents"` // sub-agents, which are no branches
}

type tipJSON struct {
	Tip         string  `json:"tip"`
	Fork        *string `json:"fork"`
	Entries     int     `json:"entries"`
	FirstPrompt string  `json:"firstPrompt"`
	Modified    *string `json:"modified"`
	Current     bool    `json:"current"`
}

func branchesCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "branches PATH", Short: "List the ends of all branches, the current one first", Args: files(1, 1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := p.open(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return p.branches(tipsJSON(s))
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return cmd
}

func tipsJSON(s *store.Session) branchesJSON {
	answer := branchesJSON{Schema: 1, Branches: []tipJSON{}}
	s.Read(func(t *session.Tree, _ store.Rev) {
		answer.Agents = t.Agents()
		for _, tip := range t.Tips() {
			b := tipJSON{Tip: t.At(tip.Pos).ID, Fork: idOrNull(t, tip.Fork), Entries: tip.Entries, Current: tip.Current}
			if tip.Prompt != session.NoPos {
				b.FirstPrompt = t.At(tip.Prompt).Preview
			}
			if tip.Time != session.NoTime {
				b.Modified = orNull(stamp(time.UnixMilli(tip.Time)))
			}
			answer.Branches = append(answer.Branches, b)
		}
	})
	return answer
}

func (p *program) branches(b branchesJSON) error {
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
		fmt.Fprintf(out, "%s %s\t%s\t%s\tfrom %s\t%s\n", mark, clean(tip.Tip), when, count(int32(tip.Entries), "entry", "entries"),
			clean(fork), clean(cut(oneLine(tip.FirstPrompt), 60)))
	}
	if err := out.Flush(); err != nil || b.Agents == 0 {
		return err
	}
	_, err := fmt.Fprintf(p.out, "and %s\n", count(int32(b.Agents), "sub-agent", "sub-agents"))
	return err
}
