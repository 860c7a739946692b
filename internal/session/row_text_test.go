package session

import "testing"

func TestHomePath(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"/home/ada/notes", "/home/ada", "~/notes"},
		{"/home/ada", "/home/ada", "~"},
		{"/home/adam/notes", "/home/ada", "/home/adam/notes"},
		{"/srv/notes", "/home/ada", "/srv/notes"},
		{"/srv", "", "/srv"},
	} {
		if got := HomePath(c[0], c[1]); got != c[2] {
			t.Errorf("HomePath(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestImage(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{"aGk=": "hi", "aGk": "hi", "": "", "%": ""} {
		b := NewImageBlock("image/png", data)
		if string(b.Data) != want || (b.Text != "") != (want == "") || b.Name != "image/png" {
			t.Errorf("Image(%q) = %+v", data, b)
		}
	}
}
