package session_test

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sessiontest"
)

func TestTree_Context(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, leaf, want string }{
		{"messages of the path alone", "u user q\na asst r\nb user left\nc<a user on", "c", "user:u assistant:a user:c"},
		{"settings and state are no messages", "m model x\nu user q\nx custom s\nl label target=u y\ns usage\na asst r", "a", "user:u assistant:a"},
		{"custom messages and summaries are", "u user q\nn note name=todo two\ns sum was there", "s", "user:u custom:n branchSummary:s"},
		{"an empty summary is not", "u user q\ns sum", "s", "user:u"},
		{"a command kept out is a message none the less", "u user q\nb shell flag=nocontext ls", "b", "user:u bashExecution:b"},
		{"a compaction stands for what is before the first kept", "u user\na asst r\nv user\nk pack target=v\nw user", "w",
			"compactionSummary:k user:v user:w"},
		{"a first kept entry on another branch keeps nothing", "u user\nx user\na<u asst r\nk pack target=x\nw user", "w", "compactionSummary:k user:w"},
		{"a compaction that names itself keeps nothing", "u user\nk pack target=k\nw user", "w", "compactionSummary:k user:w"},
		{"only the last compaction counts", "u user\nk pack target=u\nv user\nj pack target=u\nw user", "w", "compactionSummary:j user:u user:v user:w"},
		{"its system message comes first, kept ones are in it", "s system\nu user\nr system\nk pack target=u flag=checkpoint\nt system", "t",
			"system:k! compactionSummary:k user:u system:t"},
		{"the context starts after a reset", "u user\nr reset\nv user\nq reset\nw user", "w", "user:w"},
		{"a compaction before a reset is gone", "u user\nk pack target=u\nr reset\nw user", "w", "user:w"},
		{"a compaction after a reset keeps what it names", "u user\nr reset\nv user\nk pack target=u\nw user", "w", "compactionSummary:k user:u user:v user:w"},
		{"a custom message that is not sent is none", "u user\nn note name=plan flag=nocontext x", "n", "user:u"},
		{"failed answers stay unless the format says otherwise", "u user\na asst flag=error oops\nv user", "v", "user:u assistant:a user:v"},
		{"an edit leaves out or replaces, the last one counts", "u user\na asst r\ne edit target=u replace\nf edit target=u omit\ng edit target=a replace\nv user", "v",
			"assistant:a=g user:v"},
		{"an edit replaces no command, which keeps its output, nor a summary", "b shell ls\ns sum was there\nm message x\ne edit target=b replace\nf edit target=s replace\ng edit target=m replace\nv user", "v",
			"bashExecution:b branchSummary:s weird:m user:v"},
		{"an edit leaves a command out", "b shell ls\ne edit target=b omit\nv user", "v", "user:v"},
		{"an edit before what a compaction keeps is gone with it", "e edit target=u omit\nu user\nk pack target=u\nv user", "v", "compactionSummary:k user:u user:v"},
		{"an edit on another branch does nothing", "u user\na asst r\ne edit target=u omit\nv<a user", "v", "user:u assistant:a user:v"},
		{"nothing before the first entry", "u user", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := sessiontest.Tree(c.in)
			var got []string
			for _, item := range tree.Context(tree.FindID(c.leaf)).Items {
				text := item.Role + ":" + tree.At(item.Pos).ID
				if item.SystemMessage {
					text += "!"
				}
				if item.Edit != session.NoPos {
					text += "=" + tree.At(item.Edit).ID
				}
				got = append(got, text)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("Context = %s, want %s", strings.Join(got, " "), c.want)
			}
		})
	}
}

