package store

import (
	"bytes"
	"testing"
)

func TestLoads(t *testing.T) {
	var l activeLoads
	data := bytes.Repeat([]byte("x"), 100)
	c := l.beginLoad("/a", bytes.NewReader(data), 100)
	if n, err := c.ReadAt(make([]byte, 60), 0); n != 60 || err != nil {
		t.Fatal(n, err)
	}
	if n, _ := c.ReadAt(make([]byte, 60), 60); n != 40 {
		t.Fatal(n)
	}
	if got, ok := l.findLoad("/a"); !ok || got.BytesRead() != 100 || got.Size != 100 {
		t.Errorf("of a file that is read: %+v, %v", got, ok)
	}
	l.endLoad("/a")
	if _, ok := l.findLoad("/a"); ok {
		t.Error("a file that was read is still known")
	}
}
