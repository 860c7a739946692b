package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/textcache"
	"sessiontree/internal/session/visits"
)

// searchJSON is the output of search --json.
type searchJSON struct {
	Schema       int       `json:"schema"`
	Hits         []hitJSON `json:"hits"`
	ScannedBytes int64     `json:"scannedBytes"` // size of the searched sessions
	ElapsedMs    int64     `json:"elapsedMs"`
}

type hitJSON struct {
	Key     string   `json:"key"`
	Path    string   `json:"path"`
	Entry   string   `json:"entry"`
	Role    string   `json:"role"`
	Time    *string  `json:"time"`
	Snippet string   `json:"snippet"`
	Matches [][2]int `json:"matches"` // in runes of the snippet
	Branch  string   `json:"branch"`  // "path", "abandoned" or "agent"
	Title   string   `json:"title"`   // of a branch or an agent
	Tool    string   `json:"tool,omitempty"`
	Failed  bool     `json:"failed,omitempty"`
}

func searchCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "search WORDS [DIR...]", Short: "Search the text of all sessions", Long: searchHelp}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{errors.New("search needs words to search for")}
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		q, err := query.Parse(args[0], time.Now())
		switch {
		case err != nil:
			return usageError{err}
		case q.IsEmpty():
			return usageError{errors.New("search needs words to search for")}
		}
		if err := p.checkDirsExist(args[1:]); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w (put several words in quotes)", err)
		} else if err != nil {
			return err
		}
		return p.runSearch(cmd, q, args[1:])
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return cmd
}

const searchHelp = `Search the prompts, answers, thinking, tool calls, tool output, labels and names
of all sessions, on every branch and in sub-agents. An entry must contain all words.

  "two words"      a phrase
  re:PATTERN       a regular expression (RE2)
  role:ROLE        prompt, answer, thinking, input, output, summary or label
  tool:NAME        calls of a tool and their output
  label:TEXT       labeled entries
  agent:FORMAT     pi, omp, claude or wave
  project:NAME     sessions of a folder
  is:failed        failed tool calls
  is:current       the path to the leaf; also is:abandoned and is:sub-agent
  is:live          sessions that an agent is writing; also is:starred
  after:DATE       2026-10-01, 2026-10, today, yesterday, 7d
  before:DATE

Several values of one filter are alternatives.`

func (p *program) runSearch(cmd *cobra.Command, q *query.Query, dirs []string) error {
	began := time.Now()
	lib, c, cacheDir, err := p.openCatalog(cmd.Context(), dirs)
	if err != nil {
		return err
	}
	found := searchJSON{Schema: 1, Hits: []hitJSON{}}
	failed, any := 0, false
	s := searchall.Searcher{Library: lib, Catalog: c, Now: began, TitleOfFormat: newViewConfig(p.home).TitleOfFormat}
	if state, err := p.state.Dir(); err == nil {
		s.IsStarred = visits.New(state).Snapshot().IsStarred
	}
	if texts, err := textcache.OpenReadOnly(cacheDir); err == nil && cacheDir != "" {
		defer texts.Close()
		s.Texts = texts
	}
	err = s.Search(cmd.Context(), q, func(e searchall.Event) error {
		found.ScannedBytes, failed = e.Progress.Bytes, e.Progress.Failed
		if e.Result == nil || len(e.Result.Hits) == 0 {
			return nil
		}
		any = true
		if p.json {
			found.Hits = append(found.Hits, newHitsJSON(e.Result)...)
			return nil
		}
		return p.printResult(e.Result)
	})
	if err != nil {
		return err
	}
	if failed > 0 {
		fmt.Fprintf(p.err, "explorer: %s could not be read\n", terminal.Pluralize(int32(failed), "session", "sessions"))
	}
	if found.ElapsedMs = time.Since(began).Milliseconds(); p.json {
		return p.printJSON(found)
	}
	if !any {
		fmt.Fprintf(p.err, "explorer: no hits in %s\n", terminal.Pluralize(int32(len(c.Sessions())), "session", "sessions"))
	}
	return nil
}

// openCatalog lists the sessions in directories; without any, those in the directories of agents,
// whose list is cached in cacheDir.
func (p *program) openCatalog(ctx context.Context, dirs []string) (lib *store.Library, c *catalog.Catalog, cacheDir string, err error) {
	if len(dirs) == 0 {
		dirs, cacheDir = format.SessionDirs(p.home, os.Getenv), statedir.CacheDir()
	}
	if lib, err = p.newLibrary(dirs...); err != nil {
		return nil, nil, "", err
	}
	c = catalog.New(catalog.Config{Library: lib, CacheDir: cacheDir})
	return lib, c, cacheDir, c.Fill(ctx)
}

func newHitsJSON(r *searchall.Result) []hitJSON {
	hits := make([]hitJSON, len(r.Hits))
	for i, h := range r.Hits {
		b := &r.Branches[h.Branch]
		hits[i] = hitJSON{Key: r.Session.Key, Path: r.Session.Path, Entry: h.Entry, Role: string(h.Role), Snippet: h.Snippet, Matches: h.Marks,
			Branch: b.Kind.String(), Title: b.Title, Tool: h.Tool, Failed: h.Failed}
		if h.Marks == nil {
			hits[i].Matches = [][2]int{}
		}
		if !h.Time.IsZero() {
			hits[i].Time = stringOrNull(formatTimestamp(h.Time))
		}
	}
	return hits
}

// printResult prints the hits of one session by branch.
func (p *program) printResult(r *searchall.Result) error {
	out := terminal.NewColorWriter(p.out)
	sum := &r.Session
	out.WriteColored(terminal.Bold, terminal.CleanLine(rowtext.Cut(cmp.Or(sum.Name, sum.FirstMessage, "Untitled session"), 79)))
	out.WriteColored(terminal.Dim, fmt.Sprintf("  %s  %s  %s\n", sum.Format, sum.Modified.Local().Format("2006-01-02 15:04"), terminal.CleanLine(sum.Path)))
	branch := 0
	for i := range r.Hits {
		h := &r.Hits[i]
		if b := &r.Branches[h.Branch]; b.Kind != query.OnPath && (i == 0 || h.Branch != branch) {
			out.WriteColored(terminal.Cyan, fmt.Sprintf("  %s: %s\n", b.Kind, terminal.CleanLine(rowtext.Cut(rowtext.OneLine(b.Title), 59))))
		}
		branch = h.Branch
		printHit(out, h)
	}
	out.WriteColored("", "\n")
	return out.Flush()
}

// printHit prints a hit on one line, with the places of the terms in color.
func printHit(out *terminal.ColorWriter, h *searchall.Hit) {
	role := string(h.Role)
	if h.Tool != "" {
		role += " " + h.Tool
	}
	if h.Failed {
		role += ", failed"
	}
	out.WriteColored(terminal.Dim, fmt.Sprintf("  %-14s %s  ", terminal.CleanLine(role), terminal.CleanLine(h.Entry)))
	text, at := []rune(h.Snippet), 0
	for _, m := range h.Marks {
		out.WriteColored("", terminal.CleanLine(string(text[at:m[0]])))
		out.WriteColored(terminal.Yellow, terminal.CleanLine(string(text[m[0]:m[1]])))
		at = m[1]
	}
	out.WriteColored("", terminal.CleanLine(string(text[at:]))+"\n")
}
