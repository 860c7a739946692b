package claude

import "sessiontree/internal/session/jsonl"

// lineMemory is what serves for one line after the other, so that reading a line
// allocates only what its entry keeps.
type lineMemory struct {
	interner    jsonl.Interner // ids, directories, models: what the lines before had
	innerCursor jsonl.Cursor   // of values within the line
	innerFields jsonl.Object
}
