package hub

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"sessiontree/internal/session/team"
)

// DefaultSearchDays is how long all of a session is searched if its project has no other rule.
const DefaultSearchDays = 90

// AllDays is the number of days of sessions that are always searched.
const AllDays = 36500

// listSearchDays returns for how many days after their last activity all of the sessions of a
// project is searched, of projects that have such a rule.
func listSearchDays(ctx context.Context, r team.Registry) (map[string]int32, error) {
	projects, err := r.ListProjects(ctx)
	days := map[string]int32{}
	for _, p := range projects {
		if p.SearchDays > 0 {
			days[p.Name] = int32(p.SearchDays)
		}
	}
	return days, err
}

// describeRules describes the rules of a project for the record of what people did.
func describeRules(p team.Project) string {
	text := string(p.Visibility) + ", kept forever"
	if p.RetainDays > 0 {
		text = fmt.Sprintf("%s, kept %d days", p.Visibility, p.RetainDays)
	}
	switch p.SearchDays {
	case 0:
		return text
	case AllDays:
		return text + ", always searched"
	}
	return fmt.Sprintf("%s, searched for %d days", text, p.SearchDays)
}

// FindOld returns a function that reports whether a session, by its path and its last activity, is
// so old that a search need not read all of it.
func (f *Files) FindOld(now time.Time) (isOld func(path string, active time.Time) bool, err error) {
	paths, err := f.load()
	if err != nil {
		return nil, err
	}
	return func(path string, active time.Time) bool {
		archived, _ := f.ArchivePath(path)
		days := cmp.Or(paths[archived].searchDays, DefaultSearchDays)
		return now.Sub(active) > time.Duration(days)*24*time.Hour
	}, nil
}
