package view

import (
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// kinds is a session with every entry type and message role of pi and oh-my-pi.
var kinds = []string{
	`{"type":"model_change","id":"e01","parentId":null,"timestamp":"2026-02-03T09:00:01.000Z","provider":"prov","modelId":"m-1"}`,
	`{"type":"thinking_level_change","id":"e02","parentId":"e01","timestamp":"2026-02-03T09:00:02.000Z","thinkingLevel":"high"}`,
	`{"type":"message","id":"e03","parentId":"e02","timestamp":"2026-02-03T09:00:03.000Z","message":{"role":"system","content":"","sections":{"preamble":"You help.","old":null},"toolsAdded":[{"name":"read","description":"Read a file","parameters":{"type":"object"}}],"timestamp":1770109203000}}`,
	`{"type":"message","id":"e04","parentId":"e03","timestamp":"2026-02-03T09:00:04.000Z","message":{"role":"user","content":[{"type":"text","text":"Fix the *theme*\nplease"},{"type":"image","data":"iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEklEQVR4nGP8z4AATEhsPBwAM9EBBZJTXYAAAAAASUVORK5CYII=","mimeType":"image/png"},{"type":"image","data":"PHN2Zy8+","mimeType":"image/svg+xml"}],"timestamp":1770109204000}}`,
	`{"type":"message","id":"e05","parentId":"e04","timestamp":"2026-02-03T09:00:05.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"Let me look.\nThen edit."},{"type":"text","text":"I read it:"},{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"/home/dev/proj/theme.go","offset":4,"limit":2}},{"type":"toolCall","id":"c2","name":"edit","arguments":{"path":"/home/dev/proj/theme.go","oldText":"a","newText":"b"}},{"type":"toolCall","id":"c3","name":"bash","arguments":{"command":"go build ./...\ngo vet"}}],"api":"api","provider":"prov","model":"m-1","usage":{"input":10,"output":5,"cacheRead":0,"cacheWrite":0,"totalTokens":15,"cost":{"input":0.001,"output":0.002,"cacheRead":0,"cacheWrite":0,"total":0.003}},"stopReason":"toolUse","timestamp":1770109205000}}`,
	`{"type":"message","id":"e06","parentId":"e05","timestamp":"2026-02-03T09:00:06.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"func a() int {\n\treturn 1\n"}],"isError":false,"timestamp":1770109206000}}`,
	`{"type":"message","id":"e07","parentId":"e06","timestamp":"2026-02-03T09:00:07.000Z","message":{"role":"toolResult","toolCallId":"c2","toolName":"edit","content":[{"type":"text","text":"Replaced."}],"details":{"diff":" 3 // theme\n-4 return 1\n+4 return 2\n+5 // two\n 5 }\n   ..."},"isError":false,"timestamp":1770109207000}}`,
	`{"type":"message","id":"e08","parentId":"e07","timestamp":"2026-02-03T09:00:08.000Z","message":{"role":"toolResult","toolCallId":"c3","toolName":"bash","content":[{"type":"text","text":"\u001b[31mboom\u001b[0m <b>\nCommand exited with code 1"}],"isError":true,"timestamp":1770109208000}}`,
	`{"type":"message","id":"e09","parentId":"e08","timestamp":"2026-02-03T09:00:09.000Z","message":{"role":"assistant","content":[],"api":"api","provider":"prov","model":"m-1","stopReason":"error","errorMessage":"overloaded","timestamp":1770109209000}}`,
	`{"type":"message","id":"e10","parentId":"e09","timestamp":"2026-02-03T09:00:10.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Half an ans"}],"api":"api","provider":"prov","model":"m-1","stopReason":"aborted","timestamp":1770109210000}}`,
	`{"type":"message","id":"e11","parentId":"e10","timestamp":"2026-02-03T09:00:11.000Z","message":{"role":"bashExecution","command":"ls -l","output":"total 0","exitCode":2,"cancelled":false,"truncated":false,"excludeFromContext":true,"timestamp":1770109211000}}`,
	`{"type":"message","id":"e12","parentId":"e11","timestamp":"2026-02-03T09:00:12.000Z","message":{"role":"custom","customType":"hook","content":"from a hook","display":true,"timestamp":1770109212000}}`,
	`{"type":"message","id":"e13","parentId":"e12","timestamp":"2026-02-03T09:00:13.000Z","message":{"role":"branchSummary","summary":"a summary in a message","fromId":"x","timestamp":1770109213000}}`,
	`{"type":"message","id":"e14","parentId":"e13","timestamp":"2026-02-03T09:00:14.000Z","message":{"role":"compactionSummary","summary":"another one","tokensBefore":5,"timestamp":1770109214000}}`,
	`{"type":"message","id":"e15","parentId":"e14","timestamp":"2026-02-03T09:00:15.000Z","message":{"role":"fileMention","files":[{"path":"/home/dev/proj/a.md","content":"# A\ntext","lineCount":2}],"timestamp":1770109215000}}`,
	`{"type":"message","id":"e16","parentId":"e15","timestamp":"2026-02-03T09:00:16.000Z","message":{"role":"developer","content":"be short","timestamp":1770109216000}}`,
	`{"type":"message","id":"e17","parentId":"e16","timestamp":"2026-02-03T09:00:17.000Z","message":{"role":"pythonExecution","code":"print(1)","output":"1","exitCode":0,"cancelled":false,"timestamp":1770109217000}}`,
	`{"type":"message","id":"e18","parentId":"e17","timestamp":"2026-02-03T09:00:18.000Z","message":{"role":"oracle","content":[{"type":"text","text":"who knows"}],"timestamp":1770109218000}}`,
	`{"type":"compaction","id":"e19","parentId":"e18","timestamp":"2026-02-03T09:00:19.000Z","summary":"## Goal\nThemes.","firstKeptEntryId":"e16","tokensBefore":115000,"details":{"readFiles":["a.go"],"modifiedFiles":["theme.go"]}}`,
	`{"type":"message","id":"e20","parentId":"e19","timestamp":"2026-02-03T09:00:20.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Going on."}],"api":"api","provider":"prov","model":"m-1","usage":{"input":14000,"output":100,"cacheRead":0,"cacheWrite":0,"totalTokens":14100,"cost":{"total":1.5}},"stopReason":"stop","timestamp":1770109220000}}`,
	`{"type":"message","id":"e21","parentId":"e20","timestamp":"2026-02-03T09:00:21.000Z","message":{"role":"user","content":"try the other way","timestamp":1770109221000}}`,
	`{"type":"branch_summary","id":"e22","parentId":"e20","timestamp":"2026-02-03T09:00:22.000Z","fromId":"e21","summary":"It did not work.","details":{"readFiles":[],"modifiedFiles":["x.go"]}}`,
	`{"type":"custom","customType":"counter","id":"e23","parentId":"e22","timestamp":"2026-02-03T09:00:23.000Z","data":{"n":1}}`,
	`{"type":"custom_message","customType":"reminder","id":"e24","parentId":"e23","timestamp":"2026-02-03T09:00:24.000Z","content":"Mind the *tests*","display":true}`,
	`{"type":"custom_message","customType":"secret","id":"e25","parentId":"e24","timestamp":"2026-02-03T09:00:25.000Z","content":[{"type":"text","text":"hidden words"}],"display":false}`,
	`{"type":"label","id":"e26","parentId":"e25","timestamp":"2026-02-03T09:00:26.000Z","targetId":"e05","label":"good start"}`,
	`{"type":"label","id":"e27","parentId":"e26","timestamp":"2026-02-03T09:00:27.000Z","targetId":"gone"}`,
	`{"type":"session_info","id":"e28","parentId":"e27","timestamp":"2026-02-03T09:00:28.000Z","name":"Themes"}`,
	`{"type":"session_info","id":"e29","parentId":"e28","timestamp":"2026-02-03T09:00:29.000Z","name":""}`,
	`{"type":"usage","kind":"cache_warm","id":"e30","parentId":"e29","timestamp":"2026-02-03T09:00:30.000Z","provider":"prov","model":"m-1","usage":{"input":2000,"output":0,"cacheRead":0,"cacheWrite":0,"cost":{"total":0.02}},"note":"kept warm"}`,
	`{"type":"context_edit","id":"e31","parentId":"e30","timestamp":"2026-02-03T09:00:31.000Z","targetId":"e20","replacement":null}`,
	`{"type":"context_edit","id":"e32","parentId":"e31","timestamp":"2026-02-03T09:00:32.000Z","targetId":"e04","replacement":{"content":"Fix it."}}`,
	`{"type":"model_change","id":"e33","parentId":"e32","timestamp":"2026-02-03T09:00:33.000Z","model":"prov/m-2","role":"smol"}`,
	`{"type":"thinking_level_change","id":"e34","parentId":"e33","timestamp":"2026-02-03T09:00:34.000Z","thinkingLevel":null,"configured":"auto"}`,
	`{"type":"ttsr_injection","id":"e35","parentId":"e34","timestamp":"2026-02-03T09:00:35.000Z","injectedRules":["r1"]}`,
	`{"type":"mode_change","id":"e36","parentId":"e35","timestamp":"2026-02-03T09:00:36.000Z","mode":"plan"}`,
	`{"type":"session_init","id":"e37","parentId":"e36","timestamp":"2026-02-03T09:00:37.000Z","systemPrompt":"You are a helper.","task":"count","tools":["read"]}`,
	`{"type":"title_change","id":"e38","parentId":"e37","timestamp":"2026-02-03T09:00:38.000Z","title":"New title","source":"user"}`,
	`{"type":"service_tier_change","id":"e39","parentId":"e38","timestamp":"2026-02-03T09:00:39.000Z","serviceTier":null}`,
	`{"type":"model_usage","id":"e40","parentId":"e39","timestamp":"2026-02-03T09:00:40.000Z","purpose":"title","api":"a","provider":"prov","model":"m-2","usage":{"input":5,"output":5,"cacheRead":0,"cacheWrite":0,"cost":{"total":0.001}},"stopReason":"stop"}`,
	`{"type":"credential_pin","id":"e41","parentId":"e40","timestamp":"2026-02-03T09:00:41.000Z","provider":"prov","hash":"abc"}`,
	`{"type":"reset_boundary","id":"e42","parentId":"e41","timestamp":"2026-02-03T09:00:42.000Z"}`,
	`{"type":"archive","id":"e43","parentId":"e42","timestamp":"2026-02-03T09:00:43.000Z","targetId":"e21","archived":true}`,
	`{"type":"archive","id":"e44","parentId":"e43","timestamp":"2026-02-03T09:00:44.000Z","targetId":"e21","archived":false}`,
	`{"type":"branch_summary","id":"e45","parentId":"e44","timestamp":"2026-02-03T09:00:45.000Z","fromId":"root","summary":"","details":{"kind":"discarded-entry-branch"}}`,
	`{"type":"hologram","id":"e46","parentId":"e45","timestamp":"2026-02-03T09:00:46.000Z","depth":[1,{"x":"<i>"}]}`,
	`{"type":"message","id":"e47","parentId":"e46","timestamp":"2026-02-03T09:00:47.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c9","name":"oracle","arguments":{"question":"why?"}},{"type":"thinking","thinking":"","redacted":true}],"api":"api","provider":"prov","model":"m-1","stopReason":"toolUse","timestamp":1770109247000}}`,
	`{"type":"custom","customType":"session-explorer.branch","id":"e48","parentId":"e47","timestamp":"2026-02-03T09:00:48.000Z"}`,
}

// Nothing in a file is unreachable: every kind of entry has a row in the tree, and a card
// or a note on the path.
func TestKinds(t *testing.T) {
	sess := open(t, lines(kinds...))
	var rows string
	look(t, sess, Params{Filter: session.FilterAll}, func(s Scene) {
		rows = dumpRows(RowsModel(s, 0, 200).Rows)
		for p := range session.Pos(s.Tree.Len()) {
			e := s.Tree.At(p)
			shown := strings.Contains(rows, "-"+e.ID+" ") || strings.Contains(rows, "c-"+e.ID+"-")
			if !shown && e.Kind != session.KindUsage {
				t.Errorf("no row for %s (%s)", e.ID, e.Role)
			}
		}
	})
	m, err := pathModel(NewRenderer(), sess, Params{}, PathQuery{N: 200})
	if err != nil {
		t.Fatal(err)
	}
	key := sess.Key()
	items := strings.ReplaceAll(dumpItems(m.Items), key, "KEY")
	sess.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for _, p := range tree.Path(tree.Leaf()) {
			if id := tree.At(p).ID; !strings.Contains(items, "-"+id+"\n") && !strings.Contains(items, "-"+id+" ") && !strings.Contains(items, "c-"+id+"-") && !strings.Contains(items, "and "+id+":") {
				t.Errorf("no item for %s (%s)", id, tree.At(p).Role)
			}
		}
	})
	compareGolden(t, "kinds.rows.golden", rows)
	compareGolden(t, "kinds.path.golden", items)
}
