package redact

import "testing"

// TestUserPlaces checks that a name found by its home directory is found in other places, too.
// Common names are kept there as well, and so is text that only looks like such a place.
func TestUserPlaces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"~/.claude/projects/-home-bob-src-atlas/x.jsonl", "~/.claude/projects/-home-user-src-atlas/x.jsonl"},
		{`"-Users-eve-atlas" and -Users-eve-atlas`, `"-Users-user-atlas" and -Users-user-atlas`},
		{`projects\\-Users-eve`, `projects\\-Users-user`},
		{"sessions/--home-bob.k-src--/x --home-bob--", "sessions/--home-user-src--/x --home-user--"},
		{"projects/-home-dana-w-src", "projects/-home-user-src"},
		{"/mnt/c/Users/bob/x", "~/x"},
		{`in\n/mnt/d/Users/bob`, `in\n~`},
		{"cd /c/Users/bob && ls", "cd ~ && ls"},
		{`C:\Users\eve\x`, `~\x`},
		{`C:\USERS\EVE\x`, `~\x`},
		{"/cygdrive/c/Users/bob/x /var/home/bob/x /export/home/bob /usr/home/bob/", "~/x ~/x ~ ~/"},
		{"vscode://file/home/bob/x?folder=%2Fhome%2Fbob%2Fsrc file%3A%2FUsers%2Feve%2Fx", "vscode://file~/x?folder=~%2Fsrc file%3A~%2Fx"},
		{"USER=bob LOGNAME=bob\nSUDO_USER=bob USERNAME=eve", "USER=user LOGNAME=user\nSUDO_USER=user USERNAME=user"},
		{"ssh bob@box.local uptime", "ssh user@box.local uptime"},
		{"bob@box:~/src$ ls", "user@box:~/src$ ls"},
		{"bob@box:~$ ls\nbob@box:/tmp# ls", "user@box:~$ ls\nuser@box:/tmp# ls"},
		{"[bob@box src]$ ls", "[user@box src]$ ls"},
		{`\nbob@box:/tmp$`, `\nuser@box:/tmp$`},
		{"bob@kestrel:~/x", "user@host:~/x"},
		{"uid=1000(bob) gid=1000(bob) groups=1000(bob),27(sudo)", "uid=1000(user) gid=1000(user) groups=1000(user),27(sudo)"},
		{"uid=501(eve) gid=20(staff) groups=20(staff),12(everyone)", "uid=501(user) gid=20(staff) groups=20(staff),12(everyone)"},
	} {
		if got, _ := dana.RedactText(c.text, both); got != c.want {
			t.Errorf("Replace(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	for _, text := range []string{
		"projects/-home-dev-src -home-user-x -Users-runner-y", "/mnt/c/Users/user/x", "dev@box:~/src$", "root@1f2e3d:/#", "uid=0(root) gid=0(root)", "[dev@box x]$",
		"--home-directory=/x --home-page", "back-home-again", "is-home-page -home- x", "lodash@npm:~4.17.21", "left@file:/x left@workspace:~ a@https://x", "/api/v2/Users/bobby",
		"https://bob@box:/x", "a@b", "x@y:~4", "guid=1000(x)", "[see a@b and c]", "uid=(bob)", "git@github.com:~bob/x", "@app:/x", "/abc/Users/bobby",
		"POSTGRES_USER=bob", "user=bob", "x%2Fhome%2Fbobby", "/srv/var/home/bobby", "src/home/bobby", "ssh git@github.com", "USER=$USER", `src\users\bobby.go`,
	} {
		if got, _ := dana.RedactText(text, both); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// The name of the home directory is hidden, too, where it is another one than the user's, and the user's
// name without its domain.
func TestUserPlaces_ownNames(t *testing.T) {
	for _, c := range []struct {
		options    Options
		text, want string
	}{
		{Options{Home: "/home/mara.k", User: "root"}, "mara.k wrote /home/mara.k/x as root", "user wrote ~/x as root"},
		{Options{Home: `C:\Users\mara`, User: `CORP\mara`}, `MARA in C:\Users\mara`, `user in ~`},
		{Options{Home: "/srv/build", User: "root"}, "build /srv/build/x", "build ~/x"},
		{Options{Home: "/home/app", User: "mara"}, "the app of mara", "the app of user"},
	} {
		if got, _ := New(c.options).RedactText(c.text, both); got != c.want {
			t.Errorf("%+v: %q becomes %q, want %q", c.options, c.text, got, c.want)
		}
	}
}
