package view

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// claudeKinds lists everything that docs/formats.md says a Claude Code transcript may
// contain: types of lines, subtypes, attachments, blocks, tags and tools. The test's
// transcript must contain all of it, so that each has a row and a card.
var claudeKinds = strings.Fields(`
	type:user type:assistant type:system type:attachment type:progress type:summary type:file-history-snapshot type:queue-operation
	type:permission-mode type:mode type:last-prompt type:ai-title type:custom-title type:agent-name type:agent-color type:agent-setting
	type:pr-link type:started type:result type:novelty
	system: system:stop_hook_summary system:away_summary system:turn_duration system:compact_boundary system:microcompact_boundary
	system:local_command system:model_change system:api_error system:memory_saved system:agents_killed system:informational
	attachment:hook_success attachment:hook_additional_context attachment:deferred_tools_delta attachment:hook_blocking_error
	attachment:hook_non_blocking_error attachment:skill_listing attachment:task_reminder attachment:queued_command attachment:file
	attachment:edited_text_file attachment:invoked_skills attachment:compact_file_reference attachment:mcp_instructions_delta
	progress:hook_progress progress:agent_progress progress:bash_progress
	queue:enqueue queue:dequeue queue:remove queue:popAll
	block:text block:thinking block:redacted_thinking block:tool_use block:tool_result block:image block:tool_reference block:novelty
	tag:command-name tag:command-message tag:command-args tag:command-contents tag:local-command-stdout tag:local-command-caveat
	tag:bash-input tag:bash-stdout tag:bash-stderr tag:task-notification tag:task-id tag:status tag:summary tag:result tag:usage
	tag:teammate-message tag:system-reminder tag:ide_opened_file tag:ide_selection tag:ide_diagnostics tag:tool_use_error
	flag:isMeta flag:isCompactSummary flag:isApiErrorMessage flag:sourceToolUseID flag:is_error
	tool:Bash tool:Read tool:Edit tool:TodoWrite tool:Grep tool:Glob tool:MultiEdit tool:Write tool:TaskUpdate tool:Agent tool:WebFetch
	tool:WebSearch tool:Task tool:TaskCreate tool:ExitPlanMode tool:ToolSearch tool:BashOutput tool:TaskOutput tool:SendMessage
	tool:AskUserQuestion tool:TaskStop tool:StructuredOutput tool:TaskList tool:LS tool:KillShell tool:Monitor tool:ScheduleWakeup
	tool:CronCreate tool:CronList tool:CronDelete tool:Workflow tool:TeamCreate tool:TeamDelete tool:Skill tool:TaskGet tool:NotebookEdit
	tool:mcp__birds__list`)

// transcript writes lines as Claude Code does, each below the previous one.
type transcript struct {
	lines []string
	last  string
	n     int
}

func (tr *transcript) line(typ, more string) string {
	tr.n++
	id := fmt.Sprintf("e%03d", tr.n)
	up := "null"
	if tr.last != "" && !strings.Contains(more, "logicalParentUuid") {
		up = `"` + tr.last + `"`
	}
	at := time.Date(2026, 3, 1, 9, 0, tr.n, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")
	tr.lines = append(tr.lines, fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/dev/proj","sessionId":"s1","version":"2.1.0","type":%q,"uuid":%q,"timestamp":%q,%s}`,
		up, typ, id, at, strings.ReplaceAll(more, "LAST", tr.last)))
	tr.last = id
	return id
}

// bare writes a line without a uuid.
func (tr *transcript) bare(text string) { tr.lines = append(tr.lines, text) }

func (tr *transcript) user(content, more string) {
	tr.line("user", more+`"message":{"role":"user","content":`+content+`}`)
}

func (tr *transcript) assistant(block string) {
	tr.line("assistant", fmt.Sprintf(`"requestId":"r%d","message":{"id":"m%d","role":"assistant","model":"claude-opus-4-8","content":[%s],"usage":{"input_tokens":100,"output_tokens":5}}`, tr.n, tr.n, block))
}

// tool writes a call and its result.
func (tr *transcript) tool(name, input, content, more string) {
	call := fmt.Sprintf("t%d", tr.n)
	tr.assistant(fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, call, name, input))
	failed := ""
	if strings.Contains(content, "rror") {
		failed = `,"is_error":true`
	}
	tr.line("user", fmt.Sprintf(`%s"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%s%s}]}`, more, call, content, failed))
}

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

