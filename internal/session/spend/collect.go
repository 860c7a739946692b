package spend

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/spill"
)

// maxBranches is how many branches of a file have a name. Further ones share the last one.
const maxBranches = 1000

// maxPendingCalls is how many tool calls wait for a result, in one file.
const maxPendingCalls = 1000

// logBuffers has memory for records: a list collects those of a thousand trees, one after the other.
var logBuffers = sync.Pool{New: func() any { return new([]byte) }}

// CollectTree returns what the file of a tree records about requests.
func CollectTree(t *session.Tree) File {
	buf := logBuffers.Get().(*[]byte)
	defer logBuffers.Put(buf)
	f := File{LastTime: session.NoTime, Log: (*buf)[:0]}
	w := newLogWriter(&f)
	left := FindBranches(t, t.Leaf())
	numbers := map[session.Pos]int32{}
	for p := range session.Pos(t.Len()) {
		e, branch := t.At(p), int32(0)
		if head := left.Head(p); head != session.NoPos && (e.Charge() != nil || e.Kind == session.KindCompaction || e.Kind == session.KindAssistant) {
			if branch = numbers[head]; branch == 0 {
				branch = w.addBranch(t, head)
				numbers[head] = branch
			}
		}
		w.addEntry(e, branch, waitBefore(t, p))
	}
	if len(f.Log) <= maxRecordBuffer {
		*buf = f.Log
	}
	f.trim()
	return f
}

// trim gives f records of its own, without room for more: a list keeps a File of each session, and few
// of them grow.
func (f *File) trim() {
	f.Log = append([]byte(nil), f.Log...)
	f.Strings, f.Branches = slices.Clone(f.Strings), slices.Clone(f.Branches)
	pending := f.Calls
	f.Calls = nil // even an empty map takes 300 bytes if it was larger
	for id, tool := range pending {
		f.addPendingCall(strings.Clone(id), strings.Clone(tool))
	}
}

// addPendingCall records a call that has no result yet.
func (f *File) addPendingCall(id, tool string) {
	if f.Calls == nil {
		f.Calls = map[string]string{}
	}
	f.Calls[id] = tool
}

// addBranch adds the branch that begins with the entry head and returns its number.
func (w *logWriter) addBranch(t *session.Tree, head session.Pos) int32 {
	if len(w.Branches) < maxBranches {
		w.Branches = append(w.Branches, Branch{Title: strings.Clone(session.BranchTitleText(t, head)), Tip: strings.Clone(t.At(t.Subtrees().NewestLeaf(head)).ID)})
	}
	return int32(len(w.Branches))
}

// Extend returns f with entries that continue the current path.
func (f *File) Extend(entries []session.Entry) File {
	next := *f
	next.Log, next.Strings, next.Calls = slices.Clip(f.records()), slices.Clip(f.Strings), maps.Clone(f.Calls)
	next.Moved = spill.Bytes{}
	w := newLogWriter(&next)
	for i := range entries {
		w.addEntry(&entries[i], 0, waitSince(&entries[i], w.LastTime))
	}
	if len(next.Calls) == 0 {
		next.Calls = nil
	}
	return next
}

// CollectEntries returns what the file of a sub-agent records about requests.
func CollectEntries(entries []session.Entry) File {
	f := File{LastTime: session.NoTime}
	return f.Extend(entries)
}

// addEntry adds the records of an entry for which the agent waited some ms.
func (w *logWriter) addEntry(e *session.Entry, branch int32, wait int64) {
	c := e.Charge()
	if c != nil && c.Totals != nil {
		if w.Compaction > 0 {
			branch = w.Compaction - 1
		}
		w.Compaction = 0
		w.putTotals(w.LastTime, branch, c.Totals)
		return
	}
	if e.Kind == session.KindCompaction && w.Compaction == 0 {
		w.Compaction = branch + 1
	}
	if isMessage(e) {
		w.LastTime = e.Time
	}
	if q, ok := newRequest(e); ok {
		if q.Branch = branch; e.Kind == session.KindAssistant {
			q.ModelWait = wait
		}
		w.putRequest(&q)
	}
	calls := e.Calls()
	for i := range calls {
		if calls[i].Outcome == nil && len(w.Calls) < maxPendingCalls {
			w.addPendingCall(calls[i].ID, calls[i].Name)
		}
	}
	if e.Kind == session.KindShell {
		return // a command of the user is no use of a tool
	}
	for n, failed := range e.FinishedCalls() {
		if n >= 0 {
			w.putToolUse(calls[n].Name, failed, 0)
			continue
		}
		w.putToolUse(w.takePendingCall(e), failed, wait)
	}
}

// takePendingCall returns the name of the tool whose result an entry is.
func (w *logWriter) takePendingCall(e *session.Entry) string {
	name, pending := w.Calls[e.CallID()]
	if pending {
		delete(w.Calls, e.CallID())
	} else {
		name = e.ToolName()
	}
	return name
}
