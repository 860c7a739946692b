package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/serve"
	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// shareFlags holds the flags of share.
type shareFlags struct {
	exportFlags
	include, expires, url string
	title, sharedBy       string
	live, showNames       bool
}

func shareCommand(p *program) *cobra.Command {
	var f shareFlags
	cmd := &cobra.Command{
		Use: "share PATH", Short: "Share a session, or part of it, through an unguessable link", Args: sessionPathArgs(1),
		Long: "Share a session, or part of it, through an unguessable link. The share is a copy: it remains when the session is deleted.\n" +
			"The link is printed once and works while the explorer is running. Keys, home directories, user and host names and mail\naddresses are replaced unless --redact says otherwise.",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		q, err := f.shareRequest(p)
		if err != nil {
			return err
		}
		if q.Session, err = p.openSession(cmd.Context(), args[0]); err != nil {
			return err
		}
		if q.ShowNames = f.showNames; !cmd.Flags().Changed("show-names") {
			q.ShowNames = q.Options.Part.Scope == export.Tree
		}
		if err := f.resolvePart(&q); err != nil {
			return err
		}
		return createShare(cmd.Context(), p, &f, q)
	}
	flags := cmd.Flags()
	flags.BoolVar(&p.json, "json", false, "print JSON")
	f.addPartFlags(flags)
	flags.StringVar(&f.include, "include", "prompts,tools,branches", "what to share: prompts, tools (their output), thinking, images, branches (others below the entry)")
	flags.StringVar(&f.expires, "expires", "7d", "how long the link works: days like 7d, hours like 12h, or never")
	flags.StringVar(&f.title, "title", "", "title of the page (default: the session's name)")
	flags.StringVar(&f.sharedBy, "by", "", "name of the person who shares")
	flags.BoolVar(&f.showNames, "show-names", false, "show the session's name and its project's directory (default: with the whole session only)")
	flags.BoolVar(&f.live, "live", false, "keep the copy up to date with the session while the explorer is running")
	flags.StringVar(&f.url, "share-url", "", "base `URL` of the link (default: that of the running explorer)")
	return cmd
}

// shareRequest parses the flags that do not depend on the session.
func (f *shareFlags) shareRequest(p *program) (q share.Request, err error) {
	f.kind = string(export.JSONL)
	if q.Options, err = f.exportOptions(p); err != nil {
		return q, err
	}
	q.Options.Progress = p.newExportProgress("")
	q.Title, q.SharedBy, q.Live = f.title, f.sharedBy, f.live
	if q.Options.Omit, err = parseInclude(f.include); err != nil {
		return q, err
	}
	if q.Lifetime, err = parseExpires(f.expires); err != nil {
		return q, err
	}
	if f.url != "" && serve.CheckShareURL(f.url) != nil {
		return q, usageError{serve.CheckShareURL(f.url)}
	}
	return q, nil
}

// includeWords are the words that --include accepts.
var includeWords = []string{"prompts", "tools", "thinking", "images", "branches"}

// parseInclude converts --include to what is omitted.
func parseInclude(text string) (export.Omissions, error) {
	words := strings.Split(text, ",")
	for _, w := range words {
		if !slices.Contains(includeWords, w) {
			return export.Omissions{}, usageError{fmt.Errorf("--include is a list of %s, not %q", strings.Join(includeWords, ", "), text)}
		}
	}
	if !slices.Contains(words, "prompts") {
		return export.Omissions{}, usageError{errors.New("--include must contain prompts: a session without them is empty")}
	}
	without := func(word string) bool { return !slices.Contains(words, word) }
	return export.Omissions{Output: without("tools"), Thinking: without("thinking"), Images: without("images")}, nil
}

// parseExpires parses --expires; 0 means never.
func parseExpires(text string) (time.Duration, error) {
	const day = 24 * time.Hour
	wrong := usageError{fmt.Errorf("--expires is like 7d, 12h or never, not %q", text)}
	if text == "never" {
		return 0, nil
	}
	number, unit := text[:max(0, len(text)-1)], time.Duration(0)
	switch strings.TrimPrefix(text, number) {
	case "d":
		unit = day
	case "h":
		unit = time.Hour
	}
	n, err := strconv.Atoi(number)
	if err != nil || unit == 0 || n < 1 || n > 36500 {
		return 0, wrong
	}
	return time.Duration(n) * unit, nil
}

// resolvePart resolves the entries of the part. Without other branches a subtree ends at
// its newest leaf, and a tree becomes the path to the leaf.
func (f *shareFlags) resolvePart(q *share.Request) (err error) {
	part := &q.Options.Part
	if part.Entry != "" {
		if part.Entry, err = resolveEntryID(q.Session, part.Entry); err != nil {
			return err
		}
	}
	if strings.Contains(f.include, "branches") {
		return nil
	}
	switch part.Scope {
	case export.Tree:
		part.Scope = export.Path
	case export.Subtree:
		q.Session.ReadTree(func(t *session.Tree, _ store.Revision) {
			at := t.Leaf()
			if part.Entry != "" {
				at = t.FindID(part.Entry)
			}
			if at != session.NoPos {
				part.Entry, part.To = t.At(at).ID, t.At(t.Subtrees().NewestLeaf(at)).ID
			}
		})
	}
	return nil
}

// openShares opens the shares of the state directory.
func (p *program) openShares() (*share.Shares, error) {
	state, err := p.state.Dir()
	if err != nil {
		return nil, err
	}
	return share.New(share.Config{Dir: statedir.SharesDir(state), Formats: format.All, Home: p.home, Redactor: p.newRedactor()})
}

// shareJSON is the output of share --json.
type shareJSON struct {
	Schema   int            `json:"schema"`
	ID       string         `json:"id"`
	URL      string         `json:"url"`
	Expires  *string        `json:"expires"`
	Redacted []export.Count `json:"redacted"`
}

func createShare(ctx context.Context, p *program, f *shareFlags, q share.Request) error {
	shares, err := p.openShares()
	if err != nil {
		return err
	}
	base, err := serve.FindShareURL(ctx, p.state, f.url)
	if err != nil {
		return err
	}
	token, made, err := shares.Create(ctx, q)
	if err != nil {
		return err
	}
	p.doneMessage = "The share " + made.ID + " was made"
	link := base + "/share/" + token
	if p.json {
		return p.printJSON(shareJSON{1, made.ID, link, timestampOrNull(made.Expires), made.Redacted})
	}
	if _, err := fmt.Fprintln(p.out, link); err != nil {
		return err
	}
	fmt.Fprintf(p.err, "%s, %s. It works while the explorer is running and won't be shown again. To end it: explorer revoke %s\n",
		terminal.Pluralize(int32(made.Entries), "entry", "entries"), formatExpiry(made.Expires), made.ID)
	for _, c := range made.Redacted {
		fmt.Fprintf(p.err, "  replaced: %s, %d\n", c.Kind, c.Count)
	}
	return nil
}

// formatExpiry returns how long a link is valid.
func formatExpiry(expires time.Time) string {
	if expires.IsZero() {
		return "without an end date"
	}
	return "until " + expires.Local().Format("2 Jan 2006 15:04")
}

// timestampOrNull formats a time for JSON, nil if it is zero.
func timestampOrNull(at time.Time) *string {
	if at.IsZero() {
		return nil
	}
	text := at.UTC().Format(time.RFC3339)
	return &text
}
