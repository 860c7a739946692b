package jsonl

import (
	"errors"
	"testing"
)

func TestWhole(t *testing.T) {
	t.Parallel()
	if v, err := ParseObject([]byte(` {"a":1} `)); err != nil || v.Kind() != '{' {
		t.Errorf("an object: %q, %v", v.Raw, err)
	}
	for _, text := range []string{`[1]`, `"a"`, `null`, `1`} {
		if _, err := ParseObject([]byte(text)); !errors.Is(err, ErrNotObject) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{``, `{"a":1`, `{} {}`, `{"a"}`} {
		if _, err := ParseObject([]byte(text)); err == nil || errors.Is(err, ErrNotObject) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{`"2026-01-02T03:04:05Z"`: 1767323045000, `"2026-01-02T04:04:05.678901+01:00"`: 1767323045678} {
		if ms, ok := (Value{Raw: []byte(text)}).ParseTime(); !ok || ms != want {
			t.Errorf("%s: %d, %v", text, ms, ok)
		}
	}
	for _, text := range []string{`"yesterday"`, `""`, `5`, `null`} {
		if ms, ok := (Value{Raw: []byte(text)}).ParseTime(); ok {
			t.Errorf("%s: %d", text, ms)
		}
	}
}

func TestPool_letsGoOfWhatIsHuge(t *testing.T) {
	t.Parallel()
	var p Pool[[]byte]
	x := p.Get()
	*x = make([]byte, 10)
	p.Put(x, maxPooledLine+1)
	if *x != nil {
		t.Error("the memory of a huge line is kept")
	}
	*x = make([]byte, 10)
	p.Put(x, maxPooledLine)
	if *x == nil {
		t.Error("the memory of a line is let go")
	}
}
