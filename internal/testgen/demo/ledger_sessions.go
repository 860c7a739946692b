package main

import (
	"fmt"
	"time"

	"sessiontree/internal/testgen/transcript"
)

const ledgerDir = "pi/--home-dev-ledger--"

// ledgerSessions returns a small accounting program: a long session that is still
// running, one of the newest pi and one of the oldest.
func ledgerSessions() []sampleSession {
	long, recent, old := newestDay.Add(-3*time.Hour), newestDay.Add(-30*time.Hour), newestDay.AddDate(0, -11, 0)
	return []sampleSession{
		newSample(ledgerDir, long, importerSession(long)),
		newSample(ledgerDir, recent, roundingSession(recent)),
		newSample(ledgerDir, old, versionOneSession(old)),
	}
}

var importSteps = []struct{ ask, file, done string }{
	{"Next: the header row can be missing.", "src/import/csv.rs", "Files without a header row are read by position."},
	{"Some banks write amounts as 1.234,56. Detect it per file.", "src/import/amount.rs", "The separator that occurs last decides, per file and not per line."},
	{"Dates are sometimes day first.", "src/import/date.rs", "If any day is above 12, the order is known for the whole file; otherwise it asks."},
	{"Show which line was refused and why.", "src/import/report.rs", "Every refused line is listed with its number and reason. The rest is imported."},
	{"Importing the same file twice must not double anything.", "src/import/dedupe.rs", "A line counts as known when date, amount and text are the same and it comes from the same account."},
	{"Tags by rules, please.", "src/rules/match.rs", "Rules are tried in order, the first that matches wins."},
	{"Rules need a dry run.", "src/rules/preview.rs", "`ledger rules --preview` prints what would change and writes nothing."},
	{"It is slow on the ten-year file.", "src/import/csv.rs", "It allocated a string per field. Borrowed fields made it nine times faster."},
	{"Write the manual page for import.", "docs/import.md", "Done, with one example per bank format."},
	{"What if the file is still being written?", "src/import/watch.rs", "A last line without its end is left for the next run."},
}

// importerSession is long, compacted several times, and ends in a running command.
func importerSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Pi, "5e1d7c90-2f64-4b7a-8d38-1ed6e2f00001", "/home/dev/ledger", start)
	f.Cost = .031
	f.AddModelChange("anthropic", "claude-opus-4-5")
	f.AddThinkingChange("medium")
	f.AddPrompt("We are going to write the bank importer, step by step. Tests first.")
	f.AddReply("Understood. I'll write a failing test for each step, then the code.")
	kept := f.LastID
	for round := range 4 {
		for i, s := range importSteps {
			prompt := s.ask
			if round > 0 {
				prompt = fmt.Sprintf("Pass %d. %s", round+1, s.ask)
			}
			kept = f.AddPrompt(prompt)
			f.AddToolCall("", "read", transcript.Object{"path", s.file, "offset", 1 + 20*i, "limit", 40})
			f.AddResult(fmt.Sprintf("// %s\npub fn step_%d(input: &str) -> Result<Step, Refused> {\n    parse(input)?.check()\n}\n", s.file, i))
			f.AddEditCall("", s.file, "parse(input)?.check()", fmt.Sprintf("parse_%d(input)?.check()", round), fmt.Sprintf("  %d pub fn step_%d(input: &str) -> Result<Step, Refused> {\n- %d     parse(input)?.check()\n+ %d     parse_%d(input)?.check()\n  %d }\n", 2+i, i, 3+i, 3+i, round, 4+i))
			failed := (round+i)%7 == 3
			output := fmt.Sprintf("running %d tests\n%s\ntest result: ok. %d passed; 0 failed\n", 12+i, "test import::step ... ok", 12+i)
			if failed {
				output = "test import::step ... FAILED\n\nassertion failed: left == right\n  left: 1234\n right: 123456\n\nCommand exited with code 101"
			}
			f.AddBashCall("", "cargo test import", output, failed)
			if failed {
				f.AddBashCall("One more place read the old separator.", "cargo test import", "test result: ok. 14 passed; 0 failed\n", false)
			}
			end := f.AddReply(s.done)
			if i == 4 || i == 7 {
				f.AddPrompt("Would it be simpler with a database?")
				f.AddReply("Not yet: the file is read once, and a sorted list does the same in 30 lines.")
				f.BranchFrom(end)
			}
		}
		f.AddLabel(kept, fmt.Sprintf("pass %d done", round+1))
		f.AddCompaction(fmt.Sprintf("## Goal\nA bank importer, step by step, tests first.\n\n## Done\nPass %d over all ten steps. All tests pass.\n\n## Next\nThe same steps with the files of the next bank.", round+1), kept)
	}
	f.AddName("Bank importer")
	f.AddPrompt("Run the whole suite on the ten-year file now.")
	f.AddToolCall("This takes a few minutes.", "bash", transcript.Object{"command", "cargo test --release -- --ignored ten_years"})
	return f
}

