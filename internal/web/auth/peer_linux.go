package auth

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// procSocketTables lists the kernel's socket tables. A client may use an IPv6 socket for an
// IPv4 address, so both are searched.
var procSocketTables = []string{"/proc/net/tcp", "/proc/net/tcp6"}

// peerLookup looks up the users of peers on this computer.
type peerLookup struct {
	diag     sockDiag
	queryUID func(local, remote netip.AddrPort) (uid int, err error) // of diag, replaced in tests
	tables   []string
}

func newPeerLookup() *peerLookup {
	l := &peerLookup{tables: procSocketTables}
	l.queryUID = l.diag.UID
	return l
}

// Close closes the netlink socket.
func (l *peerLookup) Close() { l.diag.Close() }

// UID returns the user of the socket at the other end of a connection on this computer, or
// noUser if it belongs to no user. It reports known as false only on systems with neither
// inet_diag nor socket tables, never because of a failure.
func (l *peerLookup) UID(peer, local netip.AddrPort) (uid int, known bool) {
	peer, local = unmapAddrPort(peer), unmapAddrPort(local)
	uid, err := l.queryUID(peer, local)
	if err == nil || errors.Is(err, errNoSocket) {
		return uid, true
	}
	return uidInTables(l.tables, peer, local)
}

// uidInTables searches the kernel's socket tables. It reads them twice, because the kernel
// may skip a socket while others change.
func uidInTables(tables []string, peer, local netip.AddrPort) (uid int, known bool) {
	for range 2 {
		known = false
		for _, table := range tables {
			uid, err := uidInTable(table, peer, local)
			if uid != noUser {
				return uid, true
			}
			known = known || !errors.Is(err, fs.ErrNotExist)
		}
		if !known {
			return 0, false
		}
	}
	return noUser, true
}

// uidInTable searches one table. It returns noUser if the socket is not in it.
func uidInTable(path string, peer, local netip.AddrPort) (uid int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return noUser, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if uid, ok := parseSocketLine(lines.Text(), peer, local); ok {
			return uid, nil
		}
	}
	return noUser, lines.Err()
}

// parseSocketLine parses one line of a socket table:
//
//	sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
//
// A socket without an inode was closed by its program; the kernel lists it as root's.
func parseSocketLine(line string, peer, local netip.AddrPort) (uid int, ok bool) {
	f := strings.Fields(line)
	if len(f) < 10 || f[9] == "0" {
		return 0, false
	}
	if a, ok := parseProcAddr(f[1]); !ok || a != unmapAddrPort(peer) {
		return 0, false
	}
	if a, ok := parseProcAddr(f[2]); !ok || a != unmapAddrPort(local) {
		return 0, false
	}
	uid, err := strconv.Atoi(f[7])
	return uid, err == nil
}

func unmapAddrPort(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// parseProcAddr parses an address in the kernel's notation: 32-bit words in native byte
// order, in hex, then the port.
func parseProcAddr(s string) (netip.AddrPort, bool) {
	addr, port, ok := strings.Cut(s, ":")
	b, err := hex.DecodeString(addr)
	if !ok || err != nil || len(b)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(b); i += 4 {
		binary.BigEndian.PutUint32(b[i:], binary.NativeEndian.Uint32(b[i:]))
	}
	ip, ok := netip.AddrFromSlice(b)
	p, err := strconv.ParseUint(port, 16, 16)
	return netip.AddrPortFrom(ip.Unmap(), uint16(p)), ok && err == nil
}
