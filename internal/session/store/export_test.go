package store

// Pause has fn called where another writer may come between: "encoded" before the
// last look at the file's size, "checked" after it.
func (l *Library) Pause(fn func(stage string)) { l.pause = fn }
