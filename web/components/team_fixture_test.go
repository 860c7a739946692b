package components

import "github.com/a-h/templ"

// teamFixtures are the pages of a hub.
func teamFixtures() map[string]templ.Component {
	mara, jonas := Avatar{ID: "1", Name: "Mara Lindqvist"}, Avatar{ID: "2", Name: "Jonas Okafor"}
	at := Time{ISO: "2026-02-03T09:00:00Z", Text: "2026-02-03 09:00 UTC"}
	rows := fixtureSessions().Groups[0].Rows
	page := TeamModel{
		Page: fixturePage("Team sessions"), Hub: "hub.lindq.dev", Me: mara, Sessions: 255, Total: 4, CanPush: true, IsAdmin: true, Rev: "1.1",
		Live: Chip{Name: "live", Href: "/?live=1", Count: 3}, Private: Chip{Name: "private", Href: "/?private=1", Count: 12, On: true},
		People: []TeamPerson{{Text: "Everyone", Href: "/", On: true}, {Avatar: mara, Text: "You", Href: "/?person=1", Live: true}, {Avatar: jonas, Text: "Jonas Okafor", Href: "/?person=2"}},
		Groups: []TeamGroup{{Project: "checkout-service", Rules: "team by default, kept 180 days", Count: 148, Rows: []TeamRow{
			{Session: rows[0], Owner: mara, Own: true, Device: "mara-laptop", Team: true}, {Session: rows[1], Owner: jonas, Device: "jonas-desk", Team: true},
			{Session: rows[2], Owner: mara, Own: true, Device: "<b>mara</b>"},
		}}},
		More:    &Link{Text: "Show more sessions", Href: "/?rows=400"},
		Devices: []TeamDevice{{ID: "d1", Name: "mara-laptop", Detail: "4 projects · 214 sessions · 8 secrets hidden", Pushing: true}, {ID: "d2", Name: "build-04", Detail: "1 project", Seen: at}, {ID: "d3", Name: "old-laptop", Revoked: true}},
		Events:  []TeamEvent{{Who: jonas, Name: "Jonas", Verb: "read", Object: "Idempotency keys", Time: at}, {Name: "Hub", Verb: "refused", Object: "old-laptop", Rest: ": the token is unknown or was revoked", Time: at}},
	}
	empty := TeamModel{Page: page.Page, Hub: page.Hub, Me: jonas, Live: Chip{Href: "/?live=1"}, Private: Chip{Href: "/?private=1"}}
	projects := []TeamProject{{Name: "checkout-service", Team: true, RetainDays: 180}, {Name: "gateway"}, {Name: "infra", RetainDays: 45}}
	device := AddDeviceModel{Page: fixturePage("Add a device"), Projects: projects, Problem: "Choose the projects that the device may push."}
	code := AddDeviceModel{Page: device.Page, Command: "explorer push --hub https://hub.lindq.dev --code 7KQ4-2MXT-9LFA-C3DE", Check: "/team/device?code=ab", Expires: at}
	added, expired := code, code
	added.Device, expired.Expired = "mara-laptop", true
	settings := TeamSettingsModel{
		Page: fixturePage("People and projects"), Projects: projects, People: []TeamMember{{Avatar: mara, Role: "admin", Me: true}, {Avatar: jonas, Role: "member"}},
		Link: "https://hub.lindq.dev/signin?code=7KQ4-2MXT-9LFA-C3DE", Invited: "Jonas Okafor", Problem: "A hub needs an admin.",
	}
	return map[string]templ.Component{
		"team.html":           TeamPage(page),
		"teamempty.html":      TeamContent(empty),
		"teamdevice.html":     AddDevicePage(device),
		"teamcode.html":       AddDevicePage(code),
		"teamadded.html":      DeviceStatus(added),
		"teamexpired.html":    DeviceStatus(expired),
		"teamsettings.html":   TeamSettingsPage(settings),
		"teamaudit.html":      AuditPage(AuditModel{Page: fixturePage("Audit"), Events: page.Events}),
		"teamdelete.html":     DeleteSessionPage(DeleteSessionModel{Page: fixturePage("Delete a session"), Title: "Idempotency keys", Post: "/team/sessions/abc/delete"}),
		"teamsignin.html":     SignInPage(SignInModel{Page: fixturePage("Sign in"), Hub: page.Hub, Code: "7KQ4"}),
		"teamsigninfail.html": SignInPage(SignInModel{Page: fixturePage("Sign in"), Hub: page.Hub, Code: "7KQ4", Problem: "The code was used."}),
		"teamsigninwith.html": SignInPage(SignInModel{Page: fixturePage("Sign in"), Hub: page.Hub, Provider: "login.example.com", ProviderHref: "/signin/provider"}),
	}
}
