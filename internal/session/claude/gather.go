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
	"sessiontree/internal/session/claude/dag"
	"sessiontree/internal/session/jsonl"
)

// agentLinks is what companion files of transcripts record about agents.
type agentLinks struct {
	starts   dag.AgentStarts
	purposes map[string]string // agent -> its purpose
}

// gatherFiles lists the session files in names and the files of their agents, wherever the versions
// of Claude Code store them. Without names it lists all sessions of the project directory. The name
// of an agent's file stands for all agents of its deleted session.
func gatherFiles(dir fs.FS, names []string) (session.FileGroup, error) {
	g := &fileGatherer{dir: dir, links: &agentLinks{dag.AgentStarts{AgentByCall: map[string]string{}, RunByAgent: map[string]string{}, RunByTask: map[string]string{}}, map[string]string{}}}
	top, err := fs.ReadDir(dir, ".")
	if err != nil {
		return session.FileGroup{}, err
	}
	all := len(names) == 0
	lost := map[string]bool{}
	for _, name := range names {
		if strings.HasPrefix(name, "agent-") {
			lost[g.readSessionID(name)] = true
		}
	}
	isWanted := func(stem string) bool { return all || lost[stem] || slices.Contains(names, stem+".jsonl") }
	for _, e := range top {
		file := e.Name()
		stem, lines := strings.CutSuffix(file, ".jsonl")
		switch {
		case e.IsDir():
			if isWanted(file) {
				g.walkSessionDir(file)
			}
		case !lines:
		case strings.HasPrefix(file, "agent-"):
			of := g.readSessionID(file)
			if of == "" {
				g.sideFiles = append(g.sideFiles, file) // the file may name its session later
			}
			if !slices.Contains(names, file) && isWanted(of) {
				g.addFile(file)
			}
		case all && stem != "":
			names = append(names, file)
		}
	}
	slices.Sort(g.names)
	return session.FileGroup{Names: append(slices.Clip(names), g.names...), WholeDir: all, Extra: g.links, SideFiles: g.sideFiles}, errors.Join(g.errs...)
}

// isMemberFile reports whether a file is an agent's transcript or a workflow's journal.
func isMemberFile(name string) bool {
	return strings.HasPrefix(path.Base(name), "agent-") || strings.Contains(name, "/subagents/")
}

// ownerPath returns the session file that an agent's file belongs to. It returns "" for a
// workflow's journal, which is not listed without its session.
func ownerPath(name string, head []byte) string {
	dir, base := path.Split(name)
	if !strings.HasPrefix(base, "agent-") {
		return ""
	}
	if above, _, nested := strings.Cut(dir, "/subagents/"); nested {
		return above + ".jsonl"
	}
	if id := firstSessionID(head); id != "" {
		return dir + id + ".jsonl"
	}
	return ""
}

type fileGatherer struct {
	dir       fs.FS
	names     []string
	links     *agentLinks
	sideFiles []string // companion files that were read
	errs      []error
}

func (g *fileGatherer) addFile(name string) { g.names = append(g.names, name) }

// walkSessionDir collects the files in the directory of a session.
func (g *fileGatherer) walkSessionDir(top string) {
	err := fs.WalkDir(g.dir, top, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // it may have been deleted in the meantime
		case e.IsDir():
		case strings.HasSuffix(name, ".meta.json"):
			g.readAgentMeta(name)
		case strings.HasSuffix(name, ".jsonl"):
			g.addFile(name)
			if run := workflowRun(name); run != "" {
				g.links.starts.RunByAgent[agentID(name)] = run
			}
		case strings.HasSuffix(name, ".json") && path.Base(path.Dir(name)) == "workflows":
			g.readWorkflowSnapshot(name)
		}
		return nil
	})
	if err != nil {
		g.errs = append(g.errs, err)
	}
}

// workflowRun returns the workflow run whose directory holds a file.
func workflowRun(name string) string {
	dir, run := path.Split(path.Dir(name))
	if path.Base(dir) == "workflows" {
		return run
	}
	return ""
}

func agentID(name string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".jsonl"), ".meta.json")
	return strings.TrimPrefix(base, "agent-")
}

const maxSideFile = 1 << 20 // bytes of a companion file

func (g *fileGatherer) readJSONFile(name string, into any) bool {
	g.sideFiles = append(g.sideFiles, name)
	f, err := g.dir.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() > maxSideFile {
		return false
	}
	return json.NewDecoder(f).Decode(into) == nil
}

// readAgentMeta reads which call started an agent, and for what purpose.
func (g *fileGatherer) readAgentMeta(name string) {
	var m struct{ AgentType, Description, ToolUseID string }
	if !g.readJSONFile(name, &m) {
		return
	}
	agent := agentID(name)
	if m.ToolUseID != "" && g.links.starts.AgentByCall[m.ToolUseID] == "" {
		g.links.starts.AgentByCall[m.ToolUseID] = agent
	}
	g.links.purposes[agent] = strings.TrimSpace(m.Description)
}

// readWorkflowSnapshot reads the purposes of a workflow's agents.
func (g *fileGatherer) readWorkflowSnapshot(name string) {
	var s struct {
		RunID, TaskID    string
		WorkflowProgress []struct{ AgentID, Label, PhaseTitle string }
	}
	if !g.readJSONFile(name, &s) {
		return
	}
	g.links.starts.RunByTask[s.TaskID] = s.RunID
	for _, p := range s.WorkflowProgress {
		if p.AgentID == "" {
			continue
		}
		label := p.Label
		if p.PhaseTitle != "" {
			label = p.PhaseTitle + ": " + label
		}
		g.links.purposes[p.AgentID] = label
	}
}

// readSessionID returns the session that an agent's file in the project directory belongs to.
func (g *fileGatherer) readSessionID(name string) string {
	f, err := g.dir.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(f, head)
	return firstSessionID(head[:n])
}

// firstSessionID returns the first session id in the first lines of a file.
func firstSessionID(head []byte) string {
	var l line
	for found := range jsonl.Lines(head) {
		_ = l.readLine(found.Data) // a torn line may still name the session
		if l.sessionID.IsString() {
			return l.sessionID.Text()
		}
	}
	return ""
}
