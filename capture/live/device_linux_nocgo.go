//go:build linux && !cgo

package live

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/pcapfile"
)

const (
	linkCooked = 113
	cookedHead = 16
	blockSize  = 1 << 20 // of a ring
	fewBlocks  = 16      // a ring of fewer has smaller ones, or one that is read would be much of it
	smallBlock = 1 << 18
	headSize   = int(unsafe.Sizeof(unix.Tpacket3Hdr{})) // behind it is the address, for which see packet(7)
	addressAt  = (headSize + 15) &^ 15
)

// A packetSocket is an interface read through a packet socket (packet(7)): the kernel fills blocks of a ring in memory,
// and hands over each that is full or some time old.
type packetSocket struct {
	fd       int
	name     string
	index    int
	loopback int // the index of the loopback interface, where the kernel shows each packet twice
	link     int
	snap     int
	filter   *bpf.Filter // where the kernel cannot apply it
	tags     bool        // the filter must see tags of virtual LANs
	ring     []byte
	block    int // the size of a block
	next     int // the block that comes next

	received uint64
	dropped  uint64
	refused  atomic.Uint64 // by filter
	missed   uint64        // by the card, before this capture
}

// devices lists the network interfaces.
func devices() ([]InterfaceInfo, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	var list []InterfaceInfo
	for _, d := range all {
		list = append(list, InterfaceInfo{Name: d.Name})
	}
	return append(list, InterfaceInfo{Name: "any", Description: "Pseudo-device that captures on all interfaces"}), nil
}

// openInterface opens an interface and begins to take packets.
func openInterface(name string, opt capture.Options, programs []program) (device, capture.Interface, error) {
	if opt.TimeStamps != "" && opt.TimeStamps != "host" {
		return nil, capture.Interface{}, &capture.InterfaceError{Name: name,
			Text: "without libpcap there are host time stamps alone"}
	}
	if err := checkLink(name, opt); err != nil {
		return nil, capture.Interface{}, err
	}
	s := &packetSocket{name: name, fd: -1, snap: opt.SnapLen}
	if s.snap <= 0 || s.snap > bpf.MaxSnapLen {
		s.snap = bpf.MaxSnapLen
	}
	i, err := s.open(opt, programs)
	if err != nil {
		s.Close()
		return nil, i, err
	}
	return s, i, nil
}

func (s *packetSocket) open(opt capture.Options, programs []program) (i capture.Interface, err error) {
	if err := s.find(); err != nil {
		return i, err
	}
	kind := unix.SOCK_RAW
	if s.link == linkCooked {
		kind = unix.SOCK_DGRAM
	}
	if s.fd, err = unix.Socket(unix.AF_PACKET, kind|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0); err != nil {
		return i, openError(s.name, err)
	}
	if err := s.setFilter(opt.Filter, programs); err != nil {
		return i, err
	}
	if err := s.mapRing(opt.BufferMiB); err != nil {
		return i, openError(s.name, err)
	}
	if !opt.NoPromisc && s.index != 0 {
		// An interface that has no such mode gives what it has.
		_ = unix.SetsockoptPacketMreq(s.fd, unix.SOL_PACKET, unix.PACKET_ADD_MEMBERSHIP,
			&unix.PacketMreq{Ifindex: int32(s.index), Type: unix.PACKET_MR_PROMISC})
	}
	all := uint16(unix.ETH_P_ALL)<<8 | uint16(unix.ETH_P_ALL)>>8
	if err := unix.Bind(s.fd, &unix.SockaddrLinklayer{Protocol: all, Ifindex: s.index}); err != nil {
		return i, openError(s.name, err)
	}
	if text, err := unix.GetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_ERROR); err == nil && text != 0 {
		return i, openError(s.name, errors.New(strings.ReplaceAll(unix.Errno(text).Error(), "network is down", "not up")))
	}
	s.missed = s.cardMissed()
	i = capture.Interface{Name: s.name, Filter: opt.Filter, LinkType: s.link, SnapLen: uint32(s.snap),
		TimeResolution: pcapfile.TimeResolution, FCSLen: -1}
	describe(&i)
	return i, nil
}

