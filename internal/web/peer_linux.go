package web

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// noUser is whom a socket belongs to that is in no table: not to us.
const noUser = -1

// procTables list the sockets of this computer. A client may use an IPv6 socket
// for an IPv4 address, so it may be in either.
var procTables = []string{"/proc/net/tcp", "/proc/net/tcp6"}

// peerUID finds the user of the socket at the other end of a connection on this
// computer. Its entry in the kernel's tables has our addresses the other way
// round. It is not known only where there are no tables: a socket that is not in
// them is somebody else's. The kernel may leave one out while others come and go,
// so they are read twice.
func peerUID(peer, local netip.AddrPort) (uid int, known bool) {
	return uidInTables(procTables, peer, local)
}

func uidInTables(tables []string, peer, local netip.AddrPort) (uid int, known bool) {
	for range 2 {
		known = false
		for _, table := range tables {
			uid, opened := uidInTable(table, peer, local)
			if uid != noUser {
				return uid, true
			}
			known = known || opened
		}
		if !known {
			return 0, false
		}
	}
	return noUser, true
}

// uidInTable looks through one table; noUser when the socket was not read there.
func uidInTable(path string, peer, local netip.AddrPort) (uid int, opened bool) {
	f, err := os.Open(path)
	if err != nil {
		return noUser, false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if uid, ok := uidOfLine(lines.Text(), peer, local); ok {
			return uid, true
		}
	}
	return noUser, true
}

// uidOfLine reads one line of the table:
//
//	sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
//
// A socket without an inode has been closed by its program; the kernel shows it
// as root's.
func uidOfLine(line string, peer, local netip.AddrPort) (uid int, ok bool) {
	f := strings.Fields(line)
	if len(f) < 10 || f[9] == "0" {
		return 0, false
	}
	if a, ok := procAddr(f[1]); !ok || a != unmapped(peer) {
		return 0, false
	}
	if a, ok := procAddr(f[2]); !ok || a != unmapped(local) {
		return 0, false
	}
	uid, err := strconv.Atoi(f[7])
	return uid, err == nil
}

func unmapped(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

// procAddr reads an address as the kernel prints it: 32-bit words in the
// machine's byte order, in hex, then the port.
func procAddr(s string) (netip.AddrPort, bool) {
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
