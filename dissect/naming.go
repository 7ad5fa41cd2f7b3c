package dissect

import (
	"net/netip"
	"sort"
	"strconv"
	"sync"

	"remora/capture"
)

// Naming says what addresses and ports are called beside what protocols tell of their ends. A function that is nil
// names nothing. All are called from any goroutine, and all but Host say the same every time.
type Naming struct {
	// in place of a hardware address: "Broadcast", "IntelCor_12:34:56"; the address where nothing is known
	Ether  func(Addr) string
	Vendor func(Addr) string              // the maker of a device, in full, or ""
	Port   func(t Table, p uint16) string // the service of a port of TableTCP or TableUDP, or ""
	Host   func(Addr) string              // the host of an IP address, or "": from a file, or asked for
	File   bool                           // take names of hosts that the capture's file tells beside its packets
	Seen   bool                           // take names of hosts from answers in the capture
	Listed bool                           // keep those for HostNames, even where they are not taken
}

// Naming is what addresses and ports are called, or nil.
func (r *Registry) Naming() *Naming { return r.naming.Load() }

// SetNaming says what addresses and ports are called from now on, also in sessions that are there; what was drawn
// before has to be drawn anew. Names that the capture itself tells are known only from packets that passed while Seen
// or Listed said so.
func (r *Registry) SetNaming(n *Naming) { r.naming.Store(n) }

// nameTable keeps which names the capture told for addresses, and since when.
type nameTable struct {
	mu  sync.RWMutex
	all map[Addr][]nameAt

	file   map[Addr]string // that the capture's file holds
	blocks int             // of the file that were read for them
}

type nameAt struct {
	since FrameNum
	name  string
}

// What a hostile capture can make us keep: so many addresses, each with so many names.
const (
	maxNamed   = 1 << 18
	maxRenamed = 16
)

// Wanted tells whether SetHost counts: ask it before work that serves the name alone.
func (hd *Names) Wanted() bool {
	d := (*D)(hd)
	if !d.first || d.quoted {
		return false
	}
	n := d.reg.Naming()
	return n != nil && (n.Seen || n.Listed)
}

// SetHost tells which host an address belongs to, from this frame on, as an answer in the capture says. It counts in
// the first pass alone, like Ends.Name.
func (hd *Names) SetHost(a Addr, host string) {
	d := (*D)(hd)
	d.alive()
	if !d.Names().Wanted() || host == "" || len(host) > 255 {
		return
	}
	b := &d.s.hosts
	b.mu.Lock()
	defer b.mu.Unlock()
	h := b.all[a]
	if n := len(h); n > 0 && h[n-1].name == host || n >= maxRenamed || n == 0 && len(b.all) >= maxNamed {
		return
	}
	if b.all == nil {
		b.all = map[Addr][]nameAt{}
	}
	d.again = true // layers around may have asked for it
	b.all[a] = append(h, nameAt{d.Frame, host})
}

// trim forgets the addresses that got their name the longest time ago where there are too many, and tells how many.
func (b *nameTable) trim(limit int) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.all, n = trim(b.all, limit, func(h []nameAt) FrameNum { return h[len(h)-1].since })
	return n
}

// readFile takes in what the capture's file holds so far.
func (b *nameTable) readFile(store *capture.Store) {
	b.blocks = store.HostNames(b.blocks, func(a netip.Addr, name string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.file == nil {
			b.file = map[Addr]string{}
		}
		if len(b.file) < maxNamed {
			b.file[addrOf(a)] = name
		}
	})
}

// ofFile is the name that the capture's file has for an address, or "".
func (b *nameTable) ofFile(a Addr) string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.file[a]
}

func addrOf(a netip.Addr) Addr {
	if a.Is4() {
		return IPv4Addr(a.AsSlice())
	}
	return IPv6Addr(a.AsSlice())
}

// at is what the capture had told for an address up to a frame.
func (b *nameTable) at(a Addr, n FrameNum) string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	h := b.all[a]
	i := sort.Search(len(h), func(i int) bool { return h[i].since > n })
	if i == 0 {
		return ""
	}
	return h[i-1].name
}

// HostNames are the names that the capture tells for addresses: those of its file, and those of answers in it, of which
// the last one counts. Answers count only where the registry's Naming takes them.
func (s *Session) HostNames() map[Addr]string {
	b := &s.hosts
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := make(map[Addr]string, len(b.file)+len(b.all))
	for a, h := range b.all {
		out[a] = h[len(h)-1].name
	}
	for a, name := range b.file {
		out[a] = name
	}
	return out
}

// ShowNames turns on or off that labels and columns name addresses and ports as the registry's Naming says. It is on at
// first. Fields are what they are either way.
func (s *Session) ShowNames(on bool) { s.nameless.Store(!on) }

