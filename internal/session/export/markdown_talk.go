package export

import (
	"fmt"
	"strings"
	"time"

	"sessiontree/internal/session"
)

// group tells an entry, and the results of its calls folded under them.
func (w *writer) group(all []told) {
	results, had := map[string]*told{}, map[*told]bool{}
	for i := range all[1:] {
		if r := &all[1+i]; r.kind == session.KindToolResult && results[r.call] == nil {
			results[r.call] = r
		}
	}
	for i := range all {
		x := &all[i]
		if had[x] {
			w.marks(x)
			continue
		}
		w.begin(x)
		for _, b := range x.body.Blocks {
			if b.Kind != session.BlockToolCall || x.kind == session.KindShell {
				continue
			}
			if r := results[b.ID]; r != nil {
				had[r] = true
			}
		}
		w.entry(x, results)
		w.end(x)
	}
}

// begin says which branch begins.
func (w *writer) begin(x *told) {
	if b := x.branch; b.of > 0 {
		fmt.Fprintf(w, "## Branch %d of %d at branch point %d\n\n", b.n, b.of, b.point)
		w.speaker = ""
	}
}

// marks tells the label of an entry that has no place of its own.
func (w *writer) marks(x *told) {
	if x.label != "" {
		fmt.Fprintf(w, "**Label: %s**\n\n", plain(w.text(x.label)))
	}
	w.end(x)
}

// end names the branch point that an entry is.
func (w *writer) end(x *told) {
	if x.point > 0 {
		fmt.Fprintf(w, "**Branch point %d:** %d branches go on from here.\n\n", x.point, x.branches)
	}
	if x.others > 0 {
		fmt.Fprintf(w, "*%s from here %s not part of this export.*\n\n", counting(x.others, "more branch", "more branches"), map[bool]string{true: "is", false: "are"}[x.others == 1])
	}
}

// says begins what somebody said, unless they go on.
func (w *writer) says(x *told, who string) {
	if w.speaker != who || x.label != "" || who == you {
		w.WriteString("### " + plain(who))
		if x.entry.Time != session.NoTime {
			w.WriteString(", " + time.UnixMilli(x.entry.Time).UTC().Format("2006-01-02 15:04 UTC"))
		}
		w.WriteString("\n\n")
	}
	if w.speaker = who; x.label != "" {
		fmt.Fprintf(w, "**Label: %s**\n\n", plain(w.text(x.label)))
	}
}

const you = "You"

// entry tells what an entry says. Settings and state are left out.
func (w *writer) entry(x *told, results map[string]*told) {
	e := x.entry
	switch {
	case x.kind == session.KindUser:
		w.says(x, you)
		w.blocks(x, results)
	case x.kind == session.KindAssistant:
		w.says(x, strings.TrimSpace("Answer "+e.Name))
		w.blocks(x, results)
	case x.kind == session.KindToolResult:
		w.marks(&told{label: x.label})
		w.folded("Result of "+e.Name, e.Status, w.output(x.body))
	case x.kind == session.KindShell:
		w.says(x, you)
		w.folded("Command", e.Status, w.command(x.body)+w.output(x.body))
	case x.kind == session.KindCompaction, x.kind == session.KindBranchSummary:
		w.summary(x)
	case x.kind == session.KindSystem:
		w.marks(&told{label: x.label})
		w.folded("System prompt", "", w.prose(x.body))
	case e.Has(session.FlagHidden), x.kind.Bookkeeping():
		w.marks(&told{label: x.label})
	default:
		w.says(x, strings.TrimSpace(e.Role+" "+e.Name))
		w.blocks(x, results)
	}
}

// summary tells a compaction, or the summary of a branch that was left.
func (w *writer) summary(x *told) {
	head := "Compacted"
	if x.kind == session.KindBranchSummary {
		head = "Summary of a branch that was left"
	} else if n := x.entry.Tokens; n > 0 {
		head += fmt.Sprintf(" from %d tokens", n)
	}
	w.speaker = ""
	fmt.Fprintf(w, "---\n\n")
	w.marks(&told{label: x.label})
	w.folded(head, "", w.prose(x.body))
	w.WriteString("---\n\n")
}

// blocks tells a body in order. Thinking is left out.
func (w *writer) blocks(x *told, results map[string]*told) {
	for _, b := range x.body.Blocks {
		switch b.Kind {
		case session.BlockText:
			w.WriteString(w.markdown(b) + "\n\n")
		case session.BlockToolCall:
			w.call(b, results[b.ID])
		case session.BlockImage:
			fmt.Fprintf(w, "*(image %s)*\n\n", plain(b.Name))
		case session.BlockError:
			fmt.Fprintf(w, "**Error:** %s\n\n", plain(w.text(printable(b.Text))))
		case session.BlockFile, session.BlockAside:
			w.folded(b.Name, "", code("", w.short(b.Text)))
		case session.BlockOutput, session.BlockDiff:
			w.folded("Output", "", w.output(session.Body{Blocks: []session.Block{b}}))
		}
	}
}

// markdown is a text that is Markdown itself.
func (w *writer) markdown(b session.Block) string {
	md := harmless(w.text(printable(b.Text)))
	if b.Name != "" {
		md = "**" + plain(b.Name) + "**\n\n" + md
	}
	return md
}

// prose is the texts of a body.
func (w *writer) prose(body session.Body) string {
	var all []string
	for _, b := range body.Blocks {
		if b.Kind == session.BlockText {
			all = append(all, w.markdown(b))
		}
	}
	return strings.Join(all, "\n\n") + "\n"
}
