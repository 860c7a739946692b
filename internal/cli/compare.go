package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/compare"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/fileedits"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
)

const compareHelp = `Compares branches from where they split: what they did, what it cost, their prompts in order and the
files that they changed. ENTRY is any entry of a branch. Without any, the current branch is compared with
the newest other one. Changes made by commands are not included in the files.`

// compareJSON is the output of compare --json. Costs are in dollars.
type compareJSON struct {
	Schema   int                `json:"schema"`
	Ancestor *string            `json:"ancestor"` // the last entry of all branches
	Shared   int                `json:"shared"`   // number of entries of all branches
	Branches []comparedJSON     `json:"branches"` // from below the ancestor
	Prompts  []promptPairJSON   `json:"prompts"`  // of two branches, in their order
	Files    []comparedFileJSON `json:"files"`
	Left     int                `json:"editsNotRead"` // edits whose text is too much to compare
}

type comparedJSON struct {
	Tip      string  `json:"tip"`
	Title    string  `json:"title"`
	Current  bool    `json:"current"`
	Entries  int     `json:"entries"`
	Prompts  int     `json:"prompts"`
	Answers  int     `json:"answers"`
	Calls    int     `json:"calls"`
	Failed   int     `json:"failed"`
	Files    int     `json:"files"`
	Added    int     `json:"added"` // net lines of all files
	Removed  int     `json:"removed"`
	Input    int64   `json:"input"`
	Output   int64   `json:"output"`
	Cost     float64 `json:"cost"` // of the requests with a price
	Unpriced int64   `json:"unpriced"`
	WaitMs   int64   `json:"waitMs"` // that models and tools took

	unknown bool // it cannot be told what one of the edits changed
}

// promptPairJSON is a pair of prompts. One of them is null if only the other branch has it.
type promptPairJSON struct {
	A       *string `json:"a"`
	B       *string `json:"b"`
	Differs string  `json:"differs"`
	texts   [2]string
}

type comparedFileJSON struct {
	Path     string            `json:"path"`
	Branches []*fileChangeJSON `json:"branches"` // null for one that did not change it
}

type fileChangeJSON struct {
	Added   int  `json:"added"`
	Removed int  `json:"removed"`
	Edits   int  `json:"edits"`
	New     bool `json:"new"`
	Unknown bool `json:"unknown"` // it cannot be told what one of the edits changed
}

func compareCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "compare PATH [ENTRY...]", Short: "Compare branches from where they split", Long: compareHelp, Args: sessionPathArgs(1 + view.MaxCompared)}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		table, err := p.openPrices()
		if err != nil {
			return err
		}
		s, err := p.openSession(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		c, err := readComparison(cmd.Context(), s, table, args[1:])
		if err != nil {
			return err
		}
		if p.json {
			return p.printJSON(c)
		}
		return printComparison(p, c)
	}
	return cmd
}

// readComparison compares the branches that entries belong to.
func readComparison(ctx context.Context, s *store.Session, table *prices.Table, ids []string) (answer compareJSON, err error) {
	var c *compare.Comparison
	var ps []session.Pos
	var calls []filediff.Call
	var epoch uint64
	s.ReadTree(func(t *session.Tree, rev store.Revision) {
		var ends []session.Pos
		if ends, err = findComparedEnds(t, ids); err != nil {
			return
		}
		c = compare.Paths(t, spend.ReadSheet(t, table, spend.Ownership{}), ends...)
		calls, epoch = c.EditCalls(t), rev.Epoch
		for i := range c.Sides {
			for k := range c.Sides[i].Turns {
				if at := c.Sides[i].Turns[k].Prompt; at != session.NoPos {
					ps = append(ps, at)
				}
			}
		}
	})
	if err != nil {
		return answer, err
	}
	bodies, err := fileedits.ReadBodies(ctx, s, ps)
	if err != nil {
		return answer, err
	}
	edits, err := fileedits.Read(ctx, s, epoch, calls, filediff.Edits{})
	if err != nil {
		return answer, err
	}
	s.ReadTree(func(t *session.Tree, _ store.Revision) { answer = newCompareJSON(t, c, bodies, edits) })
	return answer, nil
}

func findComparedEnds(t *session.Tree, ids []string) ([]session.Pos, error) {
	var entries []session.Pos
	for _, id := range ids {
		p, err := findEntry(t, id)
		if err != nil {
			return nil, err
		}
		entries = append(entries, p)
	}
	ends := compare.FindEnds(t, entries)
	if len(ends) < 2 {
		return nil, fmt.Errorf("%w: this session has only one branch", session.ErrInvalid)
	}
	return ends, nil
}
