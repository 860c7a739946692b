package claude

import "sessiontree/internal/session/jsonl"

// memory is what serves for one line after the other, so that reading a line
// allocates only what its entry keeps.
type memory struct {
	texts  jsonl.Interner // ids, directories, models: what the lines before had
	inner  jsonl.Cursor   // of values within the line
	fields jsonl.Object
}
