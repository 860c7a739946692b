package catalog

import (
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/toolkind"
)

// maxPendingEdits limits how many calls wait for their results. Calls whose session was
// abandoned never get one.
const maxPendingEdits = 64

// pendingEdit is a call that changes a file and has no result yet. Both are hashes.
type pendingEdit struct{ Call, File uint64 }

// countFileChanges adds what an entry changed in files. It depends only on the entries
// before it in the file, so that it gives the same for appended entries as for all of them.
func (it *listedSession) countFileChanges(e *session.Entry) {
	switch e.Kind {
	case session.KindAssistant:
		calls := e.Calls()
		for i := range calls {
			it.addEditCall(&calls[i])
		}
	case session.KindToolResult:
		it.addEditResult(e)
	}
}

func (it *listedSession) addEditCall(c *session.ToolCall) {
	if c.Arg == "" || !toolkind.ChangesFiles(c.Name) {
		return
	}
	file := hashEntryID(c.Arg)
	if c.Outcome != nil {
		if !c.Outcome.Failed {
			it.addChangedFile(file)
		}
		return
	}
	p := append(slices.Clip(it.State.PendingEdits), pendingEdit{hashEntryID(c.ID), file})
	it.State.PendingEdits = p[max(0, len(p)-maxPendingEdits):]
}

func (it *listedSession) addEditResult(e *session.Entry) {
	call := hashEntryID(e.CallID())
	i := slices.IndexFunc(it.State.PendingEdits, func(p pendingEdit) bool { return p.Call == call })
	if i < 0 {
		return
	}
	file := it.State.PendingEdits[i].File
	it.State.PendingEdits = slices.Delete(slices.Clone(it.State.PendingEdits), i, i+1)
	if e.HasFlag(session.FlagError) {
		return
	}
	it.addChangedFile(file)
	it.Summary.LinesAdded += int(e.Added())
	it.Summary.LinesRemoved += int(e.Removed())
}

func (it *listedSession) addChangedFile(file uint64) {
	if i, known := slices.BinarySearch(it.State.ChangedFiles, file); !known {
		it.State.ChangedFiles = slices.Insert(slices.Clone(it.State.ChangedFiles), i, file)
		it.Summary.FilesChanged = len(it.State.ChangedFiles)
	}
}
