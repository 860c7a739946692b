package workload

import "fmt"

// branch goes back to an older prompt, mostly a near one, half of the time with a
// summary of what is left behind and sometimes with a label.
func (g *writer) branch(n int) {
	target := pick(g.r, g.users)
	if len(g.users) > 2 && g.r.Float64() < .7 {
		target = g.users[len(g.users)-between(g.r, 2, min(len(g.users), 12))]
	}
	left := g.parent
	g.parent = target
	if g.r.Float64() < .5 {
		g.begin("branch_summary")
		g.addf(`"fromId":%q,"summary":`, left)
		g.string(prose, 600)
		g.add("}")
		g.flush()
	}
	if g.r.Float64() < .3 {
		g.entry("label", fmt.Sprintf(`"targetId":%q,"label":"branch %d"`, target, n))
	}
}

// turn is a prompt, some rounds of a tool call and its result, and an answer.
func (g *writer) turn() {
	if g.parent != "" {
		g.users = append(g.users, g.parent)
	}
	g.user(pick(g.r, []int{40, 120, 300, 900}))
	for range between(g.r, 2, 9) {
		if g.done() {
			return
		}
		g.round()
	}
	if g.done() {
		return
	}
	g.answer(pick(g.r, []int{200, 600, 1500}))
	if g.r.Float64() < .004 && !g.done() {
		g.begin("compaction")
		g.add(`"summary":`)
		g.string(prose, 3000)
		g.addf(`,"firstKeptEntryId":%q,"tokensBefore":150000}`, g.users[len(g.users)-1])
		g.flush()
	}
}

func (g *writer) user(chars int) {
	g.begin("message")
	g.add(`"message":{"role":"user","content":[{"type":"text","text":`)
	g.string(prose, chars)
	g.addf(`}],"timestamp":%d}}`, g.now.UnixMilli())
	g.flush()
}

func (g *writer) answer(chars int) {
	g.begin("message")
	g.add(`"message":{"role":"assistant","content":[{"type":"text","text":`)
	g.string(prose, chars)
	g.add("}")
	g.endAssistant("stop")
}

func (g *writer) endAssistant(stop string) {
	in, out, read, write := between(g.r, 3, 900), between(g.r, 20, 2500), between(g.r, 9000, 150000), g.r.IntN(9001)
	g.addf(`],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-7","usage":{"input":%d,"output":%d,"cacheRead":%d,"cacheWrite":%d,"totalTokens":%d,`, in, out, read, write, in+out+read+write)
	g.addf(`"cost":{"input":0.001,"output":0.02,"cacheRead":0.03,"cacheWrite":0.01,"total":0.061}},"stopReason":%q,"timestamp":%d}}`, stop, g.now.UnixMilli())
	g.flush()
}

// round is one answer with a tool call, and the call's result.
func (g *writer) round() {
	id := fmt.Sprintf("toolu_01%022x", g.r.Uint64())
	tool := pick(g.r, tools)
	g.begin("message")
	g.add(`"message":{"role":"assistant","content":[`)
	if g.r.Float64() < .2 {
		g.add(`{"type":"thinking","thinking":`)
		g.string(prose, between(g.r, 150, 900))
		g.addf(`,"thinkingSignature":"E%0400x"},`, g.r.Uint64())
	}
	if g.r.Float64() < .5 {
		g.add(`{"type":"text","text":`)
		g.string(prose, pick(g.r, []int{80, 200, 500}))
		g.add("},")
	}
	g.addf(`{"type":"toolCall","id":%q,"name":%q,"arguments":`, id, tool)
	g.arguments(tool)
	g.add("}")
	g.endAssistant("toolUse")
	if g.done() {
		return
	}
	g.begin("message")
	g.addf(`"message":{"role":"toolResult","toolCallId":%q,"toolName":%q,"content":[{"type":"text","text":`, id, tool)
	g.string(code, resultSize(g.r))
	g.addf(`}],"isError":%t,"timestamp":%d}}`, g.r.Float64() < .04, g.now.UnixMilli())
	g.flush()
}

func (g *writer) arguments(tool string) {
	if tool == "bash" {
		g.addf(`{"command":"go test ./%s/..."}`, word(g.r))
		return
	}
	g.addf(`{"path":"%s/src/%s/%s.go"`, g.spec.Cwd, pick(g.r, packages), pick(g.r, files))
	if tool == "edit" {
		g.add(`,"oldText":`)
		g.string(code, 300)
		g.add(`,"newText":`)
		g.string(code, 500)
	}
	g.add("}")
}
