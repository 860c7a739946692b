package auth

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// connected connects to an address and returns both ends.
func connected(t testing.TB, addr, network string) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { l.Close() })
	to := l.Addr().String()
	if network == "mapped" { // an IPv6 socket that uses IPv4
		client, err = dialMapped(netip.MustParseAddrPort(to))
	} else {
		client, err = net.Dial("tcp", to)
	}
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { client.Close() })
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return client, server
}

// dialMapped connects to an IPv4 address with an IPv6 socket.
func dialMapped(to netip.AddrPort) (net.Conn, error) {
	fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), "mapped")
	defer f.Close()
	if err := unix.Connect(fd, &unix.SockaddrInet6{Port: int(to.Port()), Addr: netip.AddrFrom16(to.Addr().As16()).As16()}); err != nil {
		return nil, err
	}
	return net.FileConn(f)
}

// The user of a real connection is found over each kind of loopback socket and with each
// method. A closed socket has no user.
func TestPeerUID(t *testing.T) {
	for name, lookup := range map[string]func() *peerLookup{
		"netlink": newPeerLookup,
		"tables":  lookupInTables,
	} {
		for _, kind := range []struct{ addr, network string }{{"127.0.0.1:0", ""}, {"[::1]:0", ""}, {"127.0.0.1:0", "mapped"}, {"[::]:0", ""}} {
			t.Run(name+" "+kind.addr+kind.network, func(t *testing.T) {
				client, server := connected(t, kind.addr, kind.network)
				peer := netip.MustParseAddrPort(server.RemoteAddr().String())
				local := netip.MustParseAddrPort(server.LocalAddr().String())
				l := lookup()
				defer l.Close()
				if uid, known := l.UID(peer, local); !known || uid != os.Geteuid() {
					t.Errorf("UID = %d, %v; want %d", uid, known, os.Geteuid())
				}
				if name == "netlink" && !l.diag.supported {
					t.Error("inet_diag was not used")
				}
				client.Close()
				if uid, known := l.UID(peer, local); !known || uid != noUser {
					t.Errorf("UID of a closed socket = %d, %v; want nobody's", uid, known)
				}
				other := netip.AddrPortFrom(peer.Addr(), 1)
				if uid, known := l.UID(other, local); !known || uid != noUser { // the kernel may reply with the listener
					t.Errorf("UID of no socket = %d, %v; want nobody's", uid, known)
				}
			})
		}
	}
}

// lookupInTables returns a lookup without netlink, as in a sandbox.
func lookupInTables() *peerLookup {
	return &peerLookup{tables: procSocketTables, queryUID: func(_, _ netip.AddrPort) (int, error) { return noUser, unix.EPERM }}
}

// If the process cannot open files, nobody is trusted: it cannot even tell that there are
// no tables.
func TestPeerUID_noDescriptors(t *testing.T) {
	_, server := connected(t, "127.0.0.1:0", "")
	peer := netip.MustParseAddrPort(server.RemoteAddr().String())
	local := netip.MustParseAddrPort(server.LocalAddr().String())
	warm := newPeerLookup()
	defer warm.Close()
	warm.UID(peer, local)
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	none := was
	none.Cur = 0
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &none); err != nil {
		t.Fatal(err)
	}
	cold := newPeerLookup()
	uid, known := cold.UID(peer, local)
	own, ownKnown := warm.UID(peer, local)
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	if !known || uid != noUser {
		t.Errorf("UID = %d, %v; want nobody's", uid, known)
	}
	if !ownKnown || own != os.Geteuid() {
		t.Errorf("UID over a netlink socket that is open = %d, %v; want %d", own, ownKnown, os.Geteuid())
	}
}

func BenchmarkPeerUID(b *testing.B) {
	_, server := connected(b, "127.0.0.1:0", "")
	peer := netip.MustParseAddrPort(server.RemoteAddr().String())
	local := netip.MustParseAddrPort(server.LocalAddr().String())
	for name, l := range map[string]*peerLookup{"netlink": newPeerLookup(), "tables": lookupInTables()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if uid, known := l.UID(peer, local); !known || uid != os.Geteuid() {
					b.Fatal(uid, known)
				}
			}
		})
		l.Close()
	}
}

