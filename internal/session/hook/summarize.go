package hook

import (
	"context"
	"fmt"
	"io"
	"strings"

	"sessiontree/internal/session"
)

// defaultInstructions tells the summarizer what to write.
const defaultInstructions = `The conversation above is a branch that is being left for another one. Write a
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

// summaryPreamble introduces a generated summary to the model that reads it.
const summaryPreamble = "The user explored another branch of this conversation before coming back here. Summary of that branch:\n\n"

// runSummarizer runs the summarizer.
func (r *Runner) runSummarizer(ctx context.Context, p Preparation, progress func(string)) (*session.Summary, error) {
	j := programRun{name: "summarizer " + r.Summarizer[0], argv: r.Summarizer, timeout: r.summaryTimeout(), progress: progress}
	j.input = func(w io.Writer) error {
		if _, err := io.WriteString(w, "<conversation>\n"); err != nil {
			return err
		}
		if err := p.Conversation(w); err != nil {
			return err
		}
		_, err := io.WriteString(w, "</conversation>\n\n"+p.summaryInstructions()+"\n")
		return err
	}
	out, err := j.runProgram(ctx)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(out), "\uFFFD"))
	if text == "" {
		return nil, fmt.Errorf("%w: %s: it wrote no summary", ErrFailed, j.name)
	}
	return &session.Summary{Text: summaryPreamble + text}, nil
}

// summaryInstructions returns the default instructions with the user's after them, or the
// user's alone.
func (p *Preparation) summaryInstructions() string {
	own := strings.TrimSpace(p.CustomInstructions)
	switch {
	case own == "":
		return defaultInstructions
	case p.ReplaceInstructions:
		return own
	}
	return defaultInstructions + "\n\nAbove all: " + own
}

// formatSize formats a number of bytes.
func formatSize(n int) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}
