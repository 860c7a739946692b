package harness

import (
	"slices"
	"sync"
)

// openPages are the open pages of each running test.
var openPages = pageList{pages: map[T][]*Page{}}

type pageList struct {
	mu    sync.Mutex
	pages map[T][]*Page
}

func (l *pageList) add(t T, p *Page) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pages[t] = append(l.pages[t], p)
}

func (l *pageList) remove(t T, p *Page) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pages[t] = slices.DeleteFunc(l.pages[t], func(other *Page) bool { return other == p })
	if len(l.pages[t]) == 0 {
		delete(l.pages, t)
	}
}

// endConsoles ends the console of each open page of a test, before its servers stop: pages that
// lose their server log failed connections, which are no fault.
func (l *pageList) endConsoles(t T) {
	l.mu.Lock()
	pages := slices.Clone(l.pages[t])
	l.mu.Unlock()
	for _, p := range pages {
		p.endConsole()
	}
}