// find looks the interface up: its index, and what its packets begin with.
func (s *packetSocket) find() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return openError(s.name, err)
	}
	defer unix.Close(fd)
	if lo, err := unix.NewIfreq("lo"); err == nil && unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, lo) == nil {
		s.loopback = int(lo.Uint32())
	}
	s.link = linkCooked
	if s.name == "any" {
		return nil
	}
	req, err := unix.NewIfreq(s.name)
	if err != nil || unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, req) != nil {
		return noSuchInterface(s.name)
	}
	s.index = int(req.Uint32())
	if kind, ok := hardwareType(s.name); ok {
		if l, ok := linkOfHardware[kind]; ok {
			s.link = l
		}
	}
	return nil
}

// inUserSpace are filters that must see tags of virtual LANs, which the kernel has taken off before it filters.
var inUserSpace = regexp.MustCompile(`\bvlan\b`)

// setFilter has the kernel filter, and cut packets to the snapshot length, or this program where it cannot.
func (s *packetSocket) setFilter(expr string, programs []program) error {
	code := []bpf.Instruction{{Op: unix.BPF_RET | unix.BPF_K, K: uint32(s.snap)}}
	if expr != "" {
		i := slices.IndexFunc(programs, func(p program) bool { return p.LinkType == s.link })
		if i < 0 {
			return bpf.NotCompiled(expr, "what "+s.name+" has was not known in time")
		}
		if s.link == linkCooked || inUserSpace.MatchString(expr) {
			f, err := bpf.FromInstructions(expr, programs[i].Code)
			if err != nil {
				return err
			}
			s.filter, s.tags = f, inUserSpace.MatchString(expr)
		} else {
			code = programs[i].Code
		}
	}
	return s.attach(code)
}

func (s *packetSocket) attach(code []bpf.Instruction) error {
	raw := make([]unix.SockFilter, len(code))
	for i, c := range code {
		raw[i] = unix.SockFilter{Code: c.Op, Jt: c.Jt, Jf: c.Jf, K: c.K}
	}
	return unix.SetsockoptSockFprog(s.fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
		&unix.SockFprog{Len: uint16(len(raw)), Filter: &raw[0]})
}

