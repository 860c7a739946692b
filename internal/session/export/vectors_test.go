package export_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/slowtest"
)

// The shapes of Claude Code's recordings are the same in every exported part. In random
// graphs with times that run backward, and below a folded line, a subtree may be arranged
// differently without its context.
func TestClaudeShapes(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	files, err := filepath.Glob(testdata + "claude/vectors/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no vectors", err)
	}
	cases, made, random, parted := 0, 0, 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, len(text)+1)
		for lines.Scan() {
			var v struct {
				Name    string
				Entries []json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				t.Fatal(err)
			}
			if cases++; cases%sampletest.Step() != 0 || !isSingleSession(t, v.Entries) {
				continue
			}
			t.Run(v.Name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), exportedName(nil))
				if err := os.WriteFile(path, append(bytes.Join(rawBytes(v.Entries), []byte("\n")), '\n'), 0o600); err != nil {
					t.Fatal(err)
				}
				s := openFile(t, path)
				for _, part := range samplePartsOf(readTree(s), 2) {
					var astray *int
					if part.Scope == export.Subtree && (strings.HasPrefix(v.Name, "fuzz-") || firstKind(readTree(s), part).IsBookkeeping()) {
						astray = new(int)
						random++
					}
					if checkSameConversation(t, s, part, astray) {
						made++
					}
					if astray != nil && *astray > 0 {
						parted++
					}
				}
			})
		}
	}
	if made < 1500/sampletest.Step() || parted*100 > random {
		t.Errorf("%d parts could be made; %d of %d random ones are laid out otherwise", made, parted, random)
	}
}

func firstKind(tr *session.Tree, part export.Part) session.Kind {
	return tr.At(tr.FindID(part.Entry)).Kind
}

func rawBytes(raw []json.RawMessage) (all [][]byte) {
	for _, r := range raw {
		all = append(all, r)
	}
	return all
}

// isSingleSession reports whether all lines belong to one session.
func isSingleSession(t *testing.T, lines []json.RawMessage) bool {
	ids := map[string]bool{}
	for _, line := range lines {
		var l struct{ SessionID string }
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		ids[l.SessionID] = true
	}
	return len(ids) == 1
}
