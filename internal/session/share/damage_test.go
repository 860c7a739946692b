package share_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"sessiontree/internal/session/share"
)

// The list contains shares with a damaged record or snapshot and reports the damage.
// Their links show nothing, and they can be revoked.
func TestList_Damaged(t *testing.T) {
	for _, file := range []string{"share.json", "*.jsonl"} {
		for name, damage := range map[string]func(text []byte) []byte{
			"empty": func([]byte) []byte { return nil },
			"half":  func(text []byte) []byte { return text[:len(text)/2] },
			"random": func(text []byte) []byte {
				bad := make([]byte, len(text))
				_, _ = rand.Read(bad)
				bad[0] = 0xff
				return bad
			},
		} {
			t.Run(file+" "+name, func(t *testing.T) {
				dir, c := t.TempDir(), newClock()
				token, made := createShare(t, openShares(t, dir, c), wholeRequest(openSource(t, forkedFile)))
				found, err := filepath.Glob(filepath.Join(dir, made.ID, file))
				if err != nil || len(found) != 1 {
					t.Fatalf("found %v, %v", found, err)
				}
				text, err := os.ReadFile(found[0])
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(found[0], damage(text), 0o600); err != nil {
					t.Fatal(err)
				}
				s := openShares(t, dir, c)
				list := s.List()
				if len(list) != 1 || list[0].ID != made.ID || list[0].StateAt(c.now()) != share.Damaged || list[0].Damage == "" {
					t.Fatalf("the list is %+v", list)
				}
				if _, err := s.FindByToken(token); err == nil {
					t.Error("the link shows it")
				}
				if err := s.Revoke(t.Context(), made.ID); err != nil {
					t.Fatal(err)
				}
				if list := s.List(); len(list) != 1 || list[0].StateAt(c.now()) != share.Revoked {
					t.Errorf("revoked, the list is %+v", list)
				}
				if _, err := s.FindByToken(token); err == nil || errors.Is(err, os.ErrInvalid) {
					t.Errorf("revoked, the link says %v", err)
				}
			})
		}
	}
}
