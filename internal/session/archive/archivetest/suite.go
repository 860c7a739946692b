// Package archivetest tests implementations of archive.Store.
package archivetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session/archive"
)

// Opener opens an archive: the same one with each call, as several processes do.
type Opener func() archive.Store

// Run tests an implementation, except by RunModel. create creates an empty archive.
func Run(t *testing.T, create func(t *testing.T) Opener) {
	for name, test := range map[string]func(*testing.T, Opener){
		"segments of any size":   testSegments,
		"time without bytes":     testTime,
		"conflicts":              testConflicts,
		"the same segment again": testRepeated,
		"generations":            testGenerations,
		"delete":                 testDelete,
		"many small segments":    testSmallSegments,
		"a long file":            testLongFile,
		"readers while it grows": testReaders,
		"several writers":        testWriters,
		"invalid segments":       testInvalid,
		"paths of any bytes":     testPaths,
		"nothing stored":         testNothing,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of the time is spent on waiting for the disk
			test(t, create(t))
		})
	}
}

var ctx = context.Background()

func testSegments(t *testing.T, open Opener) {
	r := rand.New(rand.NewPCG(1, 2))
	for i, size := range []int{0, 1, 2, 1000, archive.MaxSegment - 1, archive.MaxSegment} {
		path, data := fmt.Sprintf("/dir/%d.jsonl", i), Lines(r, size)
		wantHead(t, appendAll(t, open(), path, 1, data, archive.MaxSegment), 1, data)
		wantContent(t, open(), path, 1, data)
	}
}

