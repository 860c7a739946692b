package cli

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/keep"
)

// keepStatusJSON is the output of keep status --json.
type keepStatusJSON struct {
	Schema        int               `json:"schema"`
	On            bool              `json:"on"`
	Paused        bool              `json:"paused"`
	Limit         int64             `json:"limit"`
	Stored        int64             `json:"stored"`
	OriginalBytes int64             `json:"originalBytes"`
	Sessions      int               `json:"sessions"`
	GoneSessions  int               `json:"goneSessions"`
	GoneBytes     int64             `json:"goneBytes"`
	LastPass      *string           `json:"lastPass"`
	Error         *string           `json:"error"`
	Folders       []keepFolderJSON  `json:"folders"`
	Removed       []keepRemovedJSON `json:"removed"`
}

type keepFolderJSON struct {
	Path        string `json:"path"`
	Sessions    int    `json:"sessions"`
	Stored      int64  `json:"stored"`
	CleanUpDays *int   `json:"cleanUpDays"`
}

type keepRemovedJSON struct {
	Path    string `json:"path"`
	Bytes   int64  `json:"bytes"`
	Time    string `json:"time"`
	Earlier bool   `json:"earlier"`
}

func keepStatusCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "status [DIR...]", Short: "Show what is copied, and how much space it takes", Args: cobra.ArbitraryArgs}
	cmd.RunE = func(cmd *cobra.Command, dirs []string) error {
		k, err := p.newKeeper(dirs)
		if err != nil {
			return err
		}
		s, err := k.State(cmd.Context())
		if err != nil {
			return err
		}
		if p.json {
			return p.printJSON(newKeepStatus(s))
		}
		return printKeepStatus(p, s)
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return cmd
}

func newKeepStatus(s keep.State) keepStatusJSON {
	out := keepStatusJSON{
		Schema: 1, On: s.On, Paused: s.Paused, Limit: s.Limit, Stored: s.Stored, OriginalBytes: s.OriginalBytes, Sessions: s.Sessions,
		GoneSessions: s.GoneSessions, GoneBytes: s.GoneBytes, LastPass: timestampOrNull(s.LastPass), Error: stringOrNull(s.Error),
		Folders: []keepFolderJSON{}, Removed: []keepRemovedJSON{},
	}
	for _, f := range s.Folders {
		folder := keepFolderJSON{Path: f.Path, Sessions: f.Sessions, Stored: f.Stored}
		for _, c := range f.CleanUps {
			days := int(c.After / (24 * time.Hour))
			folder.CleanUpDays = &days
		}
		out.Folders = append(out.Folders, folder)
	}
	for _, r := range s.Removed {
		out.Removed = append(out.Removed, keepRemovedJSON{r.Path, r.Bytes, formatTimestamp(r.Time), r.Earlier})
	}
	return out
}

// keepMode says whether copies are made.
func keepMode(s keep.State) string {
	switch {
	case !s.On:
		return "off"
	case s.Paused:
		return "paused"
	}
	return "on"
}

func printKeepStatus(p *program, s keep.State) error {
	fmt.Fprintf(p.out, "Copies are %s: %s, %s in %s of %s.\n", keepMode(s), countSessions(s.Sessions), terminal.FormatSize(s.OriginalBytes), terminal.FormatSize(s.Stored), terminal.FormatSize(s.Limit))
	if s.GoneSessions > 0 {
		fmt.Fprintf(p.out, "%s kept only here, %s: the files were deleted.\n", countSessions(s.GoneSessions), terminal.FormatSize(s.GoneBytes))
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, f := range s.Folders {
		rule := ""
		for _, c := range f.CleanUps {
			rule = fmt.Sprintf("%s deletes sessions after %d days", c.Agent, int(c.After/(24*time.Hour)))
		}
		if f.Sessions > 0 || rule != "" {
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", terminal.CleanLine(f.Path), countSessions(f.Sessions), terminal.FormatSize(f.Stored), rule)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, r := range s.Removed {
		fmt.Fprintf(p.out, "Removed on %s because of the limit: %s, %s\n", r.Time.Local().Format("2006-01-02"), terminal.CleanLine(r.Path), terminal.FormatSize(r.Bytes))
	}
	if s.Error != "" {
		fmt.Fprintln(p.err, "explorer: the last attempt failed: "+terminal.CleanLine(s.Error))
	}
	return nil
}
