package searchall

import (
	"slices"
	"sync"
	"time"

	"sessiontree/internal/session/catalog"
)

// job is the search of one session.
type job struct {
	summary *catalog.Summary // in the catalog's list, not to be changed
	files   []string         // of the session alone
	// onlyTexts is set if only texts are searched, which is not all that the query searches.
	onlyTexts bool
	done      bool
	failed    bool // the session cannot be read
	result    *Result
}

// listJobs returns the sessions to search and the number of their bytes.
func (r *run) listJobs() (jobs []job, bytes int64) {
	agents, sessions := r.Catalog.AgentFiles(), r.Catalog.Sessions()
	r.owners = sync.OnceValue(func() map[string]string { return catalog.ListFileOwners(sessions, agents) })
	jobs = make([]job, 0, len(sessions))
	files := make([]string, 0, len(sessions)) // of all jobs
	mayLimit := r.OnlyTexts != nil && needsFiles(r.q)
	if mayLimit {
		r.ofTexts = r.limitToTexts()
	}
	for i := range sessions {
		sum := &sessions[i]
		if !r.includes(sum) {
			continue
		}
		bytes += sum.Size
		first := len(files)
		files = append(append(files, sum.Path), agents[sum.Path]...)
		jobs = append(jobs, job{summary: sum, files: slices.Clip(files[first:]), onlyTexts: mayLimit && r.OnlyTexts(sum.Path, later(sum.Modified, sum.FileTime))})
	}
	return jobs, bytes
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// includes reports whether a session of the catalog is searched, as far as its summary
// tells.
func (r *run) includes(sum *catalog.Summary) bool {
	switch {
	case r.OnlyKey != "" && sum.Key != r.OnlyKey:
	case r.q.Live && !sum.IsLive(r.Now):
	case r.q.Starred && (r.IsStarred == nil || !r.IsStarred(sum)):
	case !r.q.After.IsZero() && sum.FileTime.Before(r.q.After):
	default:
		return r.q.HasProject(sum.Cwd) && r.hasAgent(sum.Format)
	}
	return false
}

// hasAgent reports whether sessions of a format are searched.
func (r *run) hasAgent(format string) bool {
	title := format
	if r.TitleOfFormat != nil {
		title = r.TitleOfFormat(format)
	}
	return r.q.HasAgent(format, title)
}
