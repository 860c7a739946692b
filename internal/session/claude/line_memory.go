package claude

import "sessiontree/internal/session/jsonl"

// lineMemory is memory shared by successive lines, so that scanning a line allocates only what its
// entry keeps.
type lineMemory struct {
	interner    jsonl.Interner // recurring ids, directories and models
	innerCursor jsonl.Cursor   // for values within the line
	innerFields jsonl.Object
}
