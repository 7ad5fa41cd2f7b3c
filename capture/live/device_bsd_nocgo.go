//go:build (darwin || dragonfly || freebsd || netbsd || openbsd) && !cgo

package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"remora/capture"
	"remora/capture/bpf"
	"remora/capture/pcapfile"
)

// bpfForm is how this system writes packets.
var bpfForm = recordForm{int(unsafe.Sizeof(syscall.BpfHdr{}.Tstamp)) / 2, syscall.BPF_ALIGNMENT}

// A bpfDevice is an interface read through /dev/bpf (bpf(4)). A read gives all packets that the kernel has, once its
// buffer is full or retireAfter has passed.
type bpfDevice struct {
	fd   int
	size int // of the kernel's buffer, which is read as a whole
	snap int
}

// devices lists the network interfaces.
func devices() ([]InterfaceInfo, error) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	list := make([]InterfaceInfo, 0, len(all))
	for _, d := range all {
		list = append(list, InterfaceInfo{Name: d.Name})
	}
	return list, nil
}

// openInterface opens an interface and begins to take packets.
func openInterface(name string, opt capture.Options, _ []program) (device, capture.Interface, error) {
	i := capture.Interface{Name: name, Filter: opt.Filter, TimeResolution: pcapfile.TimeResolution, FCSLen: -1}
	if opt.TimeStamps != "" && opt.TimeStamps != "host" {
		return nil, i, &capture.InterfaceError{Name: name, Text: "without libpcap there are host time stamps alone"}
	}
	if err := checkLink(name, opt); err != nil {
		return nil, i, err
	}
	d := &bpfDevice{snap: opt.SnapLen}
	if d.snap <= 0 || d.snap > bpf.MaxSnapLen {
		d.snap = bpf.MaxSnapLen
	}
	var err error
	if d.fd, err = openBPF(); err != nil {
		return nil, i, openError(name, err)
	}
	if i.LinkType, err = d.begin(name, opt); err != nil {
		d.Close()
		return nil, i, err
	}
	i.SnapLen = uint32(d.snap)
	describe(&i)
	return d, i, nil
}

// openBPF opens a device that nobody else has. Where /dev/bpf is a single one, each opening gives another.
func openBPF() (fd int, err error) {
	const mode = syscall.O_RDONLY | syscall.O_CLOEXEC
	if fd, err = syscall.Open("/dev/bpf", mode, 0); err == nil {
		return fd, nil
	}
	for n := range 256 {
		fd, err = syscall.Open(fmt.Sprintf("/dev/bpf%d", n), mode, 0)
		if !errors.Is(err, syscall.EBUSY) {
			break
		}
	}
	return fd, err
}

// begin binds the device to an interface, and gives the LINKTYPE_ of its packets.
func (d *bpfDevice) begin(name string, opt capture.Options) (link int, err error) {
	mib := opt.BufferMiB
	if mib <= 0 {
		mib = defaultBufferMiB
	}
	for size := min(mib, 1024) << 20; size >= 4096; size /= 2 { // the system has a limit
		if _, err = syscall.SetBpfBuflen(d.fd, size); err == nil {
			if err = syscall.SetBpfInterface(d.fd, name); !errors.Is(err, syscall.ENOBUFS) {
				break
			}
		}
	}
	if err == nil {
		d.size, err = syscall.BpfBuflen(d.fd)
	}
	if err == nil {
		wait := syscall.NsecToTimeval(int64(retireAfter))
		err = syscall.SetBpfTimeout(d.fd, &wait)
	}
	if err != nil {
		return 0, openError(name, err)
	}
	if !opt.NoPromisc {
		_ = syscall.SetBpfPromisc(d.fd, 1) // an interface that has no such mode gives what it has
	}
	dlt, err := syscall.BpfDatalink(d.fd)
	if err != nil {
		return 0, openError(name, err)
	}
	link = bpf.LinkType(dlt & (1<<32 - 1))
	return link, d.filter(link, opt.Filter)
}

// filter has the kernel filter, and cut packets to the snapshot length.
func (d *bpfDevice) filter(link int, expr string) error {
	code := []bpf.Instruction{{Op: syscall.BPF_RET | syscall.BPF_K, K: uint32(d.snap)}}
	if expr != "" {
		f, err := bpf.Compile(link, d.snap, expr)
		if err != nil {
			return err
		}
		code = f.Instructions()
	}
	raw := make([]syscall.BpfInsn, len(code))
	for i, c := range code {
		raw[i] = syscall.BpfInsn{Code: c.Op, Jt: c.Jt, Jf: c.Jf, K: c.K}
	}
	return os.NewSyscallError("BIOCSETF", syscall.SetBpf(d.fd, raw))
}

func (d *bpfDevice) Close() { syscall.Close(d.fd) }

func (d *bpfDevice) counted() (filtered, dropped, ifDropped uint64, ok bool) {
	st, err := syscall.BpfStats(d.fd)
	if err != nil {
		return 0, 0, 0, false
	}
	return uint64(st.Recv), uint64(st.Drop), 0, true
}

// A bpfTaker takes what the kernel gives at once. It has one patience, which the device was opened with.
type bpfTaker struct {
	*bpfDevice
	iface    int
	raw, out []byte
}

func (d *bpfDevice) taker(_ context.Context, iface int) taker {
	return &bpfTaker{bpfDevice: d, iface: iface, raw: make([]byte, d.size)}
}

func (t *bpfTaker) close()       {}
func (t *bpfTaker) refuse() bool { return false }

func (t *bpfTaker) next(time.Duration) (packetBatch, error) {
	n, err := syscall.Read(t.fd, t.raw)
	switch {
	case errors.Is(err, syscall.EINTR), errors.Is(err, syscall.EAGAIN):
		return packetBatch{}, errSilence
	case err != nil:
		return packetBatch{}, err
	}
	b := packetBatch{blocks: t.out[:0]}
	for r := range bpfForm.each(t.raw[:n]) {
		data := r.data[:min(len(r.data), t.snap)]
		at, size := len(b.blocks), pcapfile.PacketBlockSize(len(data))
		b.blocks = slices.Grow(b.blocks, size)[:at+size]
		pcapfile.PutPacket(b.blocks[at:], t.iface, r.time, r.length, data)
		b.n++
	}
	t.out = b.blocks
	if b.n == 0 {
		return b, errSilence
	}
	return b, nil
}

// TimeStampsOf lists the clocks that an interface can be asked for: the kernel's, which has microseconds.
func TimeStampsOf(string) ([]string, error) { return []string{"host"}, nil }

// LibraryVersion says what this build captures with.
func LibraryVersion() string { return "with /dev/bpf (built without libpcap)" }
