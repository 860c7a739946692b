package main

import (
	"net/http"
	"net/http/httptest"
)

// emptyPage has what waitForFirstPaint waits for, and nothing else.
const emptyPage = `<!doctype html><title>Empty</title><div id="tree"><div class="row">.</div></div>`

// measureEmptyPage measures the page that costs nothing but the browser's own time, which other
// first paints contain.
func measureEmptyPage(b *benchmark) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(emptyPage)) }))
	defer s.Close()
	used := b.browser.NewProfile(b)
	defer used.NewPage().Close() // a profile ends with its last tab
	var visit, tab, link durations
	for range b.runs {
		visit = append(visit, measureFirstPaint(b.browser.NewPage(b), s.URL))
		tab = append(tab, measureFirstPaint(used.NewPage(), s.URL))
		link = append(link, measureFirstPaintFromList(used.NewPage(), s.URL, "/empty", lookTime))
	}
	add := func(what string, ts durations) {
		b.table.addResult(result{what: "an empty page: first paint " + what, cache: "warm", measured: ts.formatSpread()})
	}
	add("in a new tab, first visit", visit)
	add("in a new tab", tab)
	add("from another page", link)
}
