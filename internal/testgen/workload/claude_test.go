package workload

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"sessiontree/internal/slowtest"
)

func TestWriteClaudeSession(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	var a, b bytes.Buffer
	s := Spec{Seed: 7, Cwd: "/p", Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Entries: 3000}
	out, err := WriteClaudeSession(&a, s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := WriteClaudeSession(&b, s); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("two writings differ, %v", err)
	}
	known, forks := map[string]int{}, 0
	for line := range bytes.Lines(a.Bytes()) {
		var l struct{ UUID, ParentUUID, SessionID string }
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if _, ok := known[l.ParentUUID]; !ok && l.ParentUUID != "" || l.SessionID != out.ID {
			t.Errorf("%+v", l)
		}
		if known[l.ParentUUID]++; l.ParentUUID != "" && known[l.ParentUUID] > 1 {
			forks++
		}
		known[l.UUID] = 0
	}
	if out.Entries < 3000 || forks == 0 || out.Bytes != int64(a.Len()) {
		t.Errorf("%+v, %d forks, %d bytes", out, forks, a.Len())
	}
}
