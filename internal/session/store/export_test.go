package store

// Pause has fn called where another writer may come between: "opened" before the
// file is locked, "encoded" before the last look at its size, "checked" after it.
func (l *Library) Pause(fn func(stage string)) { l.pause = fn }

// TakeBack is what follows a short write.
var TakeBack = takeBack
