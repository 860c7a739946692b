package wave

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
)

func TestStrip(t *testing.T) {
	t.Parallel()
	output, thinking, images := session.Omissions{Output: true}, session.Omissions{Thinking: true}, session.Omissions{Images: true}
	for _, c := range []struct {
		name     string
		without  session.Omissions
		in, want string
	}{
		{"a tool", output,
			`{"role":"assistant","blocks":[{"type":"tool","id":"c","parameters":"{}","result":"secret","shortResult":"s","images":[{"data":"aGk="}],"error":{"name":"Error","message":"secret"},"success":false}]} `,
			`{"role":"assistant","blocks":[{"type":"tool","id":"c","parameters":"{}","result":"[left out]","shortResult":"[left out]","error":{"name":"Error","message":"[left out]"},"success":false}]}`},
		{"a tool that says nothing", output,
			`{"role":"assistant","blocks":[{"type":"tool","result":"","error":""}]} `, `{"role":"assistant","blocks":[{"type":"tool","result":"","error":""}]} `},
		{"a command", output,
			`{"role":"user","blocks":[{"type":"bang","command":"ls","output":"secret"}]}`, `{"role":"user","blocks":[{"type":"bang","command":"ls","output":"[left out]"}]}`},
		{"a task", output,
			`{"role":"user","blocks":[{"type":"task_notification","summary":"done","result":"secret"}]}`, `{"role":"user","blocks":[{"type":"task_notification","summary":"done","result":"[left out]"}]}`},
		{"thinking", thinking,
			`{"role":"assistant","blocks":[{"type":"reasoning","content":"secret"},{"type":"text","content":"a"}],"additionalFields":{"reasoning_content":"secret","x":1}}`,
			`{"role":"assistant","blocks":[{"type":"text","content":"a"}],"additionalFields":{"x":1}}`},
		{"an image", images,
			`{"role":"user","blocks":[{"type":"image","imageUrls":["data:image/png;base64,aGk="]},{"type":"text","content":"look"}]}`,
			`{"role":"user","blocks":[{"type":"text","content":"[image left out]"},{"type":"text","content":"look"}]}`},
		{"an image of a tool's", images,
			`{"role":"assistant","blocks":[{"type":"tool","result":"a","images":[{"data":"aGk="}],"stage":"end"}]}`,
			`{"role":"assistant","blocks":[{"type":"tool","result":"a\n[image left out]","stage":"end"}]}`},
		{"a header", session.Omissions{Output: true, Thinking: true, Images: true}, ` {"type":"metadata","workdir":"/a"}`, ` {"type":"metadata","workdir":"/a"}`},
	} {
		got, err := stripLine([]byte(c.in), c.without)
		if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
	if _, err := stripLine([]byte(`{"type":`), output); err == nil {
		t.Error("half a line is no error")
	}
}
