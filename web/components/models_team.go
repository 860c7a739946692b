package components

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Avatar shows a person by initials and a color.
type Avatar struct {
	ID   string
	Name string // "" for the hub itself
}

// initials returns the first letters of the first and the last word of the name.
func (a Avatar) initials() string {
	words := strings.Fields(a.Name)
	switch len(words) {
	case 0:
		return "•"
	case 1:
		return firstLetter(words[0])
	}
	return firstLetter(words[0]) + firstLetter(words[len(words)-1])
}

func firstLetter(word string) string {
	for _, r := range word {
		return strings.ToUpper(string(r))
	}
	return ""
}

// avatarColors is the number of colors of avatars in team.css.
const avatarColors = 6

// color returns the class of the color, which is the same wherever the person is shown.
func (a Avatar) color() string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(a.ID)) // never fails
	return "avatar--" + strconv.Itoa(int(h.Sum32()%avatarColors))
}

// TeamModel is the page of the sessions of a team.
type TeamModel struct {
	Page
	Rev      string // of the list
	Hub      string // host name
	Me       Avatar
	Role     string
	Sessions int
	People   []TeamPerson
	Live     Chip
	Private  Chip
	Total    int // people
	Groups   []TeamGroup
	More     *Link // shows further rows
	Devices  []TeamDevice
	Events   []TeamEvent
	CanPush  bool
	IsAdmin  bool
	Reading  string // progress, "" once the list is complete
}

// TeamPerson is a person in the filter of the list.
type TeamPerson struct {
	Avatar
	Text string // "You"
	Href string
	On   bool
	Live bool
}

// TeamGroup is the sessions of a project.
type TeamGroup struct {
	Project string
	Rules   string // "team by default, kept 180 days"
	Count   int
	Rows    []TeamRow
}

// TeamRow is a session in the list of a team.
type TeamRow struct {
	Session SessionRow
	Owner   Avatar
	Own     bool
	Device  string
	Team    bool // the team may read it
}

// TeamDevice is a device of the person who views the page.
type TeamDevice struct {
	ID, Name string
	Detail   string // "4 projects, 8 secrets hidden"
	Seen     Time
	Pushing  bool
	Revoked  bool
}

// TeamEvent is an entry of the record of what people did.
type TeamEvent struct {
	Who    Avatar
	Name   string // "You", "Jonas", "Hub"
	Verb   string // "shared"
	Object string // title of a session, name of a device
	Rest   string // "with the team"
	Time   Time
}

// AddDeviceModel is the form that adds a device.
type AddDeviceModel struct {
	Page
	Projects []TeamProject
	Problem  string
	// Command is what to run on the device once there is a code, "" before. Check is the
	// address that says whether it was used.
	Command, Check string
	Expires        Time
	Device         string // name of the device that was added with the code, "" while it waits
	Expired        bool
}

// TeamProject is a project with its rules.
type TeamProject struct {
	Name       string
	Team       bool // sessions are for the team unless their owner decides otherwise
	RetainDays int  // 0 = forever
	SearchDays int  // after its last activity, for which all of a session is searched; 0 = forever
}

// visibilityText returns the default of the project.
func (p TeamProject) visibilityText() string {
	if p.Team {
		return "team"
	}
	return "private"
}

// TeamSettingsModel is the page on which an admin manages people and projects.
type TeamSettingsModel struct {
	Page
	People   []TeamMember
	Projects []TeamProject
	Problem  string
	// Link signs in Invited once, and is shown only now.
	Link, Invited string
}

// TeamMember is a person with a role.
type TeamMember struct {
	Avatar
	Role string
	Me   bool
}

// AuditModel is the page of what people did.
type AuditModel struct {
	Page
	Events []TeamEvent
}

// SignInModel is the page on which a code is used.
type SignInModel struct {
	Page
	Hub     string
	Code    string
	Problem string
	// Provider is the host of the identity provider, "" if there is none.
	Provider, ProviderHref string
}

// startsAtProvider reports whether the first choice is the identity provider, and not a code.
func (m SignInModel) startsAtProvider() bool { return m.Provider != "" && m.Code == "" }

// DeleteSessionModel asks before a session is deleted from the hub.
type DeleteSessionModel struct {
	Page
	Title, Post string
}

// retainOptions are the choices for how long a project keeps sessions, in days.
var retainOptions = []int{0, 30, 90, 180, 365, 730}

func retainText(days int) string {
	if days == 0 {
		return "kept forever"
	}
	return "kept " + Pluralize(days, "day", "days")
}

// withChoice returns the choices with a value, which is the first if it is another one.
func withChoice(choices []int, value int) []int {
	if slices.Contains(choices, value) {
		return choices
	}
	return append([]int{value}, choices...)
}

// searchOptions are the choices for how long a search reads all of a session, in days.
var searchOptions = []int{30, 90, 180, 365, 0}

func searchText(days int) string {
	if days == 0 {
		return "output searched forever"
	}
	return "output searched " + Pluralize(days, "day", "days")
}

// ownerName returns the name of the owner for the viewer.
func (r *TeamRow) ownerName() string {
	if r.Own {
		return "You"
	}
	return r.Owner.Name
}
