package claude

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// links is what the files beside transcripts say of agents.
type links struct {
	spawned map[string]string // tool use id -> agent, of meta.json
	run     map[string]string // agent -> run of a workflow, by the directory it lies in
	about   map[string]string // agent -> what it was for
	task    map[string]string // task id of a workflow -> run
}

// purpose is what an agent was started for, "" unknown.
func (l *links) purpose(agent string) string {
	if l == nil {
		return ""
	}
	return l.about[agent]
}

// gather lists the files of the sessions in files of a project directory: these
// themselves, and their agents wherever versions have put them. Without names it
// lists those of all sessions. An agent's file asks for all agents of its session,
// which is gone.
func gather(dir fs.FS, names []string) (session.Unit, error) {
	g := &gathering{dir: dir, links: &links{map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}}
	top, err := fs.ReadDir(dir, ".")
	if err != nil {
		return session.Unit{}, err
	}
	all := len(names) == 0
	lost := map[string]bool{}
	for _, name := range names {
		if strings.HasPrefix(name, "agent-") {
			lost[g.of(name)] = true
		}
	}
	asked := func(stem string) bool { return all || lost[stem] || slices.Contains(names, stem+".jsonl") }
	for _, e := range top {
		file := e.Name()
		stem, lines := strings.CutSuffix(file, ".jsonl")
		switch {
		case e.IsDir():
			if asked(file) {
				g.below(file)
			}
		case !lines:
		case strings.HasPrefix(file, "agent-"):
			of := g.of(file)
			if of == "" {
				g.side = append(g.side, file) // it says so later
			}
			if !slices.Contains(names, file) && asked(of) {
				g.add(file)
			}
		case all && stem != "":
			names = append(names, file)
		}
	}
	slices.Sort(g.names)
	return session.Unit{Names: append(slices.Clip(names), g.names...), Whole: all, Extra: g.links, Side: g.side}, errors.Join(g.errs...)
}

// part reports whether a file is an agent's transcript or a workflow's journal.
func part(name string) bool {
	return strings.HasPrefix(path.Base(name), "agent-") || strings.Contains(name, "/subagents/")
}

// home is the session file that an agent's belongs to. A workflow's journal is
// nothing without it.
func home(name string, head []byte) string {
	dir, base := path.Split(name)
	if !strings.HasPrefix(base, "agent-") {
		return ""
	}
	if above, _, nested := strings.Cut(dir, "/subagents/"); nested {
		return above + ".jsonl"
	}
	if id := sessionIn(head); id != "" {
		return dir + id + ".jsonl"
	}
	return ""
}

type gathering struct {
	dir   fs.FS
	names []string
	links *links
	side  []string // files read beside the transcripts
	errs  []error
}

func (g *gathering) add(name string) { g.names = append(g.names, name) }

// below walks the directory of a session.
func (g *gathering) below(top string) {
	err := fs.WalkDir(g.dir, top, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // it may have been deleted while we looked
		case e.IsDir():
		case strings.HasSuffix(name, ".meta.json"):
			g.meta(name)
		case strings.HasSuffix(name, ".jsonl"):
			g.add(name)
			if run := runOf(name); run != "" {
				g.links.run[agentOf(name)] = run
			}
		case strings.HasSuffix(name, ".json") && path.Base(path.Dir(name)) == "workflows":
			g.snapshot(name)
		}
		return nil
	})
	if err != nil {
		g.errs = append(g.errs, err)
	}
}

// runOf is the workflow run whose directory a file lies in.
func runOf(name string) string {
	dir, run := path.Split(path.Dir(name))
	if path.Base(dir) == "workflows" {
		return run
	}
	return ""
}

func agentOf(name string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".jsonl"), ".meta.json")
	return strings.TrimPrefix(base, "agent-")
}

const maxAside = 1 << 20 // bytes of a file beside transcripts

func (g *gathering) read(name string, into any) bool {
	g.side = append(g.side, name)
	f, err := g.dir.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > maxAside {
		return false
	}
	return json.NewDecoder(f).Decode(into) == nil
}

// meta reads who started an agent, and what for.
func (g *gathering) meta(name string) {
	var m struct{ AgentType, Description, ToolUseID string }
	if !g.read(name, &m) {
		return
	}
	agent := agentOf(name)
	if m.ToolUseID != "" && g.links.spawned[m.ToolUseID] == "" {
		g.links.spawned[m.ToolUseID] = agent
	}
	g.links.about[agent] = strings.TrimSpace(m.Description)
}

// snapshot reads what a workflow's agents were for.
func (g *gathering) snapshot(name string) {
	var s struct {
		RunID, TaskID    string
		WorkflowProgress []struct{ AgentID, Label, PhaseTitle string }
	}
	if !g.read(name, &s) {
		return
	}
	g.links.task[s.TaskID] = s.RunID
	for _, p := range s.WorkflowProgress {
		if p.AgentID == "" {
			continue
		}
		label := p.Label
		if p.PhaseTitle != "" {
			label = p.PhaseTitle + ": " + label
		}
		g.links.about[p.AgentID] = label
	}
}

// of is the session that an agent's file in the project directory belongs to.
func (g *gathering) of(name string) string {
	f, err := g.dir.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(f, head)
	return sessionIn(head[:n])
}

// sessionIn is the session that the first lines of a file name.
func sessionIn(head []byte) string {
	var l line
	for found := range jsonl.Lines(head) {
		_ = l.read(found.Data) // what a torn line names counts as well
		if l.sessionID.IsString() {
			return l.sessionID.Text()
		}
	}
	return ""
}