// A socket missing from the tables, or an unreadable table, admits nobody. Only on systems
// without tables all local peers are admitted.
func TestUIDInTables(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the lines below are of a little-endian machine")
	}
	const (
		head   = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
		v4     = "   3: 0100007F:D431 0100007F:1E61 01 00000000:00000000 00:00000000 00000000  1001        0 48211 1\n"
		mapped = "   1: 0000000000000000FFFF00000100007F:D431 0000000000000000FFFF00000100007F:1E61 01 00000000:00000000 00:00000000 00000000  1003        0 48213 1\n"
	)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	none, empty := filepath.Join(dir, "none"), file("empty", head)
	tcp, tcp6 := file("tcp", head+v4), file("tcp6", head+mapped)
	unreadable := dir // can be opened but not read
	unopened := filepath.Join(tcp, "below a file")
	tests := []struct {
		name   string
		tables []string
		uid    int
		known  bool
	}{
		{"in the first", []string{tcp, empty}, 1001, true},
		{"in the second", []string{empty, tcp6}, 1003, true},
		{"the only table", []string{tcp, none}, 1001, true},
		{"not listed", []string{empty, empty}, noUser, true},
		{"not listed in the only table", []string{empty, none}, noUser, true},
		{"not readable", []string{unreadable, none}, noUser, true},
		{"the other is not readable", []string{unreadable, tcp6}, 1003, true},
		{"not to be opened", []string{unopened, unopened}, noUser, true},
		{"no tables", []string{none, none}, 0, false},
	}
	peer, local := netip.MustParseAddrPort("127.0.0.1:54321"), netip.MustParseAddrPort("[::ffff:127.0.0.1]:7777")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			uid, known := uidInTables(tt.tables, peer, local)
			if uid != tt.uid || known != tt.known {
				t.Errorf("uidInTables = %d, %v; want %d, %v", uid, known, tt.uid, tt.known)
			}
			a := &Policy{ownUID: 1001, peerUID: func(peer, local netip.AddrPort) (int, bool) {
				return uidInTables(tt.tables, peer, local)
			}}
			if got, want := a.isOwner(a.identifyPeer(peer.String(), local.String())), !tt.known || tt.uid == 1001; got != want {
				t.Errorf("let in = %v, want %v", got, want)
			}
		})
	}
}

func TestParseSocketLine(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the lines below are of a little-endian machine")
	}
	const (
		v4 = "   3: 0100007F:D431 0100007F:1E61 01 00000000:00000000 00:00000000 00000000  1001        0 48211 1 0000000000000000 20 4 30 10 -1"
		v6 = "   0: 00000000000000000000000001000000:D431 00000000000000000000000001000000:1E61 01 00000000:00000000 00:00000000 00000000  1002        0 48212 1 0000000000000000 20 4 30 10 -1"
		// A client's IPv6 socket that uses IPv4.
		mapped = "   1: 0000000000000000FFFF00000100007F:D431 0000000000000000FFFF00000100007F:1E61 01 00000000:00000000 00:00000000 00000000  1003        0 48213 1 0000000000000000 20 4 30 10 -1"
		closed = "   3: 0100007F:D431 0100007F:1E61 06 00000000:00000000 03:00001771 00000000     0        0 0 3 0000000000000000"
		head   = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"
	)
	at := netip.MustParseAddrPort
	tests := []struct {
		name, line  string
		peer, local netip.AddrPort
		uid         int
		ok          bool
	}{
		{"IPv4", v4, at("127.0.0.1:54321"), at("127.0.0.1:7777"), 1001, true},
		{"IPv6", v6, at("[::1]:54321"), at("[::1]:7777"), 1002, true},
		{"IPv4 in IPv6", mapped, at("127.0.0.1:54321"), at("127.0.0.1:7777"), 1003, true},
		{"both written as IPv6", v4, at("[::ffff:127.0.0.1]:54321"), at("[::ffff:127.0.0.1]:7777"), 1001, true},
		{"our own end of it", v4, at("127.0.0.1:7777"), at("127.0.0.1:54321"), 0, false},
		{"another port", v4, at("127.0.0.1:54322"), at("127.0.0.1:7777"), 0, false},
		{"closed by its program", closed, at("127.0.0.1:54321"), at("127.0.0.1:7777"), 0, false},
		{"the table's head", head, at("127.0.0.1:54321"), at("127.0.0.1:7777"), 0, false},
		{"nothing", "", at("127.0.0.1:54321"), at("127.0.0.1:7777"), 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			uid, ok := parseSocketLine(tt.line, tt.peer, tt.local)
			if uid != tt.uid || ok != tt.ok {
				t.Errorf("uidOfLine = %d, %v; want %d, %v", uid, ok, tt.uid, tt.ok)
			}
		})
	}
}
