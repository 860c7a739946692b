package session

// Without is what is left out of recorded lines for others.
type Without struct {
	Output   bool // what tools and commands answered
	Thinking bool
	Images   bool
}

// Any reports whether anything is left out.
func (w Without) Any() bool { return w != Without{} }

// What stands in a line for what was left out of it.
const (
	LeftOut      = "[left out]"
	ImageLeftOut = "[image left out]"
)
