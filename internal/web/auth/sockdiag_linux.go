package auth

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"sync"

	"golang.org/x/sys/unix"
)

// errNoSocket reports a socket that the kernel does not know.
var errNoSocket = errors.New("no such socket")

// sockDiag queries the kernel for single TCP sockets (netlink, inet_diag). It keeps its
// netlink socket open, so that a query works even if a client has used up all file
// descriptors.
type sockDiag struct {
	mu        sync.Mutex
	fd        int // valid while open
	open      bool
	seq       uint32
	supported bool // a query has found a socket
}

// Sizes and offsets in struct inet_diag_req_v2 and struct inet_diag_msg.
const (
	diagRequestLen = 56
	diagMessageLen = 72
	diagStates     = ^uint32(0) // any state
	offsetSockID   = 4          // in the message; 8 in the request
	offsetUID      = 64
	offsetInode    = 68
)

// UID returns the user of the socket with these addresses, or noUser if its program has
// closed it. It returns errNoSocket if there is no such socket, and another error if
// inet_diag is not available.
func (d *sockDiag) UID(local, remote netip.AddrPort) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	uid, err := d.querySocket(local, remote)
	switch {
	case err == nil:
		d.supported = true
	case errors.Is(err, unix.ENOENT) && d.supported:
		return noUser, errNoSocket
	case !errors.Is(err, unix.ENOENT): // ENOENT may also mean that the kernel lacks inet_diag
		d.closeSocket()
	}
	return uid, err
}

// Close closes the netlink socket.
func (d *sockDiag) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closeSocket()
}

func (d *sockDiag) closeSocket() {
	if d.open {
		_ = unix.Close(d.fd)
		d.open = false
	}
}

func (d *sockDiag) querySocket(local, remote netip.AddrPort) (uid int, err error) {
	if !d.open {
		if d.fd, err = unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.NETLINK_SOCK_DIAG); err != nil {
			return noUser, err
		}
		d.open = true
	}
	d.seq++
	if err := unix.Sendto(d.fd, newDiagRequest(d.seq, local, remote), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return noUser, err
	}
	buf := make([]byte, 4096)
	for { // does not block: the kernel replies before Sendto returns
		n, from, err := unix.Recvfrom(d.fd, buf, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return noUser, err
		}
		if kernel, ok := from.(*unix.SockaddrNetlink); !ok || kernel.Pid != 0 {
			continue // sent by another program
		}
		if n < unix.SizeofNlMsghdr || binary.NativeEndian.Uint32(buf[8:]) != d.seq {
			continue // the reply to an earlier query
		}
		return parseDiagMessage(buf[:n], local, remote)
	}
}

// newDiagRequest returns a netlink message that queries one socket.
func newDiagRequest(seq uint32, local, remote netip.AddrPort) []byte {
	family := byte(unix.AF_INET6)
	if local.Addr().Is4() {
		family = unix.AF_INET
	}
	b := make([]byte, 0, unix.SizeofNlMsghdr+diagRequestLen)
	b = binary.NativeEndian.AppendUint32(b, unix.SizeofNlMsghdr+diagRequestLen)
	b = binary.NativeEndian.AppendUint16(b, unix.SOCK_DIAG_BY_FAMILY)
	b = binary.NativeEndian.AppendUint16(b, unix.NLM_F_REQUEST)
	b = binary.NativeEndian.AppendUint32(b, seq)
	b = binary.NativeEndian.AppendUint32(b, 0) // sender: set by the kernel
	b = append(b, family, unix.IPPROTO_TCP, 0, 0)
	b = binary.NativeEndian.AppendUint32(b, diagStates)
	b = binary.BigEndian.AppendUint16(b, local.Port())
	b = binary.BigEndian.AppendUint16(b, remote.Port())
	b = appendDiagAddr(b, local.Addr())
	b = appendDiagAddr(b, remote.Addr())
	b = binary.NativeEndian.AppendUint32(b, 0)             // any interface
	return binary.NativeEndian.AppendUint64(b, ^uint64(0)) // no cookie
}

func appendDiagAddr(b []byte, a netip.Addr) []byte {
	var field [16]byte
	copy(field[:], a.AsSlice())
	return append(b, field[:]...)
}

// parseDiagMessage parses a reply and returns the user of the socket. The kernel may reply
// with a listening socket instead, which does not count.
func parseDiagMessage(b []byte, local, remote netip.AddrPort) (uid int, err error) {
	kind, b := binary.NativeEndian.Uint16(b[4:]), b[unix.SizeofNlMsghdr:]
	switch {
	case kind == unix.NLMSG_ERROR && len(b) >= 4:
		return noUser, unix.Errno(-int32(binary.NativeEndian.Uint32(b)))
	case kind != unix.SOCK_DIAG_BY_FAMILY || len(b) < diagMessageLen:
		return noUser, fmt.Errorf("inet_diag: message of type %d and %d bytes", kind, len(b))
	}
	id := b[offsetSockID:]
	src := parseDiagAddrPort(b[0], id[4:20], id[0:2])
	dst := parseDiagAddrPort(b[0], id[20:36], id[2:4])
	if src != local || dst != remote {
		return noUser, nil
	}
	// A socket without an inode was closed by its program; the kernel may list it as root's.
	if binary.NativeEndian.Uint32(b[offsetInode:]) == 0 {
		return noUser, nil
	}
	return int(binary.NativeEndian.Uint32(b[offsetUID:])), nil
}

func parseDiagAddrPort(family byte, addr, port []byte) netip.AddrPort {
	if family == unix.AF_INET {
		addr = addr[:4]
	}
	ip, _ := netip.AddrFromSlice(addr)
	return netip.AddrPortFrom(ip.Unmap(), binary.BigEndian.Uint16(port))
}
