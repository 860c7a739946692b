package now

import (
	"fmt"
	"io"
	"testing"
	"time"

	"sessiontree/internal/session/activity"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// BenchmarkPageModel builds and renders the list of 100 running sessions.
func BenchmarkPageModel(b *testing.B) {
	var sessions []catalog.Summary
	for i := range 100 {
		sessions = append(sessions, summary(fmt.Sprint("k", i), time.Second, activity.Track{
			Turn: activity.TurnTool, Prompt: "Do the task with care", Calls: []activity.Call{{ID: "c", Name: "bash", Arg: "make step"}},
		}))
	}
	src := Source{Sessions: sessions, CountTokens: func(string) int64 { return 1000 }}
	for b.Loop() {
		m := PageModel(view.Config{}, components.Page{}, src, "", noon)
		if err := components.NowList(m).Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
