package export_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/testgen/secrets"
	"sessiontree/internal/web/htmlexport"
)

// plantedSecrets returns a hundred generated secrets for as many published rules. It
// omits the rule that uses entropy alone.
func plantedSecrets(t *testing.T) []secrets.PlantedSecret {
	t.Helper()
	file, err := os.ReadFile("../redact/rules/gitleaks.toml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := secrets.MakeSecrets(string(file), []string{"generic-api-key"}, 100, 5)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// secretPlaces are the places of text in a session: lines of pi and of Claude Code.
var secretPlaces = []struct {
	name     string
	pi, code func(text string) any
}{
	{"a prompt", func(s string) any { return object{"role": "user", "content": s} },
		func(s string) any { return object{"type": "user", "message": object{"role": "user", "content": s}} }},
	{"an answer", func(s string) any {
		return object{"role": "assistant", "content": []any{object{"type": "text", "text": s}}}
	},
		func(s string) any { return assistantLine(object{"type": "text", "text": s}) }},
	{"thinking", func(s string) any {
		return object{"role": "assistant", "content": []any{object{"type": "thinking", "thinking": s, "thinkingSignature": "c2ln"}}}
	},
		func(s string) any {
			return assistantLine(object{"type": "thinking", "thinking": s, "signature": "c2ln"})
		}},
	{"a call", func(s string) any {
		return object{"role": "assistant", "content": []any{object{"type": "toolCall", "id": "c", "name": "write", "arguments": object{"path": "a", "content": s}}}}
	},
		func(s string) any {
			return assistantLine(object{"type": "tool_use", "id": "c", "name": "Write", "input": object{"file_path": "a", "content": s}})
		}},
	{"an output", func(s string) any {
		return object{"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": []any{object{"type": "text", "text": s}}, "isError": false}
	},
		func(s string) any { return resultLine(s, s) }},
	{"JSON in an output", func(s string) any {
		return object{"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": []any{object{"type": "text", "text": escapedTwice(s)}}, "isError": false}
	},
		func(s string) any { return resultLine(escapedTwice(s), object{"stdout": escapedTwice(s)}) }},
	{"what stands beside an output", func(s string) any {
		return object{"role": "toolResult", "toolCallId": "c", "toolName": "edit", "content": []any{}, "details": object{"diff": "+1 " + s}, "isError": false}
	},
		func(s string) any {
			return resultLine("done", object{"structuredPatch": []any{object{"oldStart": 1, "lines": []any{"+" + s}}}})
		}},
}

type object = map[string]any

func assistantLine(block any) any {
	return object{"type": "assistant", "message": object{"role": "assistant", "model": "m", "content": []any{block}}}
}

func resultLine(content, beside any) any {
	return object{"type": "user", "message": object{"role": "user", "content": []any{object{"type": "tool_result", "tool_use_id": "c", "content": content}}}, "toolUseResult": beside}
}

func escapedTwice(s string) string {
	text, _ := json.Marshal(object{"log": s})
	return string(text)
}

// pictureText returns image data with a secret in base64, which is not scanned.
func pictureText(p secrets.PlantedSecret) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat("PNG", 30) + p.Value))
}

// piSecretFile and claudeSecretFile return sessions with a secret in every line, in each
// place in turn. Every third line is written with escapes.
func piSecretFile(all []secrets.PlantedSecret) []byte {
	lines := []any{object{"type": "session", "version": 3, "id": "01964f3a-2b1c-7d4e-8f00-000000000001", "timestamp": "2025-03-01T10:00:00.000Z", "cwd": "/p"}}
	for i, p := range all {
		m := secretPlaces[i%len(secretPlaces)].pi(p.Text)
		lines = append(lines, object{"type": "message", "id": fmt.Sprintf("%08x", i), "parentId": parentID(i, "%08x"), "timestamp": "2025-03-01T10:00:01.000Z", "message": m})
	}
	lines = append(lines, object{"type": "message", "id": "last", "parentId": fmt.Sprintf("%08x", len(all)-1), "timestamp": "2025-03-01T10:00:01.000Z",
		"message": object{"role": "user", "content": []any{object{"type": "image", "mimeType": "image/png", "data": pictureText(all[0])}}}})
	return encodeLines(lines)
}

func claudeSecretFile(all []secrets.PlantedSecret) []byte {
	var lines []any
	for i, p := range all {
		line := secretPlaces[i%len(secretPlaces)].code(p.Text).(object)
		for key, value := range (object{"uuid": fmt.Sprintf("u%07x", i), "parentUuid": parentID(i, "u%07x"), "sessionId": "11111111-0000-4000-8000-000000000009", "isSidechain": false,
			"userType": "external", "cwd": "/p", "version": "2", "timestamp": fmt.Sprintf("2025-03-01T10:%02d:%02d.000Z", i/60, i%60)}) {
			line[key] = value
		}
		lines = append(lines, line)
	}
	return encodeLines(lines)
}

