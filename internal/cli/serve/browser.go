package serve

import (
	"log/slog"
	"os/exec"
	"runtime"
)

// openBrowser opens addr in the user's browser. It only logs a failure because the
// address is printed too.
func openBrowser(addr string, log *slog.Logger) {
	name, args := "xdg-open", []string{addr}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", addr}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		log.Debug("no browser opened", "err", err)
		return
	}
	go func() { _ = cmd.Wait() }() // it may run as long as the browser
}
