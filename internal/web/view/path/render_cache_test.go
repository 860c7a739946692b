package path

import "testing"

func TestRenderer_TrimCache(t *testing.T) {
	r := NewRenderer()
	first, last := newRenderKey("test", "first"), newRenderKey("test", "last")
	r.cache.addRendered(first, "<p>first</p>")
	r.cache.addRendered(last, "<p>last</p>")
	r.TrimCache(len("<p>last</p>"))
	if _, ok := r.cache.findRendered(first); ok {
		t.Error("the text used longest ago is still cached")
	}
	if _, ok := r.cache.findRendered(last); !ok {
		t.Error("the text used last is not cached")
	}
}
