package main

import (
	"time"

	"sessiontree/internal/bench/transcript"
)

const gardenDir = "pi/--home-dev-garden-site--"

// garden is a web site: pictures and rich text, the uuid draft, and a file with
// damaged lines.
func garden() []session {
	chart, draft, broken := day.Add(-26*time.Hour), day.AddDate(0, -10, 0), day.AddDate(0, 0, -9)
	return []session{
		place(gardenDir, chart, chartPage(chart)),
		place(gardenDir, draft, draftTree(draft)),
		place(gardenDir, broken, damaged(broken)),
	}
}

func chartPage(start time.Time) *transcript.File {
	f := transcript.New(transcript.Pi, "9b20f4ad-6d0c-4d5e-b1f4-6a2de0f00001", "/home/dev/garden-site", start)
	f.SetModel("google", "gemini-3-pro")
	f.User("Draw the rain of each month as bars, like this one.", transcript.Image(barPicture()))
	f.Say("Eight bars, the tallest in month six. I'd build it as plain SVG:\n\n```ts\nexport function bars(values: number[], height = 60): string {\n  const max = Math.max(...values)\n  return values\n    .map((v, i) => `<rect x=\"${i * 18}\" y=\"${height - (v / max) * height}\" width=\"14\" height=\"${(v / max) * height}\"/>`)\n    .join('')\n}\n```\n\nIt needs:\n\n- a title for screen readers,\n- colours with enough contrast,\n- *no* library.\n\n> The numbers come from `data/rain.json`, one per month.")
	first := f.User("Do it, with labels under the bars.")
	f.Call("", "write", transcript.O{"path", "src/chart/bars.ts", "content", "export function bars(values: number[], labels: string[]): string {\n  return svg(values.map((v, i) => bar(v, labels[i], i)))\n}\n"})
	f.Result("Successfully wrote 124 bytes to src/chart/bars.ts")
	f.Bash("", "npm run build", "\x1b[36mvite\x1b[0m building for production...\n\x1b[32m✓\x1b[0m 41 modules transformed.\ndist/index.html  2.1 kB\n", false)
	shot := f.Say("The page is built.")
	f.Entry("custom_message", "customType", "preview", "content", []transcript.O{transcript.Text("Preview at 390 px: the labels of May and June overlap."), transcript.Image(barPicture())}, "display", true)
	f.Entry("custom", "customType", "preview-state", "data", transcript.O{"width", 390, "page", "/rain"})
	f.Say("On a phone two labels overlap. I'll turn them by 45 degrees below 480 px.")
	f.Edit("", "src/chart/bars.css", ".label {}", ".label { rotate: 45deg }", "   8 .label { font-size: 11px }\n+  9 @media (max-width: 480px) {\n+ 10   .label { rotate: 45deg }\n+ 11 }\n")
	f.Say("Fixed.")
	f.Back(shot)
	f.User("Could it be a line instead of bars?")
	f.Say("It could, but a line suggests values between the months, and there are none.")
	f.Back(first)
	f.User("Do it, but with the values written into the bars.")
	f.Say("Then the short bars need their value above them. I'll switch at 14 px of height.")
	f.Label(f.Last, "values inside")
	f.Named("Rain chart")
	return f
}

// draftTree is of the draft that never shipped: uuid, parentUuid and the header as
// the first node.
func draftTree(start time.Time) *transcript.File {
	f := transcript.New(transcript.Draft, "garden-draft", "/home/dev/garden-site", start)
	f.User("Which static site generator fits forty pages and one author?")
	a := f.Say("Any of them. The smallest is a script of 100 lines that turns Markdown into HTML.")
	f.User("Write that script in Python.")
	f.Say("Here is a first version. It needs one module for Markdown.")
	f.User("Add a watch mode.")
	f.Say("Added: it rebuilds a page when its source changes.")
	f.Entry("stack_summary", "summary", "A Python script was written and given a watch mode.")
	f.Back(a)
	f.Entry("branch_summary", "summary", "A Python script with a watch mode was tried. The author knows TypeScript better.")
	f.User("Use TypeScript instead.")
	f.Say("The same script in TypeScript, with the same watch mode.")
	return f
}

// damaged has lines that cannot be read, an entry whose parent is missing and a
// line that was written twice.
func damaged(start time.Time) *transcript.File {
	f := transcript.New(transcript.Pi, "9b20f4ad-6d0c-4d5e-b1f4-6a2de0f00003", "/home/dev/garden-site", start)
	f.SetModel("anthropic", "claude-haiku-4-5")
	f.User("Compress all photos under assets/ to at most 300 KB.")
	f.Raw(`{"type":"message","id":"c0ffee01","parentId":"`)
	f.Bash("", "ls -lS assets | head -4", "total 48M\n-rw-r--r-- 1 dev dev 6.2M pond.jpg\n-rw-r--r-- 1 dev dev 4.8M rose.jpg\n", false)
	f.Raw("Segmentation fault (core dumped)")
	here := f.Say("The disk was full for a moment, so some lines of this session are damaged. The photos are fine.")
	f.Back("deadbeef")
	f.User("Did the photo of the pond survive?")
	f.Say("Yes, it is 288 KB now.")
	f.Back(here)
	f.User("Go on with the rest.")
	f.Raw(string(f.Tail(1)[:len(f.Tail(1))-1]))
	f.Say("All 61 photos are below 300 KB.")
	return f
}
