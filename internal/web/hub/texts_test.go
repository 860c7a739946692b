package hub

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/team"
	"sessiontree/internal/session/textcache"
)

// cacheTexts caches the texts of the sessions that the member may read.
func (m *member) cacheTexts() {
	m.Helper()
	a, err := m.server.findApp(team.Person{ID: m.id})
	m.check(err)
	defer a.release()
	a.filling.Wait()
	texts := a.texts
	texts.Now = m.now().Add(time.Hour) // sessions at rest are cached
	m.check(texts.CacheTexts(m.Context(), func(time.Duration) {}))
}

// finds reports whether a search of the member for a word in prompts has a result.
func (m *member) finds(word string) bool {
	m.Helper()
	_, body := m.get("/search/stream?q=" + url.QueryEscape("role:prompt "+word))
	if !strings.Contains(body, `"progress"`) {
		m.Errorf("searching %s: %s", word, body)
	}
	return strings.Contains(body, "/sessions/")
}

// cachedText returns the file with the cached texts of everybody.
func (f *fixture) cachedText() []byte {
	f.Helper()
	return f.readCached("texts-*")
}

// readCached returns the file of the cache with a name.
func (f *fixture) readCached(pattern string) []byte {
	f.Helper()
	files, err := filepath.Glob(filepath.Join(f.hub.CacheDir(), pattern))
	f.check(err)
	if len(files) != 1 {
		f.Fatalf("the cache has the files %q", files)
	}
	text, err := os.ReadFile(files[0])
	f.check(err)
	return text
}

// The texts of everybody are in one cache, and a search of a person uses those of the sessions that
// the person may read.
func TestSearch_CachedTexts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, ben := f.addMember("Ada", team.Member), f.addMember("Ben", team.Member)
	path := ada.push(newSession("ada-1", "plant a kumquat"), "1.jsonl")
	bens := ben.push(newSession("ben-1", "plant a persimmon"), "1.jsonl")
	ada.key(path)
	ben.key(bens)
	ada.cacheTexts()
	ben.cacheTexts()
	if text := f.cachedText(); !bytes.Contains(text, []byte("kumquat")) || !bytes.Contains(text, []byte("persimmon")) {
		t.Fatalf("cached: %q", text)
	}
	check := func(benFindsAdas bool) {
		t.Helper()
		if !ada.finds("kumquat") || !ben.finds("persimmon") {
			t.Error("somebody does not find the own session")
		}
		if ada.finds("persimmon") || ben.finds("kumquat") != benFindsAdas {
			t.Errorf("Ada finds the session of Ben: %t; Ben finds that of Ada: %t", ada.finds("persimmon"), ben.finds("kumquat"))
		}
	}
	check(false)
	f.check(f.hub.SetVisibility(t.Context(), ada.id, path, team.Team, ""))
	ben.key(path)
	check(true)
	f.check(f.hub.SetVisibility(t.Context(), ada.id, path, team.Private, ""))
	ben.key(bens) // by an explorer without that session
	check(false)
	f.close()
	f.open()
	if ada.get("/"); !bytes.Contains(f.cachedText(), []byte("kumquat")) {
		t.Error("the cache is empty after a restart")
	}
}

// The cached texts of a deleted session are erased before the record that its bytes are gone, also
// those that were cached while it was deleted.
func TestDeleteSession_CachedTexts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada := f.addMember("Ada", team.Member)
	path := ada.push(newSession("ada-1", "plant a kumquat"), "1.jsonl")
	ada.key(path)
	ada.key(ada.push(newSession("ada-2", "plant a persimmon"), "2.jsonl"))
	ada.cacheTexts()
	cached := f.cachedText()
	f.check(f.hub.DeleteSession(t.Context(), ada.id, path, ""))
	text := f.cachedText()
	if !bytes.Contains(cached, []byte("kumquat")) || bytes.Contains(text, []byte("kumquat")) || !bytes.Contains(text, []byte("persimmon")) {
		t.Errorf("cached before: %q, after: %q", cached, text)
	}
	late := filepath.Join(f.server.config.Hub.FilesOf(ada.id).Dir(), path)
	f.check(f.hub.Texts.Add(textcache.Texts{Path: late, Blocks: [][]byte{[]byte("kumquat")}}))
	f.server.removeDeleted() // each minute
	if bytes.Contains(f.cachedText(), []byte("kumquat")) {
		t.Error("texts that were cached late are not erased")
	}
}

// A session is read once for the lists of everybody, also after a restart, and leaves what is
// stored of them when it is deleted.
func TestLists_Shared(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada, ben := f.addMember("Ada", team.Member), f.addMember("Ben", team.Member)
	path := ada.push(newSession("ada-1", "plant a kumquat"), "1.jsonl")
	f.check(f.hub.SetVisibility(t.Context(), ada.id, path, team.Team, ""))
	ada.key(ada.push(newSession("ada-2", "plant a persimmon"), "2.jsonl"))
	ada.key(path) // the list may have the second one first
	check := func(m *member, sessions int) {
		t.Helper()
		a, err := m.server.findApp(team.Person{ID: m.id})
		m.check(err)
		defer a.release()
		a.filling.Wait()
		if p := a.catalog.Progress(); len(a.catalog.Sessions()) != sessions || p.BytesScanned > 0 {
			t.Errorf("%s: %d sessions, %+v", m.id, len(a.catalog.Sessions()), p)
		}
	}
	check(ada, 2)
	check(ben, 1)
	f.close()
	f.open()
	check(ada, 2)
	f.check(f.hub.DeleteSession(t.Context(), ada.id, path, ""))
	if stored := f.readCached("catalog-*"); bytes.Contains(stored, []byte("kumquat")) || !bytes.Contains(stored, []byte("persimmon")) {
		t.Errorf("stored after a session was deleted: %q", stored)
	}
}

// A file that a device replaces by one of the same size and time, such as one without a secret that
// its rules did not know before, is not searched by its earlier texts.
func TestSearch_ReplacedFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada := f.addMember("Ada", team.Member)
	path := ada.push(newSession("ada-1", "plant a kumquat"), "1.jsonl")
	ada.key(path)
	ada.cacheTexts()
	replaced := newSession("ada-1", "plant a REMOVED").Bytes()
	_, err := f.hub.Archive.Append(t.Context(), archive.Segment{Path: path, Generation: 2, Before: archive.EmptyChain, Data: replaced, ModTime: f.now()})
	f.check(err)
	f.hub.FileGrew(path)
	ada.key(path)
	if ada.finds("kumquat") || !ada.finds("REMOVED") {
		t.Errorf("the earlier text is found: %t, the new one: %t", ada.finds("kumquat"), ada.finds("REMOVED"))
	}
	ada.cacheTexts()
	if text := f.cachedText(); bytes.Contains(text, []byte("kumquat")) || !bytes.Contains(text, []byte("REMOVED")) {
		t.Errorf("cached: %q", text)
	}
}