// roundingSession shows what the newest pi records: system messages, usage, edits of the
// context.
func roundingSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Pi, "01a1f8e0-3b00-7c44-9d10-1ed6e2f00002", "/home/dev/ledger", start)
	f.AddModelChange("openai", "gpt-5.1")
	f.AddThinkingChange("medium")
	f.AddMessage("system", "content", "", "sections", transcript.Object{"preamble", "You are a coding assistant. Work in small steps and run the tests.", "rules", "- Use read before edit.\n- Never touch files outside the project."},
		"toolsAdded", []transcript.Object{{"name", "read", "description", "Read a file", "parameters", transcript.Object{"type", "object"}}, {"name", "bash", "description", "Run a command", "parameters", transcript.Object{"type", "object"}}})
	f.AddPrompt("Totals are off by one cent in the yearly report.")
	long := f.AddBashCall("", "cargo run -- report 2025 --json | head -40", "{\"month\":1,\"sum\":\"1204.10\"}\n{\"month\":2,\"sum\":\"998.37\"}\n{\"month\":3,\"sum\":\"1120.00\"}\n", false)
	f.AddThinkingReply("Each month is rounded, then summed. Sum first, then round.", "Each month is rounded before the sum is taken. The sum has to come first.")
	f.AddEntry("context_edit", "targetId", long, "replacement", transcript.Object{"content", "(monthly sums, left out)"})
	f.AddEditCall("", "src/report.rs", "months.map(round).sum()", "round(months.sum())", "  71 fn year(months: &[Amount]) -> Amount {\n- 72     months.iter().map(round).sum()\n+ 72     round(months.iter().sum())\n  73 }\n")
	say := f.AddReply("The yearly total is now summed exactly and rounded once.")
	f.AddEntry("usage", "kind", "cache_warm", "provider", "openai", "model", "gpt-5.1", "usage", transcript.Object{"input", 1200, "output", 0, "cacheRead", 0, "cacheWrite", 1200, "totalTokens", 2400, "cost", transcript.Object{"total", 0.004}})
	f.AddPrompt("And half cents?")
	f.AddReply("They go to the even cent, as the tax office wants it.")
	f.AddBranchSummary(say, "A question about half cents was answered: they go to the even cent.")
	f.AddPrompt("Add a test with the numbers of 2025.")
	f.AddToolCall("", "write", transcript.Object{"path", "tests/report_2025.rs", "content", "#[test]\nfn total_of_2025() {\n    assert_eq!(year(&load(\"2025\")).to_string(), \"13402.48\");\n}\n"})
	f.AddResult("Successfully wrote 96 bytes to tests/report_2025.rs")
	f.AddReply("The test pins the total of 2025.")
	f.AddName("One cent off")
	return f
}

// versionOneSession is of version 1: no ids, each entry is the child of the previous one.
func versionOneSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.V1, "5e1d7c90-2f64-4b7a-8d38-1ed6e2f00003", "/home/dev/ledger", start, "provider", "anthropic", "modelId", "claude-sonnet-4-5", "thinkingLevel", "off")
	f.AddPrompt("Make a new Rust project that adds up a list of amounts.")
	f.AddBashCall("", "cargo init --name ledger && cargo run", "     Created binary (application) package\nHello, world!\n", false)
	f.AddReply("The project is there. What should the list look like?")
	f.AddPrompt("One amount per line, the text after it is a comment.")
	f.AddToolCall("", "write", transcript.Object{"path", "src/main.rs", "content", "fn main() {\n    let total: i64 = std::io::stdin().lines().flatten().filter_map(|l| cents(&l)).sum();\n    println!(\"{}.{:02}\", total / 100, total % 100);\n}\n"})
	f.AddResult("Successfully wrote 153 bytes to src/main.rs")
	f.AddReply("`ledger < amounts.txt` prints the total.")
	return f
}
