package session

// Omissions says what is omitted from recorded lines for others.
type Omissions struct {
	Output   bool // outputs of tools and commands
	Thinking bool
	Images   bool
}

// OmitsAny reports whether anything is omitted.
func (w Omissions) OmitsAny() bool { return w != Omissions{} }

// Texts in place of what was omitted from a line.
const (
	OmittedText      = "[left out]"
	OmittedImageText = "[image left out]"
)
