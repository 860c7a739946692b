package pi

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	fileSuffix = ".jsonl"
	headSize   = 64 << 10
	maxDepth   = 16 // nesting of agents that start agents
)

// gatherAgentFiles lists the files of a session of oh-my-pi: its own, and those of its sub-agents
// in the directory of the same name. The agents of an agent are in a directory named after that
// agent.
func gatherAgentFiles(dir fs.FS, names []string) (session.FileGroup, error) {
	if len(names) == 0 {
		return session.FileGroup{}, nil // sessions are not joined
	}
	g := &agentFileGatherer{dir: dir}
	if stem, ok := strings.CutSuffix(names[0], fileSuffix); ok {
		g.walkAgentDirs(stem)
	}
	slices.Sort(g.names)
	return session.FileGroup{Names: append(slices.Clip(names), g.names...), DependsOnContent: g.unsettled}, nil
}

type agentFileGatherer struct {
	dir       fs.FS
	names     []string
	unsettled bool // a file does not name its session yet
	head      [headSize]byte
}

// walkAgentDirs collects files from the directory of a session and from those of its agents.
func (g *agentFileGatherer) walkAgentDirs(stem string) {
	for todo := []string{stem}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		entries, _ := fs.ReadDir(g.dir, at) // usually there is no directory
		for _, e := range entries {
			name := path.Join(at, e.Name())
			if e.IsDir() || !strings.HasSuffix(name, fileSuffix) || strings.HasPrefix(e.Name(), ".") {
				continue
			}
			switch owner, whole := g.readOwner(name); {
			case owner == at+fileSuffix:
				g.names = append(g.names, name)
				if strings.Count(name, "/")-strings.Count(stem, "/") < maxDepth {
					todo = append(todo, strings.TrimSuffix(name, fileSuffix))
				}
			case !whole:
				g.unsettled = true
			}
		}
	}
}

// readOwner returns the session file that a file belongs to. whole is false if the file does not
// say enough yet.
func (g *agentFileGatherer) readOwner(name string) (owner string, whole bool) {
	f, err := g.dir.Open(name)
	if err != nil {
		return "", true
	}
	defer f.Close()
	n, _ := io.ReadFull(f, g.head[:])
	return findOwner(name, g.head[:n])
}

// ownerPath returns the session file that the file at a path belongs to, by its first bytes; "" for
// a session of its own.
func ownerPath(name string, head []byte) string {
	of, _ := findOwner(name, head)
	return of
}

// findOwner is ownerPath and also reports whether head says enough. A sub-agent's file is in the
// directory of the session that its header names as parent.
func findOwner(name string, head []byte) (owner string, whole bool) {
	parent, whole := headerParent(head)
	if i := strings.LastIndexAny(parent, `/\`); i >= 0 {
		parent = parent[i+1:]
	}
	stem := strings.TrimSuffix(parent, fileSuffix)
	dir := path.Dir(name)
	if own := path.Base(dir); stem != "" && (own == stem || stem == parent && strings.HasSuffix(own, "_"+stem)) { // by the parent's file name, or by its id
		return dir + fileSuffix, true
	}
	return "", whole
}

// headerParent returns the parent session that the header in the first bytes of a file names. whole
// is false if the header is incomplete.
func headerParent(head []byte) (parent string, whole bool) {
	l := linePool.Get()
	defer linePool.Put(l, len(head))
	for found := range jsonl.Lines(head) {
		switch err := l.readLine(found.Data); {
		case err != nil && found.Torn:
			return "", len(head) == headSize
		case err != nil:
			continue
		}
		l.makeRecord("")
		l.pack.makeStrings()
		switch {
		case l.rec.Ignored:
		case l.rec.Header != nil:
			return l.rec.Header.Parent, true
		default:
			return "", true
		}
	}
	return "", false
}
