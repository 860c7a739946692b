package jsonl_test

import (
	"fmt"

	"sessiontree/internal/session/jsonl"
)

func ExampleCursor() {
	c := jsonl.NewCursor([]byte(`{"id":"a1","tags":["one","tw\u006f"],"size":{"x":1},"done":true}`))
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "id":
			fmt.Println("id", c.Value().Text())
		case "tags":
			for ok := c.EnterArray(); ok; ok = c.More() {
				fmt.Println("tag", c.Value().Text())
			}
		case "done":
			fmt.Println("done", c.Value().IsTruthy())
		default:
			c.Skip()
		}
	}
	fmt.Println(c.End())
	// Output:
	// id a1
	// tag one
	// tag two
	// done true
	// <nil>
}

func ExampleFields() {
	type point struct{ x, y jsonl.Value }
	fields := jsonl.NewFields(func(p *point) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{"x": &p.x, "y": &p.y}
	}, nil)

	var p point
	c := jsonl.NewCursor([]byte(`{"y":2,"color":"red","x":1}`))
	fields.ReadObject(&c, &p)
	fmt.Printf("%s %s %v\n", p.x.Raw, p.y.Raw, c.End())
	// Output: 1 2 <nil>
}
