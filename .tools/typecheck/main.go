// Typecheck type-checks the packages in and below the working directory and their tests for other
// systems, from source: it takes a fifth of the time that compiling them takes. The arguments are systems, as in GOOS.
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := false
	for _, system := range os.Args[1:] {
		if err := check(system); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", system, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check type-checks for a system.
func check(system string) error {
	pkgs, err := packages.Load(&packages.Config{
		Mode:  packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
		Env:   append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		Tests: true,
	}, "./...")
	if err != nil {
		return err
	}
	if n := packages.PrintErrors(pkgs); n > 0 {
		return fmt.Errorf("%d errors", n)
	}
	return nil
}
