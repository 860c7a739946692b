package teamtest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"sessiontree/internal/session/team"
)

func testCodes(t *testing.T, open Opener) {
	device := team.Code{Hash: secret("c1"), Kind: team.DeviceCode, Person: "ada", Projects: []string{"/p"}, Expires: at(60)}
	invite := team.Code{Hash: secret("c2"), Kind: team.InviteCode, Person: "bob", Expires: at(60)}
	do(t, open().AddCode(ctx, device), open().AddCode(ctx, invite))
	wantError(t, "the same code", open().AddCode(ctx, team.Code{Hash: device.Hash, Kind: team.InviteCode, Person: "eve", Expires: at(900)}), team.ErrExists)
	wantSame(t, must(open().FindCode(ctx, device.Hash))(t), device)
	_, err := open().FindCode(ctx, secret("other"))
	wantError(t, "find an unknown code", err, team.ErrNotFound)

	for name, err := range map[string]error{
		"unknown":      second(open().UseCode(ctx, secret("other"), team.DeviceCode, "d", at(1))),
		"of this kind": second(open().UseCode(ctx, device.Hash, team.InviteCode, "", at(1))),
		"that kind":    second(open().UseCode(ctx, invite.Hash, team.DeviceCode, "d", at(1))),
		"expired":      second(open().UseCode(ctx, device.Hash, team.DeviceCode, "d", at(60))),
	} {
		wantError(t, name, err, team.ErrCode)
	}
	used := must(open().UseCode(ctx, device.Hash, team.DeviceCode, "dev-1", at(59)))(t)
	device.Used, device.Device = at(59), "dev-1"
	wantSame(t, used, device)
	wantSame(t, must(open().FindCode(ctx, device.Hash))(t), device)
	_, err = open().UseCode(ctx, device.Hash, team.DeviceCode, "dev-2", at(59))
	wantError(t, "used", err, team.ErrCode)
	wantSame(t, must(open().FindCode(ctx, invite.Hash))(t), invite)
}

// testCodeRace uses each of some codes by several calls at once. One of them succeeds, and
// the code says which.
func testCodeRace(t *testing.T, open Opener) {
	for n := range 5 {
		code := secret(fmt.Sprint("code", n))
		do(t, open().AddCode(ctx, team.Code{Hash: code, Kind: team.DeviceCode, Person: "ada", Expires: at(60)}))
		var group sync.WaitGroup
		var successes atomic.Int32
		var winner atomic.Value
		for i := range 8 {
			r := open()
			group.Go(func() {
				device := fmt.Sprint("dev-", i)
				switch _, err := r.UseCode(ctx, code, team.DeviceCode, device, at(1)); err {
				case nil:
					successes.Add(1)
					winner.Store(device)
				default:
					wantError(t, "of the others", err, team.ErrCode)
				}
			})
		}
		group.Wait()
		if got := must(open().FindCode(ctx, code))(t); successes.Load() != 1 || got.Device != winner.Load() {
			t.Errorf("%d uses succeeded; code %+v, winner %v", successes.Load(), got, winner.Load())
		}
	}
}

// testConcurrent adds things from several processes at once. All are there, once.
func testConcurrent(t *testing.T, open Opener) {
	const writers, each = 4, 8
	var group sync.WaitGroup
	var added atomic.Int32
	for w := range writers {
		r := open()
		group.Go(func() {
			for i := range each {
				if r.AddPerson(ctx, team.Person{ID: fmt.Sprint("p", i), Role: team.Member, Added: at(i)}) == nil {
					added.Add(1)
				}
				if err := r.PutFile(ctx, file(fmt.Sprint("dev", w), fmt.Sprint("/s", i), "ada", "/p")); err != nil {
					t.Error(err)
				}
				if err := r.AddEvent(ctx, team.Event{Time: at(i), Person: "ada", Action: team.Read, Detail: fmt.Sprint(w, i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	people, events := must(open().ListPeople(ctx))(t), must(open().ListEvents(ctx, team.EventFilter{}))(t)
	if files := visible(t, open(), ""); added.Load() != each || len(people) != each || len(events) != writers*each || len(files) != writers*each {
		t.Errorf("%d people were added, %d people, %d events, %d files", added.Load(), len(people), len(events), len(files))
	}
}