func TestTree_Context_SkipFailed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, want string }{
		{"a failed answer", "u user q\na asst flag=error oops\nv user", "u v"},
		{"with the results of its calls", "u user q\na asst flag=error calls=c:bash,d:bash\nr tool call=c\ns tool call=d\nv user", "u v"},
		{"the results of other calls stay", "u user q\na asst calls=c:bash\nr tool call=c\nb asst flag=error calls=d:bash\ns tool call=d\nv user", "u a r v"},
		{"an answer of calls without a result", "u user q\na asst calls=c:bash,d:bash\nv user", "u v"},
		{"one that says something too stays", "u user q\na asst calls=c:bash Looking.\nv user", "u a v"},
		{"one of whose calls has a result stays", "u user q\na asst calls=c:bash,d:bash\nr tool call=d\nv user", "u a r v"},
		{"a result on another branch is none", "u user q\na asst calls=c:bash\nr tool call=c\nv<a user", "u v"},
		{"a failed answer whose thinking is resumed stays", "u user q\na asst flag=error half\nn note name=resumed x\nv user", "u a n v"},
		{"another note does not resume it", "u user q\na asst flag=error half\nn note name=other x\nv user", "u n v"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules := session.Rules{SkipFailed: true, ResumingType: "resumed"}
			tree := session.BuildTree(session.Header{Rules: rules}, sessiontest.Entries(c.in), nil)
			var got []string
			for _, item := range tree.Context(tree.Leaf()).Items {
				got = append(got, tree.At(item.Pos).ID)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("Context = %s, want %s", strings.Join(got, " "), c.want)
			}
		})
	}
}

func TestTree_Context_state(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		rules    session.Rules
		want     string
	}{
		{"nothing said", "u user", session.Rules{}, "off / 0"},
		{"the last change or answer names the model", "m model by=p one\nt thinking high\na asst by=q name=two tokens=50 r", session.Rules{}, "high q/two 50"},
		{"a change pins it where the format says so", "m model by=p one\na asst by=q name=two r", session.Rules{PinnedModel: true}, "off p/one 0"},
		{"an answer before any change counts", "a asst by=q name=two r", session.Rules{PinnedModel: true}, "off q/two 0"},
		{"another role's model does not", "m model by=p one\nn model by=p flag=secondary small", session.Rules{}, "off p/one 0"},
		{"a compaction makes the count unknown", "a asst by=p name=m tokens=50 r\nk pack tokens=50", session.Rules{}, "off p/m 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := session.BuildTree(session.Header{Rules: c.rules}, sessiontest.Entries(c.in), nil)
			got := tree.Context(tree.Leaf())
			if text := fmt.Sprintf("%s %s/%s %d", got.Thinking, got.Provider, got.Model, got.Tokens); text != c.want {
				t.Errorf("Context = %s, want %s", text, c.want)
			}
		})
	}
}

// The results that an answer records itself are messages after it.
func TestTree_Context_results(t *testing.T) {
	t.Parallel()
	call := func(o *session.Outcome) session.ToolCall { return session.ToolCall{Outcome: o} }
	entries := []session.Entry{
		{ID: "u", Kind: session.KindUser, Role: "user"},
		{ID: "a", Kind: session.KindAssistant, Role: "assistant", Parent: "u", Flags: session.FlagHasParent,
			Details: &session.Details{Calls: []session.ToolCall{call(&session.Outcome{HasImages: true}), call(&session.Outcome{Unsent: true}), call(nil), call(&session.Outcome{})}}},
		{ID: "e", Kind: session.KindAssistant, Role: "assistant", Parent: "a", Flags: session.FlagHasParent | session.FlagNoContext},
	}
	for _, c := range []struct {
		rules session.Rules
		want  string
	}{
		{session.Rules{}, "user u 0/0; assistant a 0/0; toolResult a 1/0; toolResult a 1/3; user a 2/0; assistant e 0/0"},
		{session.Rules{ResultsReversed: true, OmitsNoContext: true}, "user u 0/0; assistant a 0/0; toolResult a 1/3; toolResult a 1/0; user a 2/0"},
	} {
		tree := session.BuildTree(session.Header{Rules: c.rules}, entries, nil)
		var got []string
		for _, item := range tree.Context(tree.FindID("e")).Items {
			got = append(got, fmt.Sprintf("%s %s %d/%d", item.Role, tree.At(item.Pos).ID, item.Part, item.Call))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%+v: %s, want %s", c.rules, strings.Join(got, "; "), c.want)
		}
	}
}
