package web

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// inline lists what the content security policy forbids on a page.
var inline = []struct {
	what string
	re   *regexp.Regexp
}{
	{"a style attribute", regexp.MustCompile(`(?i)[\s"]style=\\?"`)},
	{"a style element", regexp.MustCompile(`(?i)<style[\s>]`)},
	{"a script of its own", regexp.MustCompile(`(?i)<script(?:\s+(?:type|defer|async)(?:=\\"[^"]*\\")?)*\s*>`)},
	{"an event handler", regexp.MustCompile(`(?i)\son[a-z]+=\\?"`)},
	{"a javascript: link", regexp.MustCompile(`(?i)javascript:`)},
	{"a templ script or css block", regexp.MustCompile(`templ\.(?:ComponentScript|SafeScript|ComponentCSSClass|CSSClass|SafeCSS|JSExpression|JSFuncCall|Raw)\b`)},
}

// Generated components contain nothing that the content security policy blocks. Sanitized
// HTML is inserted in one place only.
func TestComponentsKeepThePolicy(t *testing.T) {
	files, err := filepath.Glob("../../web/components/*_templ.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated components: %v", err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range inline {
			for _, at := range in.re.FindAllIndex(src, -1) {
				if in.what == "a templ script or css block" && isSanitized(src, at[0]) {
					continue
				}
				t.Errorf("%s holds %s: %.80s", filepath.Base(f), in.what, src[at[0]:])
			}
		}
	}
}

// isSanitized reports whether a Raw inserts a model's HTML field, which package view fills
// with sanitized HTML only.
func isSanitized(src []byte, at int) bool {
	return regexp.MustCompile(`^templ\.Raw\([a-z]+\.HTML\)`).Match(src[at:])
}

// The patterns match what they are meant for.
func TestInlinePatterns(t *testing.T) {
	for i, bad := range []string{`<p style=\"x\">`, `<style>`, `<script type=\"module\">`, `<a onclick=\"x\">`, `href=\"javascript:x\"`, `templ.ComponentScript{}`} {
		if !inline[i].re.MatchString(bad) {
			t.Errorf("%s is not found in %s", inline[i].what, bad)
		}
	}
	for i, good := range []string{`<p class=\"style\">`, `<link rel=\"stylesheet\">`, `<script type=\"module\" src=\"/x\">`, `<p data-on=\"x\">`, `java`, `templ.Component`} {
		if inline[i].re.MatchString(good) {
			t.Errorf("%s is found in %s", inline[i].what, good)
		}
	}
}
