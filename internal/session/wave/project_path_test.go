package wave

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// TestEncodePath checks examples with the results of Wave's own encoder.
func TestEncodePath(t *testing.T) {
	t.Parallel()
	times := strings.Repeat
	long := "/home/user/" + times("test", 100)
	dashed := times("/"+times("a", 50), 10)
	for _, c := range []struct {
		name, system, in, want string
	}{
		{"1", "linux", "/home/user/project", "home-user-project"},
		{"2", "linux", "/home/user/my project", "home-user-my_project"},
		{"3", "linux", "/home/user/my   project", "home-user-my_project"},
		{"4", "linux", "/HOME/User/Project", "HOME-User-Project"},
		{"5", "linux", "/home/user/my-project", "home-user-my-project"},
		{"5 collides", "linux", "/home/user/my/project", "home-user-my-project"},
		{"6", "linux", "/home/用户/项目", "home-用户-项目"},
		{"7", "linux", "/home/user/📁项目/🚀app", "home-user-📁项目-🚀app"},
		{"8", "linux", `C:\Users\John\Project`, "Users-John-Project"},
		{"9", "linux", "D:/work/app", "work-app"},
		{"10", "linux", `\\server\share\folder`, "-server-share-folder"},
		{"11", "linux", "/", ""},
		{"12", "linux", "/home/user/.config/app.v2", "home-user-.config-app.v2"},
		{"13", "linux", "/home/user/project\x00file", "home-user-project_file"},
		{"14 windows", "windows", `/home/user/project<>:|?*file`, "home-user-project______file"},
		{"14 darwin", "darwin", `/home/user/project<>:\|?*file`, "home-user-project<>_-|?*file"},
		{"14 linux", "linux", `/home/user/project<>:\|?*file`, "home-user-project<>:-|?*file"},
		{"15", "linux", "/home/user/Project Name: <Test> |Special*Characters?", "home-user-Project_Name:_<Test>_|Special*Characters?"},
		{"16", "linux", "/" + times("b", 200), times("b", 200)},
		{"17", "linux", "/" + times("b", 201), times("b", 191) + "-9bc29913"},
		{"18", "linux", "/home/user/" + times("a", 300), "home-user-" + times("a", 181) + "-2640f76d"},
		{"19", "linux", long, ("home-user-" + times("test", 100))[:191] + "-3d5a335b"},
		{"20", "linux", dashed, strings.ReplaceAll(dashed, "/", "-")[1:192] + "-5e04dca1"},
		{"21", "linux", `C:\` + times("d", 250), times("d", 191) + "-3ed14f25"},
		{"22", "linux", "/home/user/proj/", "home-user-proj-"},
		{"23", "linux", "~/project", "~-project"},
		{"24", "linux", "/home/user/a\u00a0b", "home-user-a_b"},
		{"25", "linux", "/a//b", "a--b"},
		{"26", "linux", "/Users/liuyiqi/github/wave-agent/.wave/worktrees/smart-brave-hawk", "Users-liuyiqi-github-wave-agent-.wave-worktrees-smart-brave-hawk"},
		{"27", "linux", "/C:/x", "C:-x"},
		{"28, its link resolved", "linux", "/home/me/notes/.scratch/lnk/real dir", "home-me-notes-.scratch-lnk-real_dir"},
		{"darwin colon", "darwin", "/home/user/project:file", "home-user-project_file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := EncodePath(c.in, c.system); got != c.want {
				t.Errorf("EncodePath(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

// TestEncodePath_units checks that exactly ECMAScript's white space counts, and that lengths are in
// UTF-16 units.
func TestEncodePath_units(t *testing.T) {
	t.Parallel()
	for _, r := range "\t\n\v\f\r \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff" {
		if got := EncodePath("/a"+string(r)+string(r)+"b", "linux"); got != "a_b" {
			t.Errorf("%U: %q", r, got)
		}
	}
	for _, r := range "\u0085\u180e\u200b" {
		if got := EncodePath("/a"+string(r)+"b", "linux"); got != "a"+string(r)+"b" {
			t.Errorf("%U was taken for white space", r)
		}
	}
	split := EncodePath("/"+strings.Repeat("x", 190)+strings.Repeat("🚀", 10), "linux")
	if !strings.HasPrefix(split, strings.Repeat("x", 190)+"\uFFFD-") || len(utf16.Encode([]rune(split))) != maxProjectName {
		t.Errorf("a pair that is cut: %q", split)
	}
	if got := EncodePath("/"+strings.Repeat("项", 200), "linux"); len(got) != 600 {
		t.Errorf("200 units of three bytes were cut: %d", len(got))
	}
}

func TestDecodePath(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"home-user-my_project": "/home/user/my project", "": "", strings.Repeat("b", 191) + "-9bc29913": "", "home-deadbeef": "",
	} {
		if got := decodePath(in); got != want {
			t.Errorf("decodePath(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestSharedCwd checks the working directory of sessions without a header, by those with one.
func TestSharedCwd(t *testing.T) {
	t.Parallel()
	long := "/home/user/" + strings.Repeat("a", 300)
	for _, c := range []struct {
		name     string
		recorded []string
		want     string
	}{
		{"home-user-my-project", []string{"/home/user/my-project", "/home/user/my-project"}, "/home/user/my-project"},
		{"home-user-my-project", []string{"/home/user/my-project", "/home/user/my/project"}, ""},
		{"home-user-my-project", []string{"/home/user/other", "/home/user/my-project", "/srv"}, "/home/user/my-project"},
		{"home-user-my-project", []string{"/home/user/other"}, ""},
		{"home-user-my-project", nil, ""},
		{"home-user-my_project", []string{"/home/user/my  project"}, "/home/user/my  project"},
		{"Users-John-My_App", []string{`C:\Users\John\My App`}, `C:\Users\John\My App`},
		{"w-a_b", []string{"/w/a:b"}, "/w/a:b"},
		{EncodePath(long, "linux"), []string{long}, long},
	} {
		if got := sharedWorkDir(c.name, c.recorded); got != c.want {
			t.Errorf("sharedCwd(%q, %q) = %q, want %q", c.name, c.recorded, got, c.want)
		}
	}
}
