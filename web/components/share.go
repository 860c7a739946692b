package components

// ShareModel is the dialog that makes a link to a part of a session.
type ShareModel struct {
	Page
	Back      Link
	Title     string // "Share from “could we have a file watcher…”"
	Post      string
	Hidden    []Pair
	Reason    string // why nothing can be shared, "" when it can
	Alert     *Alert
	Parts     []ShareChoice   // how much of the session
	Expiry    []ShareChoice   // how long the link works
	Include   []IncludeOption // what of its entries
	Findings  ShareFindings
	Name      string // what the reader's page is called
	Note      string // a line under it
	SharedBy  string // name of the person who shares
	Live      bool
	ShowNames bool   // the session's name and its project are shown
	Where     string // where the link opens, when it does not open everywhere
}

// ShareChoice is one of several, of which one counts.
type ShareChoice struct {
	Value, Text string
	Count       string // "26 entries"
	Say         string // what it means, shown while it is chosen
	On          bool
}

// IncludeOption is something that the entries of a part hold, which is shared when it
// is on.
type IncludeOption struct {
	Name, Text, Count string
	On                bool
	Always            bool // cannot be left out
}

// ShareFindings is what was found that should not be told, and what of it is
// replaced.
type ShareFindings struct {
	Title   string // "3 possible secrets and 1 personal detail", "" when nothing was found
	Found   []FindingModel
	Classes []FindingClass
	More    string
}

// CreatedShareModel shows a link once, right after it was made.
type CreatedShareModel struct {
	Page
	Back   Link
	Title  string
	Link   string
	Until  string   // "Anyone with the link can read it until 27 Nov."
	Say    []string // what else there is to know
	QRCode *QRCodeModel
	Local  bool // the link opens on this computer only
}

// QRCodeModel is a QR code as a path over squares of one unit.
type QRCodeModel struct {
	Size int // units on a side, with the quiet zone around it
	Path string
}

// SharesModel lists the links that were made.
type SharesModel struct {
	Page
	Where   string // where they open, when not everywhere
	Shares  []ShareRow
	Open    int
	Message string // what was just done
}

// RemoveActions takes the ways to end a link away.
func (m *SharesModel) RemoveActions() {
	for i := range m.Shares {
		m.Shares[i].Post = ""
	}
}

// ShareRow is one link in the list.
type ShareRow struct {
	ID, Title, Note string
	Open, Live      bool
	State           string // "Expires in 6 days", "Revoked"
	Why             string // why the program revoked it
	Source          *Link  // the session it was made of
	Facts           []string
	Made            Time
	Visits          string
	Visited         Time
	Post            string // address that ends it, or takes it off the list; "" none
	Verb            string // that in a word
}

// ShareErrorModel is what a link answers that leads nowhere.
type ShareErrorModel struct {
	Page
	Status      int
	Title, Text string
	Link        *Link
}
