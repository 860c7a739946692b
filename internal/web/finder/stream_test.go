package finder

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/web/view"
)

func TestWriteHits(t *testing.T) {
	t.Parallel()
	f := open(t, branched()...)
	c := NewCache()
	for _, tt := range []struct {
		name string
		r    Request
		want []string
	}{
		{"a word", Request{Text: "watcher"}, []string{
			": prompt u1 Add a file [watcher], please",
			"a1: thinking a1 the [watcher] is easy",
			"a1: output r1 ENOSPC: too many file [watcher]s | bash npm test failed",
			": prompt u2 A file [WATCHER] <b>from npm</b>",
			": input a2 read /src/shop/[watcher].go | read watcher.go",
		}},
		{"a phrase", Request{Text: `"file watcher"`}, []string{
			": prompt u1 Add a [file watcher], please",
			"a1: output r1 ENOSPC: too many [file watcher]s | bash npm test failed",
			": prompt u2 A [file WATCHER] <b>from npm</b>",
		}},
		{"words in a label and in an answer", Request{Text: "good chokidar"}, []string{": label a2 [good] one"}},
		{"a filter", Request{Text: "watcher role:prompt is:abandoned"}, nil},
		{"a key of JSON", Request{Text: "toolCallId"}, nil},
		{"failed calls", Request{Failed: true, Text: "unused"}, []string{"a1: output r1 ENOSPC: too many file watchers | bash npm test failed"}},
		{"nothing", Request{}, nil},
	} {
		got := f.search(c, tt.r)
		if diff := cmp.Diff(tt.want, got.describe()); diff != "" || !got.Done || got.Error != "" {
			t.Errorf("%s: done %t, %q (-want +got):\n%s", tt.name, got.Done, got.Error, diff)
		}
	}
}

// The first line says where the viewed entry is, and a branch is described before its hits.
func TestWriteHits_Places(t *testing.T) {
	t.Parallel()
	f := open(t, branched()...)
	c := NewCache()
	got := f.search(c, Request{Text: "watcher", Viewed: "r1"})
	if got.Viewed == nil || got.Viewed.Branch != "a1" || got.Viewed.Order != got.Hits[2].Order || cmp.Diff([]string{"watcher"}, got.Words) != "" {
		t.Errorf("start line %+v, viewed %+v", got.startLine, got.Viewed)
	}
	want := []branchJSON{{Kind: "path"}, {ID: "a1", Kind: "abandoned", Title: "Use fs.watch()", Time: 1795168980000}}
	if diff := cmp.Diff(want, got.Branches); diff != "" {
		t.Errorf("branches (-want +got):\n%s", diff)
	}
	if a, b := got.Hits[0], got.Hits[3]; a.Order >= b.Order || a.Branch != b.Branch {
		t.Errorf("%+v is not before %+v", a, b)
	}
	if got := f.search(c, Request{Text: "watcher"}); got.Viewed == nil || got.Viewed.Branch != "" {
		t.Errorf("the leaf is at %+v", got.Viewed)
	}
	if got := f.search(c, Request{Text: "watcher", Viewed: "gone"}); got.Viewed != nil {
		t.Errorf("an unknown entry is at %+v", got.Viewed)
	}
}

func TestWriteHits_Invalid(t *testing.T) {
	t.Parallel()
	got := open(t, branched()...).search(NewCache(), Request{Text: "re:("})
	if got.lines != 1 || got.Error == "" || !got.Done {
		t.Errorf("an invalid pattern: %+v", got)
	}
}

// After an append only the hits in the new entries are sent. After a change of older
// entries all are.
func TestWriteHits_Since(t *testing.T) {
	t.Parallel()
	f := open(t, branched()...)
	c := NewCache()
	since := f.sess.Revision()
	f.append(prompt("u3", "l1", 7, "a faster watcher"))
	got := f.search(c, Request{Text: "watcher", Since: since})
	if diff := cmp.Diff([]string{": prompt u3 a faster [watcher]"}, got.describe()); diff != "" || !got.Added {
		t.Errorf("hits since an append, added %t (-want +got):\n%s", got.Added, diff)
	}
	f.append(label("l2", "u3", "u1", "first"))
	if got := f.search(c, Request{Text: "watcher", Since: since}); got.Added || len(got.Hits) != 6 {
		t.Errorf("after a label: added %t, %d hits; want all 6", got.Added, len(got.Hits))
	}
}

// A search ends when nobody reads its hits.
func TestWriteHits_Ends(t *testing.T) {
	t.Parallel()
	f := open(t, branched()...)
	r := Request{Session: f.sess, Config: view.Config{}, Text: "watcher"}
	broken, w := io.Pipe()
	broken.Close()
	if err := NewCache().WriteHits(t.Context(), w, func() {}, r); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want that of the writer", err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := NewCache().WriteHits(gone, io.Discard, func() {}, r); err != nil {
		t.Errorf("a canceled search: %v", err)
	}
}
