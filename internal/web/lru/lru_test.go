package lru

import "testing"

func TestLRU(t *testing.T) {
	l := New[string, int](10)
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
	l.Add("a", 1, 4)
	l.Add("b", 2, 4)
	if v, ok := l.Get("a"); v != 1 || !ok {
		t.Errorf("get a = %d, %v", v, ok)
	}
	l.Add("c", 3, 4)
	has("a", "c") // b is the least recently used
	l.Add("a", 5, 2)
	if v, _ := l.Get("a"); v != 5 || l.weight != 6 {
		t.Errorf("replaced a = %d of weight %d in all, want 5 of 6", v, l.weight)
	}
	l.Add("huge", 6, 100)
	has("huge")
	l.Add("d", 7, 1)
	has("d")
	if l.weight != 1 {
		t.Errorf("weight %d, want 1", l.weight)
	}
	l.Add("e", 8, 1)
	l.Trim(1)
	has("e")
	l.Trim(0)
	has()
	if _, ok := l.Get("nobody"); ok {
		t.Error("found what was never added")
	}
}
