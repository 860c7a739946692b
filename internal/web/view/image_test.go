package view

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// Pages do not refer to images whose files are missing.
func TestImage_Missing(t *testing.T) {
	dir := t.TempDir()
	there, gone := strings.Repeat("0a", 32), strings.Repeat("0b", 32)
	if err := os.Mkdir(filepath.Join(dir, "blobs"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "blobs", there), []byte("image"), 0o600); err != nil {
		t.Fatal(err)
	}
	image := func(name string) string {
		return fmt.Sprintf(`{"type":"image","mimeType":"image/png","data":"blob:sha256:%s"}`, name)
	}
	var s script
	s.add("u1", "", `"type":"message","message":{"role":"user","content":[`+image(there)+","+image(gone)+`]}`)
	slot := `{"type":"title","v":1,"title":"t","updatedAt":"2026-02-03T09:00:00.000Z","pad":"` // makes it a session of oh-my-pi
	slot += strings.Repeat(" ", 253-len(slot)) + "\"}\n"
	sess := openFile(t, filepath.Join(dir, "s.jsonl"), slot+s.text())
	shown := images(t, sess)
	if len(shown) != 2 || shown[0].Src == "" || shown[1].Src != "" || !strings.Contains(shown[1].Text, "is missing") {
		t.Errorf("images: %+v", shown)
	}
}

func images(t *testing.T, sess *store.Session) (found []components.BlockModel) {
	t.Helper()
	m, err := testBuilder().PathModel(t.Context(), SessionView{Session: sess}, Params{}, PathQuery{}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range m.Items {
		for _, b := range item.Blocks {
			if b.Kind == "image" {
				found = append(found, b)
			}
		}
	}
	return found
}