// AddrName is what is shown for an address at a frame: its name, or "" where it has none or names are off. A name of a
// hardware address may be the address itself.
func (s *Session) AddrName(a Addr, n FrameNum) string {
	if s.nameless.Load() {
		return ""
	}
	return s.resolve(a, n)
}

// resolve is the name of an address at a frame, whether names are shown or not.
func (s *Session) resolve(a Addr, n FrameNum) string {
	naming := s.reg.Naming()
	switch {
	case naming == nil:
		return ""
	case a.kind == AddrEther:
		if naming.Ether != nil {
			return naming.Ether(a)
		}
	case a.kind == AddrIPv4 || a.kind == AddrIPv6:
		if naming.Host != nil {
			if name := naming.Host(a); name != "" {
				return name
			}
		}
		if naming.File {
			if name := s.hosts.ofFile(a); name != "" {
				return name
			}
		}
		if naming.Seen {
			return s.hosts.at(a, n)
		}
	}
	return ""
}

// AddrText is an address as labels write it: "name (address)" where it has a name and names are shown.
func (s *Session) AddrText(a Addr, n FrameNum) string { return string(s.appendAddr(nil, a, n)) }

func (s *Session) appendAddr(dst []byte, a Addr, n FrameNum) []byte {
	if name := s.AddrName(a, n); name != "" {
		return append(a.AppendTo(append(append(dst, Escape(name)...), " ("...)), ')')
	}
	return a.AppendTo(dst)
}

// Resolve is the value of a field that holds an address's name: the address itself where it has none.
func (hd *Names) Resolve(a Addr) string {
	d := (*D)(hd)
	if name := d.s.resolve(a, d.Frame); name != "" {
		return name
	}
	return a.String()
}

// Put records what Resolve gives for an address of n bytes at off.
func (hd *Names) Put(f *Field, a Addr, off, n int) {
	d := (*D)(hd)
	if !d.Wanted(f) {
		return
	}
	if name := d.s.resolve(a, d.Frame); name != "" {
		addText(d, f, name, off, n)
		return
	}
	d.texts = a.AppendTo(d.texts[:0])
	addText(d, f, d.texts, off, n)
}

// Addr is Session.AddrText at this frame.
func (hd *Names) Addr(a Addr) string {
	d := (*D)(hd)
	return d.s.AddrText(a, d.Frame)
}

// Vendor is the maker of a device by its hardware address, or "".
func (hd *Names) Vendor(a Addr) string {
	d := (*D)(hd)
	if n := d.reg.Naming(); n != nil && n.Vendor != nil {
		return n.Vendor(a)
	}
	return ""
}

// portName is the name of a port, or "" where it has none or names are off.
func (s *Session) portName(t Table, port uint64) string {
	if n := s.reg.Naming(); n != nil && n.Port != nil && !s.nameless.Load() && t != "" {
		return n.Port(t, uint16(port))
	}
	return ""
}

// Port is a port as the Info column writes it: "http(80)", or the number where the port has no name.
func (hd *Names) Port(t Table, port uint16) string { return string(hd.AppendPort(nil, t, port)) }

// AppendPort appends what Port returns.
func (hd *Names) AppendPort(dst []byte, t Table, port uint16) []byte {
	d := (*D)(hd)
	if name := d.s.portName(t, uint64(port)); name != "" {
		return append(strconv.AppendUint(append(append(dst, name...), '('), uint64(port), 10), ')')
	}
	return strconv.AppendUint(dst, uint64(port), 10)
}

// PortOf marks a field as a port of a transport, which may have a name.
func (f *Field) PortOf(t Table) *Field { f.own().port = t; return f }

// PortName is the name of a port of the packet's innermost transport, or "" where ports have no names.
func (t *Tree) PortName(port uint16) string {
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		if table := t.Field(i).rare.port; table != "" && t.Nodes[i].Val == uint64(port) {
			return t.session.portName(table, uint64(port))
		}
	}
	return ""
}

// appendCalled appends the value of node i in a label: by its name and the address or number behind it, where it has a
// name.
func (t *Tree) appendCalled(dst []byte, i int) []byte {
	f := t.Field(i)
	if t.session == nil {
		return t.appendValue(dst, i)
	}
	switch {
	case f.rare.port != "":
		if n := t.reg.Naming(); n != nil && n.Port != nil && !t.session.nameless.Load() {
			v := t.Nodes[i].Val
			if name := t.session.portName(f.rare.port, v); name != "" {
				dst = append(dst, name...)
			} else {
				dst = f.appendPlain(dst, v)
			}
			return append(f.appendPlain(append(dst, " ("...), v), ')')
		}
	case f.typ == TypeEther || f.typ == TypeIPv4 || f.typ == TypeIPv6:
		return t.session.appendAddr(dst, t.Address(i), t.Frame)
	}
	return t.appendValue(dst, i)
}
