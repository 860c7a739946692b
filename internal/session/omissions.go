package session

// Omissions is what is left out of recorded lines for others.
type Omissions struct {
	Output   bool // what tools and commands answered
	Thinking bool
	Images   bool
}

// OmitsAny reports whether anything is left out.
func (w Omissions) OmitsAny() bool { return w != Omissions{} }

// What stands in a line for what was left out of it.
const (
	OmittedText      = "[left out]"
	OmittedImageText = "[image left out]"
)
