package catalog

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sessiontree/internal/session/scan"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/spill"
)

// What a file has of sessions is the same whether their data is read with the rest or stays in the
// file, also when a file is written from the data in another one.
func TestCacheFile(t *testing.T) {
	dir := t.TempDir()
	want := &cacheContent{}
	for n := range 4 {
		ids := newIDFilter(n * 20)
		for i := range n * 20 {
			ids.addID(fmt.Sprint(n, i))
		}
		want.Items = append(want.Items, &listedSession{Summary: Summary{Path: fmt.Sprint(n)}, Spend: spend.File{Log: bytes.Repeat([]byte{byte(n + 1)}, n*200)}, State: summaryState{IDs: ids}})
	}
	k := &cacheContent{Items: append([]*listedSession(nil), want.Items...)}
	for round := range 3 {
		if err := writeCacheFile(dir, k); err != nil {
			t.Fatal(err)
		}
		all := readCacheFile(dir, true)
		if k = readCacheFile(dir, false); k == nil || all == nil || len(k.Items) != len(want.Items) {
			t.Fatal("the file cannot be read")
		}
		for i := range want.Items {
			if large := want.Items[i].hasMovableData(); k.Items[i].hasMovableData() || all.Items[i].hasMovableData() != large {
				t.Errorf("round %d, item %d: data is not where it was wanted", round, i)
			}
			complete, err := k.Items[i].inMemory()
			if err != nil {
				t.Fatal(err)
			}
			compared := cmp.Options{cmp.AllowUnexported(spill.Bytes{}), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(scan.Checkpoint{}, fileChanges{}), cmpopts.IgnoreTypes(Summary{})}
			for _, got := range []*listedSession{complete, all.Items[i]} {
				if diff := cmp.Diff(want.Items[i], got, compared); diff != "" {
					t.Errorf("round %d, item %d (-want +got):\n%s", round, i, diff)
				}
			}
		}
	}
}
