package ksy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"remora/dissect"
	"remora/internal/kaitai"
)

// A place is where a description applies, and its dissector.
type place struct {
	*dissector
	keys   []dissect.Key
	guess  *kaitai.Expr
	length *kaitai.Expr
	header int
	stream bool // it is found in streams of TCP
	packet bool // it is found in datagrams
}

// settings are the keys below -remora.
var settings = []string{"name", "title", "udp", "tcp", "inside", "guess", "type", "info", "roles", "names", "request",
	"response", "color"}

// newPlace reads what stands below -remora.
func newPlace(spec *kaitai.Spec) (*place, error) {
	s := spec.Remora
	d, err := newDissector(spec)
	if err != nil {
		return nil, err
	}
	p := &place{dissector: d}
	if s == nil {
		return p, nil
	}
	if err := known(s, settings...); err != nil {
		return nil, err
	}
	for _, read := range []func(*kaitai.Setting) error{p.readUDP, p.readTCP, p.readInside, p.readGuess} {
		if err := read(s); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func known(s *kaitai.Setting, names ...string) error {
	for _, name := range s.Names {
		if !slices.Contains(names, name) {
			return s.Of[name].Mistake(fmt.Sprintf("unknown key %q: there are %s", name, strings.Join(names, ", ")))
		}
	}
	return nil
}

// ports reads a port, a range or a list of them.
func ports(s *kaitai.Setting) (out []uint16, err error) {
	if s.List == nil && s.Word == "" {
		return nil, s.Mistake("a port is a number, a range as 7000-7010 or a list of them")
	}
	list := s.List
	if list == nil {
		list = []*kaitai.Setting{s}
	}
	for _, one := range list {
		from, to, isRange := strings.Cut(one.Word, "-")
		first, err := strconv.ParseUint(strings.TrimSpace(from), 0, 16)
		last := first
		if err == nil && isRange {
			last, err = strconv.ParseUint(strings.TrimSpace(to), 0, 16)
		}
		if err != nil || last < first {
			return nil, one.Mistake(fmt.Sprintf("%q is no port", one.Word))
		}
		for port := first; port <= last; port++ {
			out = append(out, uint16(port))
		}
	}
	return out, nil
}

func (p *place) readUDP(s *kaitai.Setting) error {
	udp := s.Get("udp")
	if udp == nil {
		return nil
	}
	list, err := ports(udp)
	for _, port := range list {
		p.keys = append(p.keys, dissect.Key{Table: dissect.TableUDP, Value: uint32(port)})
	}
	p.packet = true
	return err
}

func (p *place) readTCP(s *kaitai.Setting) (err error) {
	tcp := s.Get("tcp")
	if tcp == nil {
		return nil
	}
	p.stream = true
	where := tcp
	if tcp.Of != nil {
		if err := known(tcp, "port", "length", "header"); err != nil {
			return err
		}
		where = tcp.Get("port")
	}
	if where != nil {
		list, err := ports(where)
		if err != nil {
			return err
		}
		for _, port := range list {
			p.keys = append(p.keys, dissect.Key{Table: dissect.TableTCP, Value: uint32(port)})
		}
	}
	if h := tcp.Get("header"); h != nil {
		n, err := strconv.Atoi(h.Word)
		if err != nil || n < 1 || n > 1<<16 {
			return h.Mistake("header is how many bytes tell the length of a message")
		}
		p.header = n
	}
	if l := tcp.Get("length"); l != nil {
		p.length, err = p.spec.Compile(p.spec.Root, l)
	}
	return err
}

// carriers are tables of what protocols carry, by the protocols' names.
var carriers = map[string]dissect.Key{"websocket": {Table: "websocket.data"}, "udp": {Table: dissect.TableUDP},
	"tcp": {Table: dissect.TableTCP}}

func (p *place) readInside(s *kaitai.Setting) error {
	in := s.Get("inside")
	if in == nil {
		return nil
	}
	p.packet = true
	list := in.List
	if list == nil {
		list = []*kaitai.Setting{in}
	}
	for _, one := range list {
		if key, ok := carriers[one.Word]; ok && key.Table == "websocket.data" {
			p.keys = append(p.keys, key)
			continue
		}
		if one.Of == nil {
			return one.Mistake(fmt.Sprintf("%q: inside is websocket, or a table and a number as ip.proto: 253", one.Word))
		}
		for _, table := range one.Names {
			n, err := strconv.ParseUint(one.Of[table].Word, 0, 32)
			if err != nil {
				n = uint64(dissect.Word(strings.ToLower(one.Of[table].Word)))
			}
			p.keys = append(p.keys, dissect.Key{Table: dissect.Table(table), Value: uint32(n)})
		}
	}
	return nil
}

func (p *place) readGuess(s *kaitai.Setting) (err error) {
	if g := s.Get("guess"); g != nil {
		p.guess, err = p.spec.Compile(p.spec.Root, g)
	}
	return err
}

// plugin is the dissector as others have it.
func (p *place) plugin() dissect.Plugin {
	plugin := dissect.Plugin{Protocol: p.proto, Dissect: p.dissect, On: p.keys,
		Stateful: p.request != nil || p.response != nil}
	if p.stream {
		plugin.Message, plugin.Remainder = p.message, true
	}
	if p.guess != nil {
		plugin.Guess = p.fits
		plugin.GuessAll = p.stream && p.packet
		plugin.GuessTCP = p.stream
	}
	return plugin
}

// attach adds the plugin to a registry, in front of what else is found there.
func (p *place) attach(reg *dissect.Registry) error {
	reg.Remove(p.proto.Name())
	if err := reg.Add(p.plugin()); err != nil {
		return err
	}
	for _, key := range p.keys {
		if err := reg.Prefer(key, p.proto.Name()); err != nil {
			return err
		}
	}
	return nil
}

// fits is the test of the description: the packet can be read, and what the test asks for is so.
func (p *place) fits(d *dissect.D) dissect.Confidence {
	parser := p.parser()
	defer p.parsers.Put(parser)
	data := d.Data()
	if p.stream && d.Ends().Transport() == dissect.TableTCP {
		data = data[:min(len(data), maxWhole)]
	}
	o, err := parser.Parse(data)
	d.Spend(stepBytes * parser.Spent())
	if err != nil && !p.stream {
		return dissect.No
	}
	if v, err := parser.Eval(p.guess, o); err != nil || v.Kind != kaitai.Bool || v.Uint64() == 0 {
		return dissect.No
	}
	return dissect.Strong
}

// maxWhole is how long a message may be whose length only reading it tells.
const maxWhole = 64 << 10

// message is how long the message is that a stream goes on with: what the description says, or what it reads.
func (p *place) message(b []byte) int {
	parser := p.parser()
	defer p.parsers.Put(parser)
	if p.length != nil {
		return p.declared(parser, b)
	}
	o, err := parser.Parse(b[:min(len(b), maxWhole)])
	switch {
	case err == nil && o.IO.Pos() > 0:
		return o.IO.Pos()
	case kaitai.AtEnd(err, o) && len(b) < maxWhole:
		return 0
	}
	return len(b)
}

// declared computes the length from the fields that can be read by now.
func (p *place) declared(parser *kaitai.Parser, b []byte) int {
	if len(b) < p.header {
		return 0
	}
	head := b[:min(len(b), maxWhole)]
	if p.header > 0 {
		head = b[:p.header]
	}
	o, _ := parser.Parse(head)
	v, err := parser.Eval(p.length, o)
	switch {
	case err != nil || v.Kind != kaitai.Int:
		if len(b) < maxWhole && p.header == 0 {
			return 0
		}
		return -len(b)
	case v.Int64() <= 0 || v.Int64() > 1<<30:
		return -max(1, p.header)
	}
	return int(v.Int64())
}
