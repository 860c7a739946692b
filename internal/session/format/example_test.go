package format_test

import (
	"fmt"

	"sessiontree/internal/session/format"
)

// A group that is nil says what a format cannot do.
func Example() {
	for _, f := range format.All {
		fmt.Printf("%s: several files %v, blobs %v, new files %v\n", f.Title, f.Graph != nil, f.Blobs != nil, f.Write.Fork != nil)
	}
	// Output:
	// oh-my-pi: several files true, blobs true, new files true
	// pi: several files false, blobs false, new files true
	// Claude Code: several files true, blobs false, new files true
	// Wave: several files true, blobs false, new files true
	// Wave, one JSON value: several files false, blobs false, new files false
}
