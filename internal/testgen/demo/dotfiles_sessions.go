package main

import (
	"strings"
	"time"

	"sessiontree/internal/testgen/transcript"
)

const (
	dotfilesOmp = "omp/-dotfiles"
	dotfilesPi  = "pi/--home-dev-dotfiles--"
)

// dotfilesSessions returns a home directory: oh-my-pi in two versions with a sub-agent,
// and pi version 2.
func dotfilesSessions() []sampleSession {
	prompt, shell, old := newestDay.Add(-4*24*time.Hour), newestDay.Add(-6*24*time.Hour), newestDay.AddDate(0, -9, 0)
	main, scout := promptSpeedSession(prompt), promptScoutSession(prompt.Add(2*time.Minute))
	at := newSample(dotfilesOmp, prompt, main)
	return []sampleSession{
		at,
		{path: strings.TrimSuffix(at.path, ".jsonl") + "/0-scout.jsonl", data: scout.Bytes()},
		newSample(dotfilesOmp, shell, shellMoveSession(shell)),
		newSample(dotfilesPi, old, versionTwoSession(old)),
	}
}

// titleSlot returns oh-my-pi's title line, which is 256 bytes long with its end.
func titleSlot(title string, at time.Time) string {
	head := `{"type":"title","v":1,"title":"` + title + `","source":"auto","updatedAt":"` + at.UTC().Format("2006-01-02T15:04:05.000Z") + `","pad":"`
	return head + strings.Repeat(" ", 255-len(head)-len(`"}`)) + `"}`
}

func promptSpeedSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Omp, "01a1e4c2-8000-7d4e-8f00-d07f11e00001", "/home/dev/dotfiles", start)
	f.PrependLine(titleSlot("Prompt without git", start.Add(time.Minute)))
	f.Cost = .0002
	f.AddModelChange("qwen", "qwen3-coder")
	f.AddThinkingChange("medium")
	f.AddPrompt("Make my prompt show the git branch without calling git.")
	f.AddEntry("mode_change", "mode", "plan")
	f.AddMessage("fileMention", "files", []transcript.Object{{"path", "zsh/prompt.zsh", "content", "PROMPT='%~ $(git branch --show-current) %# '\n", "lineCount", 1}})
	f.AddThinkingReply("The branch is in .git/HEAD. Walk up to find it.", "The branch stands in `.git/HEAD`. Reading one file takes well under a millisecond, starting git takes six.")
	f.AddEntry("mode_change", "mode", "none")
	f.AddToolCall("A scout will look at how others do it.", "task", transcript.Object{"agent", "scout", "task", "Find prompts that read .git/HEAD"})
	f.AddResult("Two ways: read .git/HEAD directly, or keep the branch in a variable and refresh it on cd.")
	f.AddEditCall("", "zsh/prompt.zsh", "$(git branch --show-current)", "$(branch)", "+  1 branch() {\n+  2   local d=$PWD\n+  3   while [[ $d != / && ! -e $d/.git/HEAD ]]; do d=${d:h}; done\n+  4   [[ -r $d/.git/HEAD ]] && print ${$(<$d/.git/HEAD)#ref: refs/heads/}\n+  5 }\n-  1 PROMPT='%~ $(git branch --show-current) %# '\n+  6 PROMPT='%~ $(branch) %# '\n")
	tip := f.AddReply("The prompt now takes 0.4 ms instead of 6.")
	f.AddPrompt("Worktrees have a .git file, not a directory.")
	f.AddReply("Right. Then the file names the directory to look in. I'll follow it once.")
	f.AddLabel(tip, "fast")
	f.AddEntry("reset_boundary")
	f.AddPrompt("New topic: why does tmux swallow ctrl-shift-arrow?")
	f.AddReply("tmux forwards it only with `set -s extended-keys on`.")
	f.AddEntry("title_change", "title", "Prompt without git", "source", "auto")
	return f
}

func promptScoutSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Omp, "01a1e4c2-8000-7d4e-8f00-d07f11e00002", "/home/dev/dotfiles", start)
	f.PrependLine(titleSlot("Scout", start))
	f.Cost = .0001
	f.AddModelChange("qwen", "qwen3-coder")
	f.AddEntry("session_init", "systemPrompt", "You look things up and report in two sentences.", "task", "Find prompts that read .git/HEAD", "tools", []string{"read", "grep"}, "agent", "scout")
	f.AddPrompt("Find prompts that read .git/HEAD")
	f.AddToolCall("", "grep", transcript.Object{"pattern", "\\.git/HEAD", "path", "/usr/share/zsh"})
	f.AddResult("functions/Misc/vcs_info: HEAD\n")
	f.AddReply("Two ways: read .git/HEAD directly, or keep the branch in a variable and refresh it on cd.")
	return f
}

func shellMoveSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Omp, "V1StGXR8_Z5jdHi6B-myT", "/home/dev/dotfiles", start, "title", "From bash to zsh")
	f.Cost = .0004
	f.AddModelChange("qwen", "qwen3-coder")
	f.AddThinkingChange("high")
	f.AddPrompt("Move my aliases from bash to zsh.")
	f.AddReadCall("", "bash/aliases.sh", "alias ll='ls -l'\nalias gs='git status'\nalias ..='cd ..'\n")
	both := f.AddReply("All three work in zsh as they are.")
	f.AddEntry("ttsr_injection", "injectedRules", []string{"keep-bash-working"})
	f.AddPrompt("Then source the same file from both.")
	f.AddReply("Both shells now source `shell/aliases.sh`.")
	f.BranchFrom(both)
	f.AddPrompt("Use zsh global aliases for pipes too.")
	f.AddReply("`alias -g L='| less'` works only in zsh, so it goes into `zsh/aliases.zsh`.")
	return f
}

// versionTwoSession is of version 2, which gave messages of extensions another role.
func versionTwoSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.V2, "c41b6d1e-0f5c-4f0c-9f57-d07f11e00003", "/home/dev/dotfiles", start)
	f.AddModelChange("anthropic", "claude-sonnet-4-5")
	f.AddPrompt("Warn me when a commit message is longer than 72 characters.")
	f.AddMessage("hookMessage", "customType", "commit-hook", "content", "A git hook is installed: commit-msg", "display", true)
	f.AddReply("The hook prints a warning and lets the commit pass.")
	f.AddPrompt("Refuse it instead.")
	f.AddReply("Now it refuses with exit code 1.")
	return f
}
