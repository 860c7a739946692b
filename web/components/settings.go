package components

// setting is a choice in the dialog of settings. Its name and its values are those of
// settings.js.
type setting struct {
	Name, Title string
	Options     []option
}

// option is a value of a setting and its text.
type option struct{ Value, Text string }

var settings = []setting{
	{"theme", "Theme", []option{{"system", "System"}, {"light", "Light"}, {"dark", "Dark"}}},
	{"text-size", "Text size", []option{{"small", "Small"}, {"normal", "Normal"}, {"large", "Large"}, {"largest", "Largest"}}},
	{"density", "Rows of trees and lists", []option{{"comfortable", "Comfortable"}, {"compact", "Compact"}}},
	{"thinking", "Thinking", []option{{"folded", "Folded"}, {"open", "Open"}}},
	{"tools", "Tool calls", []option{{"folded", "Folded"}, {"open", "Open"}}},
	{"single-keys", "Single-letter keys", []option{{"on", "On"}, {"off", "Off"}}},
}