func allKindsTranscript() *transcript {
	tr := &transcript{}
	tr.bare(`{"type":"file-history-snapshot","messageId":"e001","snapshot":{"messageId":"e001","trackedFileBackups":{}},"isSnapshotUpdate":false}`)
	tr.user(`"Draw a **bird**.<system-reminder>be brief</system-reminder>"`, "")
	tr.user(`[{"type":"text","text":"<ide_opened_file>The user opened a.ts</ide_opened_file>"},{"type":"text","text":"Look here"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+onePixel+`"}}]`, "")
	tr.user(`"<ide_selection>The user selected line 5</ide_selection><ide_diagnostics>[]</ide_diagnostics>"`, "")
	tr.assistant(`{"type":"thinking","thinking":"A wren would do."}`)
	tr.assistant(`{"type":"redacted_thinking","data":"x"}`)
	tr.assistant(`{"type":"text","text":"I will *look*."}`)
	tr.assistant(`{"type":"novelty","depth":[1,2]}`)
	tr.tool("Bash", `{"command":"ls -la\nwc -l","description":"List"}`, `"\u001b[1mwren.ts\u001b[22m"`, `"toolUseResult":{"stdout":"wren.ts","stderr":"","interrupted":false},`)
	tr.tool("Bash", `{"command":"make"}`, `"Error: Exit code 2\nno rule to make"`, `"toolUseResult":"Error: Exit code 2",`)
	tr.tool("Read", `{"file_path":"/home/dev/proj/wren.ts","offset":10,"limit":2}`, `"    10→const a = 1\n    11→\n\n<system-reminder>Whenever you read</system-reminder>"`, `"toolUseResult":{"type":"text","file":{"filePath":"/home/dev/proj/wren.ts","content":"const a = 1\n","numLines":2,"startLine":10}},`)
	tr.tool("Edit", `{"file_path":"/home/dev/proj/wren.ts","old_string":"a","new_string":"b"}`, `"Updated"`, `"toolUseResult":{"filePath":"/home/dev/proj/wren.ts","structuredPatch":[{"oldStart":10,"oldLines":2,"newStart":10,"newLines":2,"lines":[" x","-a","+b"]},{"oldStart":90,"oldLines":1,"newStart":90,"newLines":2,"lines":[" y","+z"]}]},`)
	tr.tool("MultiEdit", `{"file_path":"/home/dev/proj/wren.ts","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}`, `"<tool_use_error>Error: String to replace not found</tool_use_error>"`, "")
	tr.tool("Write", `{"file_path":"/home/dev/proj/new.go","content":"package new\n"}`, `"File created"`, `"toolUseResult":{"type":"create","filePath":"/home/dev/proj/new.go","structuredPatch":[]},`)
	tr.tool("NotebookEdit", `{"notebook_path":"/home/dev/proj/a.ipynb","new_source":"x = 1"}`, `"Updated cell"`, "")
	tr.tool("Grep", `{"pattern":"wren","output_mode":"content"}`, `"a.ts:1: wren"`, `"toolUseResult":{"mode":"content","numLines":1},`)
	tr.tool("Glob", `{"pattern":"**/*.ts"}`, `"/home/dev/proj/a.ts"`, "")
	tr.tool("LS", `{"path":"/home/dev/proj"}`, `"- a.ts"`, "")
	tr.tool("TodoWrite", `{"todos":[{"content":"Look","status":"completed"},{"content":"Draw","status":"in_progress"},{"content":"Sing","status":"pending"}]}`, `"Todos have been modified"`, "")
	tr.tool("Task", `{"description":"Compare with a robin","prompt":"Compare the wren.","subagent_type":"Explore"}`, `[{"type":"text","text":"The **robin** is softer."}]`, `"toolUseResult":{"agentId":"none","status":"completed","totalDurationMs":8000,"totalTokens":11456,"totalToolUseCount":3},`)
	tr.tool("Agent", `{"description":"Sing","prompt":"Sing."}`, `"Async agent launched"`, `"toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"none2"},`)
	tr.tool("WebSearch", `{"query":"wren"}`, `"Web search results for query: \"wren\"\n\nLinks: [{\"title\":\"Wrens [birds]\",\"url\":\"https://example.org/wren\"}]\n\nWrens are small."`, "")
	tr.tool("WebFetch", `{"url":"https://example.org/wren","prompt":"How small?"}`, `"# Wren\n\n9 cm"`, `"toolUseResult":{"bytes":44,"code":200,"durationMs":812},`)
	tr.tool("AskUserQuestion", `{"questions":[{"question":"Which bird?","header":"Bird","options":[{"label":"Wren","description":"small"},{"label":"Robin"}]},{"question":"When?"}]}`, `"User has answered your questions: \"Which bird?\"=\"Wren\""`, "")
	tr.tool("ExitPlanMode", `{"plan":"## Plan: a wren\n\n1. Draw"}`, `"The user doesn't want to proceed with this tool use. Error"`, "")
	tr.tool("ToolSearch", `{"query":"select:Monitor"}`, `[{"type":"tool_reference","tool_name":"Monitor"}]`, "")
	tr.tool("BashOutput", `{"bash_id":"b1"}`, `"<status>running</status>"`, "")
	tr.tool("KillShell", `{"shell_id":"b1"}`, `"killed"`, "")
	tr.tool("TaskOutput", `{"task_id":"cccc333","block":true}`, `"<status>in_progress</status>"`, "")
	tr.tool("TaskStop", `{"task_id":"cccc333"}`, `"stopped"`, "")
	tr.tool("TaskCreate", `{"subject":"Add tests","description":"Raise coverage."}`, `"Task #1 created"`, "")
	tr.tool("TaskUpdate", `{"taskId":"1","status":"in_progress"}`, `"Updated task #1"`, "")
	tr.tool("TaskList", `{}`, `"#1 [completed] Add tests"`, "")
	tr.tool("TaskGet", `{"taskId":"1"}`, `"#1"`, "")
	tr.tool("SendMessage", `{"to":"alice","summary":"thanks","message":"Thanks."}`, `"sent"`, "")
	tr.tool("StructuredOutput", `{"area":"loader","items":[1]}`, `"ok"`, "")
	tr.tool("Monitor", `{"description":"Watch the build","command":"tail -f log"}`, `"watching"`, "")
	tr.tool("ScheduleWakeup", `{"delaySeconds":60,"reason":"the build","prompt":"look"}`, `"scheduled"`, "")
	tr.tool("CronCreate", `{"cron":"0 9 * * *","prompt":"Report"}`, `"created"`, "")
	tr.tool("CronList", `{}`, `"none"`, "")
	tr.tool("CronDelete", `{"id":"c1"}`, `"deleted"`, "")
	tr.tool("Workflow", `{"script":"export const meta = { name: 'review' }\n"}`, `"Workflow launched. Task ID: task1"`, `"toolUseResult":{"isAsync":true,"runId":"wf1","taskId":"task1"},`)
	tr.tool("TeamCreate", `{"team_name":"cover","description":"work"}`, `"created"`, "")
	tr.tool("TeamDelete", `{}`, `"deleted"`, "")
	tr.tool("Skill", `{"skill":"draw","args":"bird"}`, `"Launching skill: draw"`, "")
	tr.user(`[{"type":"text","text":"Base directory for this skill: /home/dev/skills/draw"}]`, `"isMeta":true,"sourceToolUseID":"t1",`)
	tr.tool("mcp__birds__list", `{"size":"small"}`, `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+onePixel+`"}}]`, "")
	tr.user(`[{"type":"text","text":"[Request interrupted by user for tool use]"}]`, "")
	tr.user(`"<bash-input>git status</bash-input>"`, "")
	tr.user(`"<bash-stdout>clean</bash-stdout><bash-stderr>warning: x</bash-stderr>"`, "")
	tr.user(`"<local-command-caveat>Caveat: The messages below were generated by the user while running local commands.</local-command-caveat>"`, `"isMeta":true,`)
	tr.user(`"<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>"`, "")
	tr.user(`"<local-command-stdout>Set model to \u001b[1mopus\u001b[22m</local-command-stdout>"`, "")
	tr.user(`"<command-message>fix is running</command-message>\n<command-name>/fix</command-name><command-contents>{\"type\":\"text\",\"text\":\"Fix the **wren**.\"}</command-contents>"`, "")
	tr.user(`"Continue from where you left off."`, `"isMeta":true,`)
	tr.user(`"<task-notification>\n<task-id>none2</task-id>\n<status>completed</status>\n<summary>Agent \"Sing\" completed</summary>\n<result>It *sings*.</result>\n<usage>total_tokens: 23099\ntool_uses: 2\nduration_ms: 15506</usage>\n</task-notification>"`, "")
	tr.user(`"<teammate-message teammate_id=\"alice\" color=\"blue\" summary=\"tests pass\">\nAll **pass**.\n</teammate-message>\n<teammate-message teammate_id=\"bob\">{\"type\":\"idle_notification\"}</teammate-message>"`, "")
	tr.line("assistant", `"isApiErrorMessage":true,"message":{"id":"me","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529 overloaded"}]}`)
	for _, sub := range []string{
		`"level":"info","content":"Running PostToolUse:Bash..."`,
		`"subtype":"stop_hook_summary","hookCount":1,"hookInfos":[{"command":"lint"}],"hookErrors":[],"preventedContinuation":false`,
		`"subtype":"away_summary","content":"You drew a **bird**."`,
		`"subtype":"turn_duration","durationMs":11000`,
		`"subtype":"microcompact_boundary","content":"Context microcompacted"`,
		`"subtype":"local_command","content":"<command-name>/doctor</command-name>"`,
		`"subtype":"model_change","content":"Model changed to opus"`,
		`"subtype":"api_error","level":"error","error":{"status":529}`,
		`"subtype":"memory_saved","content":"Saved"`,
		`"subtype":"agents_killed","content":"Agents stopped"`,
		`"subtype":"informational","level":"warning","content":"Context is low"`,
	} {
		tr.line("system", sub)
	}
	for _, a := range []string{
		`"type":"hook_success","hookName":"PostToolUse:Bash","content":"ok"`, `"type":"hook_additional_context","hookName":"SessionStart","content":["x"]`,
		`"type":"deferred_tools_delta","addedNames":["Monitor"]`, `"type":"hook_blocking_error","hookName":"Stop"`, `"type":"hook_non_blocking_error","hookName":"Stop"`,
		`"type":"skill_listing","content":"draw"`, `"type":"task_reminder","content":[]`, `"type":"queued_command","prompt":"And make it **blue**","commandMode":"prompt"`,
		`"type":"file","filename":"/home/dev/proj/a.ts"`, `"type":"edited_text_file","filename":"/home/dev/proj/b.ts","snippet":"1→x"`,
		`"type":"invoked_skills","skills":[]`, `"type":"compact_file_reference","filename":"/home/dev/proj/c.ts"`, `"type":"mcp_instructions_delta","addedNames":["birds"]`,
	} {
		tr.line("attachment", `"attachment":{`+a+`}`)
	}
	for _, p := range []string{`"type":"hook_progress","hookEvent":"Stop","hookName":"Stop"`, `"type":"agent_progress"`, `"type":"bash_progress"`} {
		tr.line("progress", `"data":{`+p+`}`)
	}
	tr.line("system", `"subtype":"compact_boundary","content":"Conversation compacted","logicalParentUuid":"LAST","compactMetadata":{"trigger":"manual","preTokens":115000}`)
	tr.user(`"This session is being continued from a previous conversation that ran out of context. The wren is **soft**."`, `"isCompactSummary":true,"isVisibleInTranscriptOnly":true,`)
	tr.assistant(`{"type":"text","text":"Going on."}`)
	tr.line("novelty", `"what":"new"`)
	for _, bare := range []string{
		`{"type":"summary","summary":"A bird was drawn","leafUuid":"e001"}`,
		`{"type":"queue-operation","operation":"enqueue","timestamp":"2026-03-01T09:10:00.000Z","sessionId":"s1","content":"Faster"}`,
		`{"type":"queue-operation","operation":"dequeue","timestamp":"2026-03-01T09:10:01.000Z","sessionId":"s1"}`,
		`{"type":"queue-operation","operation":"remove","timestamp":"2026-03-01T09:10:02.000Z","sessionId":"s1","content":[{"type":"text","text":"x"}]}`,
		`{"type":"queue-operation","operation":"popAll","timestamp":"2026-03-01T09:10:03.000Z","sessionId":"s1"}`,
		`{"type":"permission-mode","permissionMode":"plan","sessionId":"s1"}`, `{"type":"mode","mode":"normal","sessionId":"s1"}`,
		`{"type":"ai-title","aiTitle":"A wren","sessionId":"s1"}`, `{"type":"custom-title","customTitle":"The wren","sessionId":"s1"}`,
		`{"type":"agent-name","agentName":"wren","sessionId":"s1"}`, `{"type":"agent-color","agentColor":"blue","sessionId":"s1"}`,
		`{"type":"agent-setting","agentSetting":"general","sessionId":"s1"}`, `{"type":"pr-link","prUrl":"https://example.org/pr/1","prNumber":1,"sessionId":"s1"}`,
		`{"type":"started","key":"k","agentId":"ag1"}`, `{"type":"result","key":"k","agentId":"ag1","result":{"a":1}}`,
		`{"type":"last-prompt","lastPrompt":"Continue","sessionId":"s1","leafUuid":"` + tr.last + `"}`,
	} {
		tr.bare(bare)
	}
	return tr
}

var openTag = regexp.MustCompile(`<([a-z]+(?:[-_][a-z]+)*)[ >]`)

// kindsIn lists the kinds that a line contains, as named in claudeKinds.
func kindsIn(t *testing.T, line string) (kinds []string) {
	t.Helper()
	var o struct {
		Type, Subtype, Operation                    string
		IsMeta, IsCompactSummary, IsAPIErrorMessage bool
		SourceToolUseID                             string
		Attachment, Data                            struct{ Type string }
		Message                                     struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	add := func(what, name string) { kinds = append(kinds, what+":"+name) }
	add("type", o.Type)
	switch o.Type {
	case "system":
		add("system", o.Subtype)
	case "attachment":
		add("attachment", o.Attachment.Type)
	case "progress":
		add("progress", o.Data.Type)
	case "queue-operation":
		add("queue", o.Operation)
	}
	for name, on := range map[string]bool{"isMeta": o.IsMeta, "isCompactSummary": o.IsCompactSummary, "isApiErrorMessage": o.IsAPIErrorMessage, "sourceToolUseID": o.SourceToolUseID != ""} {
		if on {
			add("flag", name)
		}
	}
	blocksIn(o.Message.Content, add)
	return kinds
}

// blocksIn calls add for the blocks of a content, including those in results.
func blocksIn(content json.RawMessage, add func(what, name string)) {
	var text string
	if json.Unmarshal(content, &text) == nil {
		for _, m := range openTag.FindAllStringSubmatch(text, -1) {
			add("tag", m[1])
		}
	}
	var list []struct {
		Type, Text, Name string
		IsError          bool `json:"is_error"`
		Content          json.RawMessage
	}
	if json.Unmarshal(content, &list) != nil {
		return
	}
	for _, b := range list {
		add("block", b.Type)
		switch b.Type {
		case "tool_use":
			add("tool", b.Name)
		case "text":
			for _, m := range openTag.FindAllStringSubmatch(b.Text, -1) {
				add("tag", m[1])
			}
		case "tool_result":
			if b.IsError {
				add("flag", "is_error")
			}
			blocksIn(b.Content, add)
		}
	}
}

// Nothing in a Claude Code transcript is unreachable: every known kind has a row in the
// tree and a card.
func TestClaudeKinds(t *testing.T) {
	tr := allKindsTranscript()
	there := map[string]bool{}
	for _, line := range tr.lines {
		for _, kind := range kindsIn(t, line) {
			there[kind] = true
		}
	}
	for _, kind := range claudeKinds {
		if !there[kind] {
			t.Errorf("%s is not in the transcript", kind)
		}
	}
	sess := open(t, strings.Join(tr.lines, "\n")+"\n")
	if notes := sess.Notes(); len(notes) > 0 {
		t.Errorf("notes: %v", notes)
	}
	var rows, simple string
	look(t, sess, Params{Filter: session.FilterAll}, func(s Scene) {
		rows = dumpRows(RowsModel(s, 0, 1000).Rows)
		if s.Tree.Len() != len(tr.lines) {
			t.Errorf("%d lines make %d entries", len(tr.lines), s.Tree.Len())
		}
		for p := range session.Pos(s.Tree.Len()) {
			e := s.Tree.At(p)
			if !strings.Contains(rows, "r-"+e.ID+" ") && !strings.Contains(rows, "c-"+e.ID+"-") {
				t.Errorf("no row for %s (%s)", e.ID, e.Role)
			}
		}
	})
	for _, f := range []session.Filter{session.FilterDefault, session.FilterNoTools, session.FilterUserOnly} {
		look(t, sess, Params{Filter: f}, func(s Scene) {
			simple += "== " + f.String() + "\n" + dumpRows(RowsModel(s, 0, 1000).Rows)
		})
	}
	var ids []string
	sess.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for p := range session.Pos(tree.Len()) {
			ids = append(ids, tree.At(p).ID)
		}
	})
	var cards strings.Builder
	for _, id := range ids {
		m, err := entryModel(NewRenderer(), sess, EntryQuery{ID: id, Part: "item"})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		cards.WriteString(strings.ReplaceAll(dumpItems([]components.ItemModel{m.Item}), sess.Key(), "KEY"))
	}
	compareGolden(t, "claude.rows.golden", rows)
	compareGolden(t, "claude.filters.golden", simple)
	compareGolden(t, "claude.cards.golden", cards.String())
}
