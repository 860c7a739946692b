package live

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/store"
)

func rev(epoch uint64, n int64) store.Revision { return store.Revision{Epoch: epoch, N: n} }

func TestNoticeMerge(t *testing.T) {
	at := func(kind follow.Kind, entries int) notice {
		return notice{Event: follow.Event{Topic: "t", Kind: kind, Entries: entries, Rev: rev(1, int64(entries)), Leaf: fmt.Sprint(entries)}}
	}
	tests := []struct {
		name       string
		old, newer notice
		want       follow.Kind
	}{
		{"appends", at(follow.Appended, 1), at(follow.Appended, 2), follow.Appended},
		{"a label is not lost", at(follow.Labeled, 1), at(follow.Appended, 2), follow.Labeled},
		{"a label comes later", at(follow.Appended, 1), at(follow.Labeled, 2), follow.Labeled},
		{"a rewrite is not lost", at(follow.Rewritten, 1), at(follow.Appended, 2), follow.Rewritten},
		{"a rewrite beats a label", at(follow.Labeled, 1), at(follow.Rewritten, 2), follow.Rewritten},
		{"gone after a rewrite", at(follow.Rewritten, 1), at(follow.Removed, 2), follow.Removed},
		{"back again", at(follow.Removed, 1), at(follow.Appended, 2), follow.Rewritten},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.old.mergeNewer(tt.newer)
			if got.Kind != tt.want {
				t.Errorf("kind = %v, want %v", got.Kind, tt.want)
			}
			if got.Entries != 3 || got.Rev != tt.newer.Rev || got.Leaf != "2" {
				t.Errorf("merged = %+v, want 3 entries at the newer revision and leaf", got)
			}
		})
	}
}

// In any order of publishing and taking, the taken notices add up to the published ones,
// with at most one pending notice per topic, and a rewrite is never lost.
func TestSubscriber_MergesAllNotices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHub()
		s := newSubscriber()
		s.followTopic("t")
		h.addSubscriber("t", s)
		s.resolveTopic("t", func() (store.Revision, *notice) { return rev(1, 0), nil })
		published, taken := 0, 0
		var rewrites bool
		told := rev(1, 0)
		take := func() {
			ns := s.takePending()
			if len(ns) > 1 {
				t.Fatalf("%d notices of one topic pending", len(ns))
			}
			for _, n := range ns {
				taken += n.Entries
				rewrites = rewrites || n.Kind == follow.Rewritten
				told = n.Rev
			}
		}
		last, rewritten := rev(1, 0), false
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "take") == 0 {
				take()
				continue
			}
			n := notice{Event: follow.Event{Topic: "t", Kind: follow.Appended, Entries: rapid.IntRange(0, 5).Draw(t, "entries")}}
			if rapid.IntRange(0, 9).Draw(t, "rewrite") == 0 {
				n.Kind, rewritten = follow.Rewritten, true
				last.Epoch++
			}
			last.N++
			n.Rev = last
			published += n.Entries
			if err := h.publishToTopic(n); err != nil {
				t.Fatal(err)
			}
		}
		take()
		if taken != published || rewrites != rewritten || told != last {
			t.Fatalf("taken %d of %d entries, rewrite told %v of %v, at %v of %v", taken, published, rewrites, rewritten, told, last)
		}
	})
}

func TestSubscriber_DropsResumedState(t *testing.T) {
	s := newSubscriber()
	s.followTopic("t")
	s.resolveTopic("t", func() (store.Revision, *notice) {
		return rev(1, 10), &notice{Event: follow.Event{Topic: "t", Rev: rev(1, 10), Entries: 4}}
	})
	s.addNotice(notice{Event: follow.Event{Topic: "t", Rev: rev(1, 8), Entries: 2}})
	s.addNotice(notice{Event: follow.Event{Topic: "t", Rev: rev(1, 10), Entries: 2}})
	s.addNotice(notice{Event: follow.Event{Topic: "t", Rev: rev(1, 11), Entries: 1}})
	got := s.takePending()
	if len(got) != 1 || got[0].Entries != 5 || got[0].Rev != rev(1, 11) {
		t.Errorf("pending = %+v, want one notice of 5 entries", got)
	}
}

