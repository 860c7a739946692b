package hook

import (
	"errors"
	"fmt"

	"github.com/mattn/go-shellwords"
)

// ParseCommand splits a command into a program and its arguments, with the quotes of a
// shell. It refuses everything else that needs a shell.
func ParseCommand(text string) ([]string, error) {
	parser := shellwords.NewParser()
	parser.ParseEnv, parser.ParseBacktick = false, false
	argv, err := parser.Parse(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("command %q: %w", text, err)
	case parser.Position >= 0: // it stopped at an operator
		return nil, fmt.Errorf("command %q: no shell runs it: quote what only a shell understands, or put it into a script", text)
	case len(argv) == 0:
		return nil, errors.New("the command is empty")
	}
	return argv, nil
}
