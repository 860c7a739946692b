package main

import (
	"time"

	"sessiontree/internal/testgen/transcript"
)

const gardenDir = "pi/--home-dev-garden-site--"

// gardenSessions returns a web site: images and rich text, the uuid draft, and a file
// with damaged lines.
func gardenSessions() []sampleSession {
	chart, draft, broken := newestDay.Add(-26*time.Hour), newestDay.AddDate(0, -10, 0), newestDay.AddDate(0, 0, -9)
	return []sampleSession{
		newSample(gardenDir, chart, chartPageSession(chart)),
		newSample(gardenDir, draft, draftSession(draft)),
		newSample(gardenDir, broken, damagedSession(broken)),
	}
}

func chartPageSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Pi, "9b20f4ad-6d0c-4d5e-b1f4-6a2de0f00001", "/home/dev/garden-site", start)
	f.AddModelChange("google", "gemini-3-pro")
	f.AddPrompt("Draw the rain of each month as bars, like this one.", transcript.ImageBlock(barPicture()))
	f.AddReply("Eight bars, the tallest in month six. I'd build it as plain SVG:\n\n```ts\nexport function bars(values: number[], height = 60): string {\n  const max = Math.max(...values)\n  return values\n    .map((v, i) => `<rect x=\"${i * 18}\" y=\"${height - (v / max) * height}\" width=\"14\" height=\"${(v / max) * height}\"/>`)\n    .join('')\n}\n```\n\nIt needs:\n\n- a title for screen readers,\n- colours with enough contrast,\n- *no* library.\n\n> The numbers come from `data/rain.json`, one per month.")
	first := f.AddPrompt("Do it, with labels under the bars.")
	f.AddToolCall("", "write", transcript.Object{"path", "src/chart/bars.ts", "content", "export function bars(values: number[], labels: string[]): string {\n  return svg(values.map((v, i) => bar(v, labels[i], i)))\n}\n"})
	f.AddResult("Successfully wrote 124 bytes to src/chart/bars.ts")
	f.AddBashCall("", "npm run build", "\x1b[36mvite\x1b[0m building for production...\n\x1b[32m✓\x1b[0m 41 modules transformed.\ndist/index.html  2.1 kB\n", false)
	shot := f.AddReply("The page is built.")
	f.AddEntry("custom_message", "customType", "preview", "content", []transcript.Object{transcript.TextBlock("Preview at 390 px: the labels of May and June overlap."), transcript.ImageBlock(barPicture())}, "display", true)
	f.AddEntry("custom", "customType", "preview-state", "data", transcript.Object{"width", 390, "page", "/rain"})
	f.AddReply("On a phone two labels overlap. I'll turn them by 45 degrees below 480 px.")
	f.AddEditCall("", "src/chart/bars.css", ".label {}", ".label { rotate: 45deg }", "   8 .label { font-size: 11px }\n+  9 @media (max-width: 480px) {\n+ 10   .label { rotate: 45deg }\n+ 11 }\n")
	f.AddReply("Fixed.")
	f.BranchFrom(shot)
	f.AddPrompt("Could it be a line instead of bars?")
	f.AddReply("It could, but a line suggests values between the months, and there are none.")
	f.BranchFrom(first)
	f.AddPrompt("Do it, but with the values written into the bars.")
	f.AddReply("Then the short bars need their value above them. I'll switch at 14 px of height.")
	f.AddLabel(f.LastID, "values inside")
	f.AddName("Rain chart")
	return f
}

// draftSession is in the draft that was never released: uuid, parentUuid and the header
// as the first node.
func draftSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Draft, "garden-draft", "/home/dev/garden-site", start)
	f.AddPrompt("Which static site generator fits forty pages and one author?")
	a := f.AddReply("Any of them. The smallest is a script of 100 lines that turns Markdown into HTML.")
	f.AddPrompt("Write that script in Python.")
	f.AddReply("Here is a first version. It needs one module for Markdown.")
	f.AddPrompt("Add a watch mode.")
	f.AddReply("Added: it rebuilds a page when its source changes.")
	f.AddEntry("stack_summary", "summary", "A Python script was written and given a watch mode.")
	f.BranchFrom(a)
	f.AddEntry("branch_summary", "summary", "A Python script with a watch mode was tried. The author knows TypeScript better.")
	f.AddPrompt("Use TypeScript instead.")
	f.AddReply("The same script in TypeScript, with the same watch mode.")
	return f
}

// damagedSession has malformed lines, an entry with a missing parent and a duplicate
// line.
func damagedSession(start time.Time) *transcript.File {
	f := transcript.New(transcript.Pi, "9b20f4ad-6d0c-4d5e-b1f4-6a2de0f00003", "/home/dev/garden-site", start)
	f.AddModelChange("anthropic", "claude-haiku-4-5")
	f.AddPrompt("Compress all photos under assets/ to at most 300 KB.")
	f.WriteRaw(`{"type":"message","id":"c0ffee01","parentId":"`)
	f.AddBashCall("", "ls -lS assets | head -4", "total 48M\n-rw-r--r-- 1 dev dev 6.2M pond.jpg\n-rw-r--r-- 1 dev dev 4.8M rose.jpg\n", false)
	f.WriteRaw("Segmentation fault (core dumped)")
	here := f.AddReply("The disk was full for a moment, so some lines of this session are damaged. The photos are fine.")
	f.BranchFrom("deadbeef")
	f.AddPrompt("Did the photo of the pond survive?")
	f.AddReply("Yes, it is 288 KB now.")
	f.BranchFrom(here)
	f.AddPrompt("Go on with the rest.")
	f.WriteRaw(string(f.LastLines(1)[:len(f.LastLines(1))-1]))
	f.AddReply("All 61 photos are below 300 KB.")
	return f
}
