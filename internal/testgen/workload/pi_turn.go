package workload

import "fmt"

// addBranch branches from an older prompt, mostly a near one, half of the time with a
// summary of the abandoned branch and sometimes with a label.
func (g *sessionWriter) addBranch(n int) {
	target := pickOne(g.r, g.users)
	if len(g.users) > 2 && g.r.Float64() < .7 {
		target = g.users[len(g.users)-randomBetween(g.r, 2, min(len(g.users), 12))]
	}
	left := g.parent
	g.parent = target
	if g.r.Float64() < .5 {
		g.beginEntry("branch_summary")
		g.appendFormat(`"fromId":%q,"summary":`, left)
		g.appendString(appendProse, 600)
		g.appendText("}")
		g.flushLine()
	}
	if g.r.Float64() < .3 {
		g.addEntry("label", fmt.Sprintf(`"targetId":%q,"label":"branch %d"`, target, n))
	}
}

// addTurn adds a prompt, some rounds of a tool call and its result, and an answer.
func (g *sessionWriter) addTurn() {
	if g.parent != "" {
		g.users = append(g.users, g.parent)
	}
	g.addUserMessage(pickOne(g.r, []int{40, 120, 300, 900}))
	for range randomBetween(g.r, 2, 9) {
		if g.isDone() {
			return
		}
		g.addToolRound()
	}
	if g.isDone() {
		return
	}
	g.addAnswer(pickOne(g.r, []int{200, 600, 1500}))
	if g.r.Float64() < .004 && !g.isDone() {
		g.beginEntry("compaction")
		g.appendText(`"summary":`)
		g.appendString(appendProse, 3000)
		g.appendFormat(`,"firstKeptEntryId":%q,"tokensBefore":150000}`, g.users[len(g.users)-1])
		g.flushLine()
	}
}

func (g *sessionWriter) addUserMessage(chars int) {
	g.beginEntry("message")
	g.appendText(`"message":{"role":"user","content":[{"type":"text","text":`)
	g.appendString(appendProse, chars)
	g.appendFormat(`}],"timestamp":%d}}`, g.now.UnixMilli())
	g.flushLine()
}

func (g *sessionWriter) addAnswer(chars int) {
	g.beginEntry("message")
	g.appendText(`"message":{"role":"assistant","content":[{"type":"text","text":`)
	g.appendString(appendProse, chars)
	g.appendText("}")
	g.endAnswer("stop")
}

func (g *sessionWriter) endAnswer(stop string) {
	in, out, read, write := randomBetween(g.r, 3, 900), randomBetween(g.r, 20, 2500), randomBetween(g.r, 9000, 150000), g.r.IntN(9001)
	g.appendFormat(`],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-7","usage":{"input":%d,"output":%d,"cacheRead":%d,"cacheWrite":%d,"totalTokens":%d,`, in, out, read, write, in+out+read+write)
	g.appendFormat(`"cost":{"input":0.001,"output":0.02,"cacheRead":0.03,"cacheWrite":0.01,"total":0.061}},"stopReason":%q,"timestamp":%d}}`, stop, g.now.UnixMilli())
	g.flushLine()
}

// addToolRound adds one answer with a tool call, and the result.
func (g *sessionWriter) addToolRound() {
	id := fmt.Sprintf("toolu_01%022x", g.r.Uint64())
	tool := pickOne(g.r, toolNames)
	g.beginEntry("message")
	g.appendText(`"message":{"role":"assistant","content":[`)
	if g.r.Float64() < .2 {
		g.appendText(`{"type":"thinking","thinking":`)
		g.appendString(appendProse, randomBetween(g.r, 150, 900))
		g.appendFormat(`,"thinkingSignature":"E%0400x"},`, g.r.Uint64())
	}
	if g.r.Float64() < .5 {
		g.appendText(`{"type":"text","text":`)
		g.appendString(appendProse, pickOne(g.r, []int{80, 200, 500}))
		g.appendText("},")
	}
	g.appendFormat(`{"type":"toolCall","id":%q,"name":%q,"arguments":`, id, tool)
	g.appendArguments(tool)
	g.appendText("}")
	g.endAnswer("toolUse")
	if g.isDone() {
		return
	}
	g.beginEntry("message")
	g.appendFormat(`"message":{"role":"toolResult","toolCallId":%q,"toolName":%q,"content":[{"type":"text","text":`, id, tool)
	g.appendString(appendCode, randomResultSize(g.r))
	g.appendFormat(`}],"isError":%t,"timestamp":%d}}`, g.r.Float64() < .04, g.now.UnixMilli())
	g.flushLine()
}

func (g *sessionWriter) appendArguments(tool string) {
	if tool == "bash" {
		g.appendFormat(`{"command":"go test ./%s/..."}`, randomWord(g.r))
		return
	}
	g.appendFormat(`{"path":"%s/src/%s/%s.go"`, g.spec.Cwd, pickOne(g.r, packageNames), pickOne(g.r, fileNames))
	if tool == "edit" {
		g.appendText(`,"oldText":`)
		g.appendString(appendCode, 300)
		g.appendText(`,"newText":`)
		g.appendString(appendCode, 500)
	}
	g.appendText("}")
}