// mapRing makes the ring and maps it into memory.
func (s *packetSocket) mapRing(mib int) error {
	if mib <= 0 {
		mib = defaultBufferMiB
	}
	mib = max(2, min(mib, 1024))
	if err := unix.SetsockoptInt(s.fd, unix.SOL_PACKET, unix.PACKET_VERSION, unix.TPACKET_V3); err != nil {
		return err
	}
	const frame = 1 << 11
	s.block = blockSize
	if mib < fewBlocks {
		s.block = smallBlock
	}
	size := mib << 20
	req := unix.TpacketReq3{Block_size: uint32(s.block), Block_nr: uint32(size / s.block), Frame_size: frame,
		Frame_nr: uint32(size / frame), Retire_blk_tov: uint32(retireAfter / time.Millisecond)}
	err := unix.SetsockoptTpacketReq3(s.fd, unix.SOL_PACKET, unix.PACKET_RX_RING, &req)
	if err != nil {
		return err
	}
	s.ring, err = unix.Mmap(s.fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return err
}

func (s *packetSocket) Close() {
	if s.ring != nil {
		unix.Munmap(s.ring)
		s.ring = nil
	}
	if s.fd >= 0 {
		unix.Close(s.fd)
		s.fd = -1
	}
}

// counted adds what the kernel counted since the last time, which it forgets once asked.
func (s *packetSocket) counted() (filtered, dropped, ifDropped uint64, ok bool) {
	st, err := unix.GetsockoptTpacketStatsV3(s.fd, unix.SOL_PACKET, unix.PACKET_STATISTICS)
	if err != nil {
		return 0, 0, 0, false
	}
	s.received += uint64(st.Packets)
	s.dropped += uint64(st.Drops)
	return s.received - min(s.received, s.refused.Load()), s.dropped, s.cardMissed() - s.missed, true
}

// cardMissed is what the card could not take.
func (s *packetSocket) cardMissed() (n uint64) {
	for _, what := range []string{"rx_missed_errors", "rx_fifo_errors"} {
		b, err := os.ReadFile("/sys/class/net/" + s.name + "/statistics/" + what)
		if err == nil {
			v, _ := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
			n += v
		}
	}
	return max(n, s.missed)
}

// A blockTaker takes the packets of a ring, a block at once.
type blockTaker struct {
	*packetSocket
	ctx   context.Context
	iface int
	f     *os.File
	conn  syscall.RawConn
	buf   []byte
	whole []byte // a packet with what the kernel had taken off
}

func (s *packetSocket) taker(ctx context.Context, iface int) taker {
	t := &blockTaker{packetSocket: s, ctx: ctx, iface: iface}
	fd, err := unix.FcntlInt(uintptr(s.fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return failed{err}
	}
	t.f = os.NewFile(uintptr(fd), "packets")
	if t.conn, err = t.f.SyscallConn(); err == nil {
		err = t.f.SetReadDeadline(time.Time{}) // refused when the runtime cannot wait for this descriptor
	}
	if err != nil {
		t.f.Close()
		return failed{err}
	}
	context.AfterFunc(ctx, func() { t.f.SetReadDeadline(time.Unix(1, 0)) })
	return t
}

// failed is the taker of a socket that cannot be waited for.
type failed struct{ err error }

func (f failed) next(time.Duration) (packetBatch, error) { return packetBatch{}, f.err }
func (failed) refuse() bool                              { return false }
func (failed) close()                                    {}

func (t *blockTaker) close() { t.f.Close() }

// refuse has the kernel take no more packets. What it holds can still be taken.
func (t *blockTaker) refuse() bool {
	return t.attach([]bpf.Instruction{{Op: unix.BPF_RET | unix.BPF_K}}) == nil
}

func (t *blockTaker) next(patience time.Duration) (packetBatch, error) {
	b, ok := t.take()
	if ok || patience <= 0 {
		return b, silent(b)
	}
	t.f.SetReadDeadline(time.Now().Add(patience))
	if t.ctx.Err() != nil { // asked to stop before the deadline was moved
		return b, errSilence
	}
	err := t.conn.Read(func(uintptr) bool {
		b, ok = t.take()
		return ok || t.gone() != nil
	})
	if err != nil || !ok {
		if b, ok = t.take(); !ok {
			if err := t.gone(); err != nil {
				return b, err
			}
		}
	}
	return b, silent(b)
}

func silent(b packetBatch) error {
	if b.n == 0 {
		return errSilence
	}
	return nil
}

// gone says that the interface is there no more. One that was switched off may come again.
func (t *blockTaker) gone() error {
	code, err := unix.GetsockoptInt(t.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil || code == 0 {
		return err
	}
	if unix.Errno(code) == unix.ENETDOWN {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return nil
		}
		defer unix.Close(fd)
		req, err := unix.NewIfreq(t.name)
		if err != nil || t.index == 0 || unix.IoctlIfreq(fd, unix.SIOCGIFINDEX, req) == nil && int(req.Uint32()) == t.index {
			return nil
		}
		return unix.ENODEV
	}
	return unix.Errno(code)
}

// take fetches the packets of the next block, if the kernel has handed it over.
func (t *blockTaker) take() (packetBatch, bool) {
	block := t.ring[t.packetSocket.next*t.block:][:t.block]
	head := (*unix.TpacketHdrV1)(unsafe.Pointer(&block[8]))
	if atomic.LoadUint32(&head.Block_status)&unix.TP_STATUS_USER == 0 {
		return packetBatch{}, false
	}
	t.buf = t.buf[:0]
	n, at := 0, int(head.Offset_to_first_pkt)
	for range head.Num_pkts {
		p := (*unix.Tpacket3Hdr)(unsafe.Pointer(&block[at]))
		if t.packet(p, block[at:]) {
			n++
		}
		at += int(p.Next_offset)
	}
	atomic.StoreUint32(&head.Block_status, unix.TP_STATUS_KERNEL)
	t.packetSocket.next = (t.packetSocket.next + 1) % (len(t.ring) / t.block)
	return packetBatch{t.buf, n}, true
}

// packet appends a packet of a block, unless it is not wanted.
func (t *blockTaker) packet(p *unix.Tpacket3Hdr, b []byte) bool {
	from := (*unix.RawSockaddrLinklayer)(unsafe.Pointer(&b[addressAt]))
	if from.Pkttype == unix.PACKET_OUTGOING && int(from.Ifindex) == t.loopback {
		return false
	}
	data, length := b[p.Mac:][:p.Snaplen], p.Len
	if t.link == linkCooked {
		t.whole = appendCooked(t.whole[:0], from)
		t.whole = append(t.whole, b[p.Net:][:p.Snaplen]...)
		data, length = t.whole, length+cookedHead
	}
	if t.filter != nil && !t.tags && !t.filter.Matches(data, length) {
		t.refused.Add(1)
		return false
	}
	if p.Hv1.Vlan_tci != 0 || p.Status&unix.TP_STATUS_VLAN_VALID != 0 {
		data, length = t.tagged(data, length, p)
	}
	if t.tags && !t.filter.Matches(data, length) {
		t.refused.Add(1)
		return false
	}
	data = data[:min(len(data), t.snap)]
	at := len(t.buf)
	t.buf = slices.Grow(t.buf, pcapfile.PacketBlockSize(len(data)))[:at+pcapfile.PacketBlockSize(len(data))]
	pcapfile.PutPacket(t.buf[at:], t.iface, int64(p.Sec)*1e9+int64(p.Nsec), length, data)
	return true
}

// tagged puts the tag of a virtual LAN back, which the kernel keeps beside the packet.
func (t *blockTaker) tagged(data []byte, length uint32, p *unix.Tpacket3Hdr) ([]byte, uint32) {
	at := 12
	switch {
	case t.link == linkCooked:
		at = cookedHead - 2
	case t.link != 1:
		return data, length
	}
	if len(data) < at {
		return data, length
	}
	kind := uint16(unix.ETH_P_8021Q)
	if p.Hv1.Vlan_tpid != 0 && p.Status&unix.TP_STATUS_VLAN_TPID_VALID != 0 {
		kind = p.Hv1.Vlan_tpid
	}
	tag := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, kind), uint16(p.Hv1.Vlan_tci))
	if t.link == linkCooked {
		t.whole = slices.Insert(t.whole, at, tag...)
	} else {
		t.whole = append(append(append(t.whole[:0], data[:at]...), tag...), data[at:]...)
	}
	return t.whole, length + 4
}

// appendCooked is the header of Linux cooked captures (LINKTYPE_LINUX_SLL).
func appendCooked(b []byte, from *unix.RawSockaddrLinklayer) []byte {
	be := binary.BigEndian
	b = be.AppendUint16(b, uint16(from.Pkttype))
	b = be.AppendUint16(b, from.Hatype)
	b = be.AppendUint16(b, uint16(from.Halen))
	b = append(b, from.Addr[:]...)
	return binary.NativeEndian.AppendUint16(b, from.Protocol)
}

// TimeStampsOf lists the clocks that an interface can be asked for: the kernel's, which has nanoseconds.
func TimeStampsOf(string) ([]string, error) { return []string{"host"}, nil }

// LibraryVersion says what this build captures with.
func LibraryVersion() string { return "with packet sockets (built without libpcap)" }