// Two changes may be published out of order. The browser gets the rewrite nevertheless, and
// nothing of an earlier epoch.
func TestSubscriber_NoticesOutOfOrder(t *testing.T) {
	rewrite := notice{Event: follow.Event{Topic: "t", Kind: follow.Rewritten, Rev: rev(5, 100), Entries: 9}}
	append1 := notice{Event: follow.Event{Topic: "t", Kind: follow.Appended, Rev: rev(5, 110), Entries: 1}}
	label := notice{Event: follow.Event{Topic: "t", Kind: follow.Labeled, Rev: rev(5, 110), Entries: 1}}
	tests := []struct {
		name string
		ns   []notice
		kind follow.Kind
		rev  store.Revision
	}{
		{"in order", []notice{rewrite, append1}, follow.Rewritten, rev(5, 110)},
		{"overtaken", []notice{append1, rewrite}, follow.Rewritten, rev(5, 110)},
		{"overtaken by a label", []notice{label, rewrite}, follow.Rewritten, rev(5, 110)},
		{"an append of before", []notice{rewrite, {Event: follow.Event{Topic: "t", Rev: rev(4, 60)}}}, follow.Rewritten, rev(5, 100)},
		{"a removal of before", []notice{rewrite, {Event: follow.Event{Topic: "t", Kind: follow.Removed, Rev: rev(4, 50)}}}, follow.Rewritten, rev(5, 100)},
		{"a removal now", []notice{rewrite, {Event: follow.Event{Topic: "t", Kind: follow.Removed, Rev: rev(5, 100)}}}, follow.Removed, rev(5, 100)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, s := newHub(), newSubscriber()
			s.followTopic("t")
			h.addSubscriber("t", s)
			s.resolveTopic("t", func() (store.Revision, *notice) { return rev(4, 50), nil })
			for _, n := range tt.ns {
				if err := h.publishToTopic(n); err != nil {
					t.Fatal(err)
				}
			}
			ns := s.takePending()
			if len(ns) != 1 || ns[0].Kind != tt.kind || ns[0].Rev != tt.rev {
				t.Fatalf("told %+v, want one %v at %v", ns, tt.kind, tt.rev)
			}
			if err := ns[0].prepareFrame(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A change published while the first notice is computed restarts the computation, so that
// each entry counts once.
func TestResolveTopic_StartsOver(t *testing.T) {
	s := newSubscriber()
	s.followTopic("t")
	state := rev(1, 5)
	calls := 0
	s.resolveTopic("t", func() (store.Revision, *notice) {
		calls++
		now := state
		if calls == 1 {
			state = rev(1, 6)
			s.addNotice(notice{Event: follow.Event{Topic: "t", Rev: state, Entries: 1}})
		}
		return now, &notice{Event: follow.Event{Topic: "t", Rev: now, Entries: int(now.N)}}
	})
	got := s.takePending()
	if calls != 2 || len(got) != 1 || got[0].Entries != 6 {
		t.Errorf("after %d calls pending = %+v, want 2 calls and 6 entries", calls, got)
	}
}

func TestUnfollowTopic_DropsPending(t *testing.T) {
	h := newHub()
	s := newSubscriber()
	for _, topic := range []string{"a", "b"} {
		s.followTopic(topic)
		h.addSubscriber(topic, s)
		s.resolveTopic(topic, func() (store.Revision, *notice) { return rev(1, 0), nil })
		_ = h.publishToTopic(notice{Event: follow.Event{Topic: topic, Rev: rev(1, 1)}})
	}
	h.removeSubscriber("a", s)
	s.unfollowTopic("a")
	_ = h.publishToTopic(notice{Event: follow.Event{Topic: "a", Rev: rev(1, 2)}})
	if got := s.takePending(); len(got) != 1 || got[0].Topic != "b" {
		t.Errorf("pending = %+v, want only topic b", got)
	}
	if len(h.topics) != 1 {
		t.Errorf("the hub keeps %d topics, want 1", len(h.topics))
	}
}

func TestNoticeJSON(t *testing.T) {
	data, err := notice{Event: follow.Event{Topic: "session:k", Rev: rev(35, 36), Kind: follow.Labeled, Leaf: "x", Entries: 2}}.encodeNotice()
	if err != nil {
		t.Fatal(err)
	}
	var got noticeJSON
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	want := noticeJSON{"session:k", rev(35, 36).String(), "label", "x", 2}
	if got != want {
		t.Errorf("encode = %s, want %+v", data, want)
	}
}

// Concurrent publishers, subscribers and takers, for the race detector and for the sum.
func TestHubConcurrently(t *testing.T) {
	h := newHub()
	const topics, each = 4, 500
	subs := make([]*subscriber, 8)
	for i := range subs {
		subs[i] = newSubscriber()
		for k := range topics {
			name := fmt.Sprint(k)
			subs[i].followTopic(name)
			h.addSubscriber(name, subs[i])
			subs[i].resolveTopic(name, func() (store.Revision, *notice) { return rev(1, 0), nil })
		}
	}
	var publishing, taking sync.WaitGroup
	done := make(chan struct{})
	sums := make([]int, len(subs))
	for i, s := range subs {
		taking.Go(func() {
			for {
				select {
				case <-s.ready:
				case <-done:
					for _, n := range s.takePending() {
						sums[i] += n.Entries
					}
					return
				}
				for _, n := range s.takePending() {
					sums[i] += n.Entries
				}
			}
		})
	}
	for k := range topics {
		publishing.Go(func() {
			for n := range each {
				_ = h.publishToTopic(notice{Event: follow.Event{Topic: fmt.Sprint(k), Rev: rev(1, int64(n+1)), Entries: 1}})
			}
		})
	}
	publishing.Wait()
	close(done)
	taking.Wait()
	for i, sum := range sums {
		if sum != topics*each {
			t.Errorf("subscriber %d was told of %d entries, want %d", i, sum, topics*each)
		}
	}
}
