module github.com/buildkite/terminal-to-html/v3

go 1.25.0