func testTime(t *testing.T, open Opener) {
	data := []byte("{}\n")
	appendAll(t, open(), "/a", 1, data, 100)
	s := Next("/a", 1, data, nil)
	s.ModTime = modTime(99)
	for range 2 {
		if _, err := open().Append(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	heads, err := open().Heads(ctx, "/a")
	if err != nil || len(heads) != 1 || !heads[0].ModTime.Equal(modTime(99)) {
		t.Errorf("heads %v, %v", heads, err)
	}
	f, err := open().OpenGeneration(ctx, "/a", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.ModTime().Equal(modTime(99)) {
		t.Errorf("time %v, %v", info.ModTime(), err)
	}
	wantContent(t, open(), "/a", 1, data)
}

func testConflicts(t *testing.T, open Opener) {
	data := []byte("{\"a\":1}\n{\"b\":2}\n")
	appendAll(t, open(), "/a", 1, data, 8)
	appendAll(t, open(), "/a", 2, data[:8], 8)
	other := []byte("{\"c\":3}\n{\"d\":4}\n")
	for name, s := range map[string]archive.Segment{
		"behind the end":           Next("/a", 2, data, other),
		"other bytes before":       Next("/a", 2, other[:8], other[8:]),
		"other bytes":              Next("/a", 2, nil, other[:8]),
		"some of it is stored":     Next("/a", 2, nil, data),
		"generation is too new":    Next("/a", 4, nil, data),
		"generation is closed":     Next("/a", 1, data, other),
		"new generation, not at 0": Next("/a", 3, data, other),
		"unknown file, not at 0":   Next("/b", 1, data, other),
		"unknown file, too new":    Next("/b", 2, nil, other),
	} {
		want := archive.Head{}
		if s.Path == "/a" {
			want = archive.Head{Generation: 2, End: 8}
		}
		_, err := open().Append(ctx, s)
		var conflict *archive.ConflictError
		if !errors.As(err, &conflict) || conflict.Head.Generation != want.Generation || conflict.Head.End != want.End {
			t.Errorf("%s: %v, want a conflict with %+v", name, err, want)
		}
	}
	wantContent(t, open(), "/a", 1, data)
	wantContent(t, open(), "/a", 2, data[:8])
	wantNotStored(t, open(), "/b", 1)
}

func testRepeated(t *testing.T, open Opener) {
	data := Lines(rand.New(rand.NewPCG(3, 4)), 3000)
	appendAll(t, open(), "/a", 1, data, 700)
	appendAll(t, open(), "/a", 2, data[:10], 10)
	for range 2 {
		for off := 0; off < len(data); off += 500 {
			if _, err := open().Append(ctx, Next("/a", 1, data[:off], data[off:min(off+500, len(data))])); err != nil {
				t.Fatal(err)
			}
		}
	}
	head, err := open().Append(ctx, Next("/a", 2, data[:3], data[3:7]))
	if err != nil {
		t.Fatal(err)
	}
	wantHead(t, head, 2, data[:10])
	wantContent(t, open(), "/a", 1, data)
	wantContent(t, open(), "/a", 2, data[:10])
}

func testGenerations(t *testing.T, open Opener) {
	r := rand.New(rand.NewPCG(5, 6))
	var all [][]byte
	for g := 1; g <= 4; g++ {
		all = append(all, Lines(r, 2000*g))
		appendAll(t, open(), "/a", g, all[g-1], 900)
	}
	heads, err := open().Heads(ctx, "/a")
	if err != nil || len(heads) != 4 {
		t.Fatalf("heads %v, %v", heads, err)
	}
	for i, h := range heads {
		wantHead(t, h, i+1, all[i])
		wantContent(t, open(), "/a", i+1, all[i])
	}
}

func testDelete(t *testing.T, open Opener) {
	for g := 1; g <= 3; g++ {
		appendAll(t, open(), "/a", g, []byte(fmt.Sprintln("generation", g)), 100)
		appendAll(t, open(), "/b", g, []byte(fmt.Sprintln("generation", g)), 100)
	}
	reader, err := open().OpenGeneration(ctx, "/a", 2)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for range 2 {
		if err := errors.Join(open().DeleteGeneration(ctx, "/a", 2), open().DeleteFile(ctx, "/b"), open().DeleteFile(ctx, "/none")); err != nil {
			t.Fatal(err)
		}
	}
	wantNotStored(t, open(), "/a", 2)
	wantNotStored(t, open(), "/b", 3)
	wantContent(t, open(), "/a", 3, []byte("generation 3\n"))
	if got, err := io.ReadAll(reader); !errors.Is(err, fs.ErrNotExist) && (err != nil || string(got) != "generation 2\n") {
		t.Errorf("an open file reads %q, %v", got, err)
	}
	files := map[string][]int{}
	err = open().ListFiles(ctx, func(path string, heads []archive.Head) error {
		for _, h := range heads {
			files[path] = append(files[path], h.Generation)
		}
		return nil
	})
	if err != nil || len(files) != 1 || !slices.Equal(files["/a"], []int{1, 3}) {
		t.Errorf("files %v, %v", files, err)
	}
	appendAll(t, open(), "/b", 1, []byte("again\n"), 100)
	wantContent(t, open(), "/b", 1, []byte("again\n"))
}

func testNothing(t *testing.T, open Opener) {
	wantNotStored(t, open(), "/a", 1)
	err := open().ListFiles(ctx, func(path string, _ []archive.Head) error { return errors.New(path) })
	if err != nil {
		t.Error(err)
	}
}

func testInvalid(t *testing.T, open Opener) {
	for name, s := range map[string]archive.Segment{
		"no path":       Next("", 1, nil, []byte("x")),
		"no generation": Next("/a", 0, nil, []byte("x")),
		"too long":      Next("/a", 1, nil, make([]byte, archive.MaxSegment+1)),
		"offset":        {Path: "/a", Generation: 1, Off: -1, Before: archive.EmptyChain},
	} {
		var conflict *archive.ConflictError
		if _, err := open().Append(ctx, s); err == nil || errors.As(err, &conflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	wantNotStored(t, open(), "/a", 1)
}

func testPaths(t *testing.T, open Opener) {
	paths := []string{"/a b/\xff\xfe.jsonl", "/ä/\n.jsonl", "/" + string(bytes.Repeat([]byte("long/"), 200)) + "x"}
	for _, path := range paths {
		appendAll(t, open(), path, 1, []byte(path), archive.MaxSegment)
	}
	var listed []string
	err := open().ListFiles(ctx, func(path string, _ []archive.Head) error {
		listed = append(listed, path)
		return nil
	})
	slices.Sort(listed)
	slices.Sort(paths)
	if err != nil || !slices.Equal(listed, paths) {
		t.Errorf("listed %q, %v", listed, err)
	}
	for _, path := range paths {
		wantContent(t, open(), path, 1, []byte(path))
	}
}

// RunModel compares an implementation with a model, after any operations in any order.
func RunModel(t *testing.T, create func(t *testing.T) Opener) {
	open := create(t)
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++
		m := model{t: t, open: open, prefix: fmt.Sprintf("/run%d/", n), files: map[string][][]byte{}}
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			m.step(r)
		}
		m.compare()
	})
}
