package hook

import (
	"context"
	"fmt"
	"io"
	"strings"

	"sessiontree/internal/session"
)

// instructions is what the summarizer is told to write unless the user says
// otherwise.
const instructions = `The conversation above is a branch that is being left for another one. Write a
summary of it for the agent that goes on elsewhere, so that nothing learned here is lost. Use these sections:

## Goal
What the user wanted on this branch.

## Constraints and preferences
What was asked for or ruled out. "(none)" if nothing was.

## Progress
### Done
### In progress
### Blocked

## Key decisions
Each with its reason.

## Next steps
What would have come next, in order.

Keep file paths, function names and error messages exactly as they are. Do not continue the conversation.
Print the summary alone.`

// preamble tells the model that reads a generated summary what it is about.
const preamble = "The user explored another branch of this conversation before coming back here. Summary of that branch:\n\n"

// summarize has the summarizer write a summary.
func (r *Runner) summarize(ctx context.Context, p Preparation, progress func(string)) (*session.Summary, error) {
	j := job{name: "summarizer " + r.Summarizer[0], argv: r.Summarizer, limit: r.summaryLimit(), progress: progress}
	j.input = func(w io.Writer) error {
		if _, err := io.WriteString(w, "<conversation>\n"); err != nil {
			return err
		}
		if err := p.Conversation(w); err != nil {
			return err
		}
		_, err := io.WriteString(w, "</conversation>\n\n"+p.instructions()+"\n")
		return err
	}
	out, err := j.run(ctx)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(out), "\uFFFD"))
	if text == "" {
		return nil, fmt.Errorf("%w: %s: it wrote no summary", ErrFailed, j.name)
	}
	return &session.Summary{Text: preamble + text}, nil
}

// instructions are the usual ones, with the user's own after them or in their
// place.
func (p *Preparation) instructions() string {
	own := strings.TrimSpace(p.CustomInstructions)
	switch {
	case own == "":
		return instructions
	case p.ReplaceInstructions:
		return own
	}
	return instructions + "\n\nAbove all: " + own
}

// size words a count of bytes.
func size(n int) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}
