package outline

import (
	"reflect"
	"testing"
)

// A session of a million forks has a million rows in memory at once, and the collector
// must not have to look at them.
func TestSizes(t *testing.T) {
	t.Parallel()
	row := reflect.TypeFor[Row]()
	if row.Size() > 64 {
		t.Errorf("Row takes %d bytes, want at most 64", row.Size())
	}
	checkNoPointers(t, row)
}

func checkNoPointers(t *testing.T, of reflect.Type) {
	for i := range of.NumField() {
		switch f := of.Field(i); f.Type.Kind() {
		case reflect.Struct:
			checkNoPointers(t, f.Type)
		case reflect.Pointer, reflect.Slice, reflect.String, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
			t.Errorf("%s.%s is a pointer", of, f.Name)
		}
	}
}