func parentID(i int, format string) any {
	if i == 0 {
		return nil
	}
	return fmt.Sprintf(format, i-1)
}

func encodeLines(lines []any) []byte {
	var b bytes.Buffer
	for i, line := range lines {
		text, _ := json.Marshal(line)
		if i%3 == 2 {
			text = respellEscapes(text)
		}
		b.Write(append(text, '\n'))
	}
	return b.Bytes()
}

// respellEscapes writes every letter within strings as an escape.
func respellEscapes(line []byte) []byte {
	var b bytes.Buffer
	inside := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			inside = !inside
			b.WriteByte(c)
		case c == '\\':
			n := 2
			if line[i+1] == 'u' {
				n = 6
			}
			b.Write(line[i : i+n])
			i += n - 1
		case inside && (c|0x20 >= 'a' && c|0x20 <= 'z'):
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.Bytes()
}

// At least 98 of a hundred planted secrets are in no kind of export, whatever their place
// and spelling. Without the rules nearly all are visible, which shows that the test looks
// in the right places.
func TestPlantedSecrets(t *testing.T) {
	slowtest.SkipIfShort(t)
	all := plantedSecrets(t)
	rules := export.Options{Redactor: redact.New(redact.Options{}), Classes: map[string]bool{redact.ClassKeys: true}}
	for name, file := range map[string][]byte{"pi": piSecretFile(all), "code": claudeSecretFile(all)} {
		path := filepath.Join(t.TempDir(), exportedName(nil))
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		s := openFile(t, path)
		if n := readTree(s).Len(); n < len(all) || n > len(all)+1 {
			t.Fatalf("%s: %d entries", name, n)
		}
		for as, minVisible := range map[export.Kind]int{export.JSONL: 100, export.Markdown: 80, export.HTML: 80} {
			rules.Kind = as
			if leaked := leakedSecrets(t, s, all, rules); len(leaked) > 2 {
				t.Errorf("%s, %s: %d of %d stay: %+v", name, as, len(leaked), len(all), leaked)
			}
			if leaked := leakedSecrets(t, s, all, export.Options{Kind: as}); len(leaked) < minVisible {
				t.Errorf("%s, %s: only %d of %d can be seen at all", name, as, len(leaked), len(all))
			}
		}
	}
}

// leakedSecrets returns the planted secrets that are visible in an export.
func leakedSecrets(t *testing.T, s *store.Session, all []secrets.PlantedSecret, o export.Options) (leaked []secrets.PlantedSecret) {
	t.Helper()
	o.Part, o.RenderHTML = export.Part{Scope: export.Tree}, htmlexport.NewRenderer(htmlexport.Options{})
	job, err := export.Prepare(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := job.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	visible := b.String()
	switch o.Kind {
	case export.JSONL:
		visible = visibleText(t, b.Bytes())
		if strings.Contains(visible, "image/png") && !strings.Contains(visible, pictureText(all[0])) {
			t.Error("data in base64 was changed")
		}
	case export.HTML:
		visible += readableParts(t, visible)
		visible = html.UnescapeString(markupPattern.ReplaceAllString(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(visible), ""))
	}
	for _, p := range all {
		text, _ := json.Marshal(p.Value)
		if strings.Contains(visible, p.Value) || strings.Contains(visible, string(text[1:len(text)-1])) {
			leaked = append(leaked, p)
		}
	}
	return leaked
}

// markupPattern matches the markup between the letters of a word.
var markupPattern = regexp.MustCompile(`<[^>]*>`)

// visibleText returns all decoded strings of a JSON Lines file.
func visibleText(t *testing.T, file []byte) string {
	t.Helper()
	var all strings.Builder
	for line := range bytes.Lines(file) {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		for todo := []any{v}; len(todo) > 0; {
			v, todo = todo[len(todo)-1], todo[:len(todo)-1]
			switch v := v.(type) {
			case string:
				all.WriteString(v + "\n")
			case []any:
				todo = append(todo, v...)
			case map[string]any:
				for key, x := range v {
					all.WriteString(key + "\n")
					todo = append(todo, x)
				}
			}
		}
	}
	return all.String()
}

// The sessions of real agents contain no keys, so there are hardly any findings.
func TestFalseFindings(t *testing.T) {
	slowtest.SkipIfShort(t)
	rules := redact.New(redact.Options{})
	found := 0
	for _, file := range corpusFiles(t) {
		s := openFile(t, file)
		f, err := export.Options{Part: export.Part{Scope: export.Tree}, Redactor: rules}.FindSensitive(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range f.Items {
			if x.Class != redact.ClassKeys && x.Kind != "user name" { // they contain home directories
				continue
			}
			found += x.Count
			raw, _ := s.ReadRawLine(t.Context(), readTree(s).FindID(x.Entry))
			t.Logf("%s: %s in %s, %d times: %.300s", file, x.Kind, x.Entry, x.Count, raw)
		}
	}
	if found > 5 {
		t.Errorf("%d false findings", found)
	}
}
