// Command explorer shows the session files of coding agents as trees, in the browser and
// in a terminal. Package cli has its verbs.
package main

import (
	"os"

	"sessiontree/internal/cli"
	_ "sessiontree/internal/heap/startup" // before all others
)

func main() {
	os.Exit(cli.Main())
}
