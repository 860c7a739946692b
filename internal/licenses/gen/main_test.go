package main

import (
	"os/exec"
	"strings"
	"testing"

	"sessiontree/internal/licenses"
)

// The committed notice matches the current dependencies.
func TestNotice(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	text, err := buildNotice("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != licenses.Notice {
		t.Error("internal/licenses/NOTICE is not what the program is built from: run go generate ./internal/licenses")
	}
	for _, want := range []string{"\nidiomorph\n", "\ngitleaks", "\nGo (standard", "\ngithub.com/spf13/cobra v", "\ngithub.com/inconshreveable/mousetrap v", "Zachary Rice"} {
		if !strings.Contains(licenses.Notice, want) {
			t.Errorf("the notice does not name %q", want)
		}
	}
}
