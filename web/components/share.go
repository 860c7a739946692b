package components

// ShareModel is the dialog that creates a share.
type ShareModel struct {
	Page
	Back      Link
	Title     string // "Share from “could we have a file watcher…”"
	Post      string
	Hidden    []Pair
	Reason    string // why nothing can be shared, or ""
	Alert     *Alert
	Parts     []ShareChoice   // how much of the session
	Expiry    []ShareChoice   // how long the link works
	Include   []IncludeOption // what of its entries
	Findings  ShareFindings
	Name      string // title of the shared page
	Note      string // a line below the title
	SharedBy  string // name of the person who shares
	Live      bool
	ShowNames bool   // the session's name and its project are shown
	Download  string // link that opens on this computer only: address of the page's export, to send it instead
}

// ShareChoice is a choice of a radio group.
type ShareChoice struct {
	Value, Text string
	Count       string // "26 entries"
	Say         string // explanation, shown while it is selected
	On          bool
}

// IncludeOption is a kind of content. It is included if On is set.
type IncludeOption struct {
	Name, Text, Count string
	On                bool
	Always            bool // cannot be left out
}

// ShareFindings lists the sensitive values that were found, and which are redacted.
type ShareFindings struct {
	Title   string // "3 possible secrets and 1 personal detail", "" = none found
	Found   []FindingModel
	Classes []FindingClass
	More    string
}

// CreatedShareModel shows the link of a new share. It is shown only once.
type CreatedShareModel struct {
	Page
	Back   Link
	Title  string
	Link   string
	Until  string   // "Anyone with the link can read it until 27 Nov."
	Say    []string // further sentences
	QRCode *QRCodeModel
	Local  bool // the link opens on this computer only
}

// QRCodeModel is a QR code as an SVG path over unit squares.
type QRCodeModel struct {
	Size int // units per side, including the quiet zone
	Path string
}

// SharesModel lists the shares.
type SharesModel struct {
	Page
	Where   string // where links open, "" = everywhere
	Shares  []ShareRow
	Open    int
	Message string // result of the last action
}

// RemoveActions removes the buttons that end shares.
func (m *SharesModel) RemoveActions() {
	for i := range m.Shares {
		m.Shares[i].Post = ""
	}
}

// ShareRow is a share in the list.
type ShareRow struct {
	ID, Title, Note string
	Open, Live      bool
	State           string // "Expires in 6 days", "Revoked"
	Why             string // why the program revoked it
	Source          *Link  // the session it was created from
	Facts           []string
	Made            Time
	Visits          string
	Visited         Time
	Post            string // address that revokes it or removes it from the list; "" none
	Verb            string // text of the button for Post
}

// ShareErrorModel is the error page of a link.
type ShareErrorModel struct {
	Page
	Status      int
	Title, Text string
	Link        *Link
}
