package web

import "testing"

func TestLRU(t *testing.T) {
	l := newLRU[string, int](10)
	has := func(want ...string) {
		t.Helper()
		if len(l.items) != len(want) || l.order.Len() != len(want) {
			t.Errorf("%d values kept, want %v", len(l.items), want)
		}
		for _, k := range want {
			if _, ok := l.items[k]; !ok {
				t.Errorf("%q is not kept", k)
			}
		}
	}
	l.add("a", 1, 4)
	l.add("b", 2, 4)
	if v, ok := l.get("a"); v != 1 || !ok {
		t.Errorf("get a = %d, %v", v, ok)
	}
	l.add("c", 3, 4)
	has("a", "c") // b was used last of all
	l.add("a", 5, 2)
	if v, _ := l.get("a"); v != 5 || l.weight != 6 {
		t.Errorf("replaced a = %d of weight %d in all, want 5 of 6", v, l.weight)
	}
	l.add("huge", 6, 100)
	has("huge")
	l.add("d", 7, 1)
	has("d")
	if l.weight != 1 {
		t.Errorf("weight %d, want 1", l.weight)
	}
	if _, ok := l.get("nobody"); ok {
		t.Error("found what was never added")
	}
}
