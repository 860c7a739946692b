package main

import (
	"strings"
	"time"

	"sessiontree/internal/bench/transcript"
)

const (
	dotfilesOmp = "omp/-dotfiles"
	dotfilesPi  = "pi/--home-dev-dotfiles--"
)

// dotfiles is a home directory: oh-my-pi in two versions with a sub-agent, and pi
// version 2.
func dotfiles() []session {
	prompt, shell, old := day.Add(-4*24*time.Hour), day.Add(-6*24*time.Hour), day.AddDate(0, -9, 0)
	main, scout := promptSpeed(prompt), promptScout(prompt.Add(2*time.Minute))
	at := place(dotfilesOmp, prompt, main)
	return []session{
		at,
		{path: strings.TrimSuffix(at.path, ".jsonl") + "/0-scout.jsonl", data: scout.Bytes()},
		place(dotfilesOmp, shell, shellMove(shell)),
		place(dotfilesPi, old, hooks(old)),
	}
}

// slot is oh-my-pi's title line: always 256 bytes with its end.
func slot(title string, at time.Time) string {
	head := `{"type":"title","v":1,"title":"` + title + `","source":"auto","updatedAt":"` + at.UTC().Format("2006-01-02T15:04:05.000Z") + `","pad":"`
	return head + strings.Repeat(" ", 255-len(head)-len(`"}`)) + `"}`
}

func promptSpeed(start time.Time) *transcript.File {
	f := transcript.New(transcript.Omp, "01a1e4c2-8000-7d4e-8f00-d07f11e00001", "/home/dev/dotfiles", start)
	f.Prepend(slot("Prompt without git", start.Add(time.Minute)))
	f.Cost = .0002
	f.SetModel("qwen", "qwen3-coder")
	f.SetThinking("medium")
	f.User("Make my prompt show the git branch without calling git.")
	f.Entry("mode_change", "mode", "plan")
	f.Message("fileMention", "files", []transcript.O{{"path", "zsh/prompt.zsh", "content", "PROMPT='%~ $(git branch --show-current) %# '\n", "lineCount", 1}})
	f.Think("The branch is in .git/HEAD. Walk up to find it.", "The branch stands in `.git/HEAD`. Reading one file takes well under a millisecond, starting git takes six.")
	f.Entry("mode_change", "mode", "none")
	f.Call("A scout will look at how others do it.", "task", transcript.O{"agent", "scout", "task", "Find prompts that read .git/HEAD"})
	f.Result("Two ways: read .git/HEAD directly, or keep the branch in a variable and refresh it on cd.")
	f.Edit("", "zsh/prompt.zsh", "$(git branch --show-current)", "$(branch)", "+  1 branch() {\n+  2   local d=$PWD\n+  3   while [[ $d != / && ! -e $d/.git/HEAD ]]; do d=${d:h}; done\n+  4   [[ -r $d/.git/HEAD ]] && print ${$(<$d/.git/HEAD)#ref: refs/heads/}\n+  5 }\n-  1 PROMPT='%~ $(git branch --show-current) %# '\n+  6 PROMPT='%~ $(branch) %# '\n")
	tip := f.Say("The prompt now takes 0.4 ms instead of 6.")
	f.User("Worktrees have a .git file, not a directory.")
	f.Say("Right. Then the file names the directory to look in. I'll follow it once.")
	f.Label(tip, "fast")
	f.Entry("reset_boundary")
	f.User("New topic: why does tmux swallow ctrl-shift-arrow?")
	f.Say("tmux forwards it only with `set -s extended-keys on`.")
	f.Entry("title_change", "title", "Prompt without git", "source", "auto")
	return f
}

func promptScout(start time.Time) *transcript.File {
	f := transcript.New(transcript.Omp, "01a1e4c2-8000-7d4e-8f00-d07f11e00002", "/home/dev/dotfiles", start)
	f.Prepend(slot("Scout", start))
	f.Cost = .0001
	f.SetModel("qwen", "qwen3-coder")
	f.Entry("session_init", "systemPrompt", "You look things up and report in two sentences.", "task", "Find prompts that read .git/HEAD", "tools", []string{"read", "grep"}, "agent", "scout")
	f.User("Find prompts that read .git/HEAD")
	f.Call("", "grep", transcript.O{"pattern", "\\.git/HEAD", "path", "/usr/share/zsh"})
	f.Result("functions/Misc/vcs_info: HEAD\n")
	f.Say("Two ways: read .git/HEAD directly, or keep the branch in a variable and refresh it on cd.")
	return f
}

func shellMove(start time.Time) *transcript.File {
	f := transcript.New(transcript.Omp, "V1StGXR8_Z5jdHi6B-myT", "/home/dev/dotfiles", start, "title", "From bash to zsh")
	f.Cost = .0004
	f.SetModel("qwen", "qwen3-coder")
	f.SetThinking("high")
	f.User("Move my aliases from bash to zsh.")
	f.Read("", "bash/aliases.sh", "alias ll='ls -l'\nalias gs='git status'\nalias ..='cd ..'\n")
	both := f.Say("All three work in zsh as they are.")
	f.Entry("ttsr_injection", "injectedRules", []string{"keep-bash-working"})
	f.User("Then source the same file from both.")
	f.Say("Both shells now source `shell/aliases.sh`.")
	f.Back(both)
	f.User("Use zsh global aliases for pipes too.")
	f.Say("`alias -g L='| less'` works only in zsh, so it goes into `zsh/aliases.zsh`.")
	return f
}

// hooks is of version 2, which kept messages of extensions under another role.
func hooks(start time.Time) *transcript.File {
	f := transcript.New(transcript.V2, "c41b6d1e-0f5c-4f0c-9f57-d07f11e00003", "/home/dev/dotfiles", start)
	f.SetModel("anthropic", "claude-sonnet-4-5")
	f.User("Warn me when a commit message is longer than 72 characters.")
	f.Message("hookMessage", "customType", "commit-hook", "content", "A git hook is installed: commit-msg", "display", true)
	f.Say("The hook prints a warning and lets the commit pass.")
	f.User("Refuse it instead.")
	f.Say("Now it refuses with exit code 1.")
	return f
}
