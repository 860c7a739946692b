package catalog

import (
	"context"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/activity"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/session/spend"
)

// agentSpend is what the file of a sub-agent records about requests and changes of files.
type agentSpend struct {
	Checkpoint scan.Checkpoint
	Spend      spend.File
	Changes    fileChanges
}

// Ledger returns the ledger with the requests of all sessions.
func (c *Catalog) Ledger() *spend.Ledger { return c.ledger }

// spendSource returns what the session's file records about requests.
func (it *listedSession) spendSource() spend.Source {
	return spend.Source{Path: it.Summary.Path, Session: it.Summary.Path, IsFork: it.Summary.Parent != "", Time: it.State.HeaderTime, File: &it.Spend}
}

// updateAgentSpend reads what is new in the file of a sub-agent, and reports whether there
// was anything.
func (c *Catalog) updateAgentSpend(ctx context.Context, f roots.File) bool {
	c.mu.RLock()
	home, known := c.owners[f.Path], c.agentSpend[f.Path]
	c.mu.RUnlock()
	if home == "" {
		return false
	}
	next := known
	if known.Checkpoint.Size == 0 {
		next = c.findSharedAgent(f.Path)
	}
	if !next.Checkpoint.MatchesFileInfo(f.Info) {
		var err error
		if next, err = c.readAgentSpend(ctx, f.Path, &next); err != nil {
			return false // its session shows why
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owners[f.Path] != home {
		return false
	}
	names := c.addFileNames(&next.Changes)
	c.shared.putAgent(f.Path, next, names)
	c.agentSpend[f.Path] = next
	c.ledger.Put(spend.Source{Path: f.Path, Session: home, Time: session.NoTime, File: &next.Spend})
	keepsWorking := c.noteAgentWrote(home, next.Checkpoint.Mtime)
	if next.Spend.LogSize() == known.Spend.LogSize() && !keepsWorking {
		return false
	}
	c.sorted = nil
	c.changes++
	return true
}

// readAgentSpend reads the file of a sub-agent, or what was appended to it.
func (c *Catalog) readAgentSpend(ctx context.Context, path string, known *agentSpend) (agentSpend, error) {
	if known.Checkpoint.Size > 0 {
		if added, ok, err := c.lib.ReadAdded(ctx, path, known.Checkpoint); err == nil && ok {
			return agentSpend{added.Checkpoint, known.Spend.Extend(added.Entries), known.Changes.extend(added.Entries)}, nil
		}
	}
	all, err := c.lib.ReadMember(ctx, path)
	if err != nil {
		return agentSpend{}, err
	}
	return agentSpend{all.Checkpoint, spend.CollectEntries(all.Entries), new(fileChanges).extend(all.Entries)}, nil
}

// agentWroteStep is the least time between two writes of sub-agents that the list is
// reported to have changed for.
const agentWroteStep = 10 * time.Second

// noteAgentWrote records when a sub-agent of the session at a path last wrote, in ns, and
// reports whether the session works much longer than was known. The caller holds the lock.
func (c *Catalog) noteAgentWrote(home string, mtime int64) bool {
	known := c.agentWrote[home]
	if mtime <= known {
		return false
	}
	c.agentWrote[home], c.sorted = mtime, nil
	it := c.items[home]
	return it != nil && it.Summary.Activity.Turn == activity.TurnTool && mtime >= known+agentWroteStep.Nanoseconds()
}
