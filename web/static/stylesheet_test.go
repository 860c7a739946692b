package static

import (
	"io/fs"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestStylesheet(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	Handler().ServeHTTP(rec, httptest.NewRequest("GET", Prefix()+"/"+StylesheetName, nil))
	if rec.Code != 200 || rec.Header().Get("Content-Type") != "text/css; charset=utf-8" || !strings.Contains(rec.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("the stylesheet: status %d, headers %v", rec.Code, rec.Header())
	}
	names, err := fs.Glob(files, "css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		css, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(stylesheets, strings.TrimSuffix(path.Base(name), ".css")) || !strings.Contains(rec.Body.String(), string(css)) {
			t.Errorf("%s is not in the stylesheet", name)
		}
	}
}
