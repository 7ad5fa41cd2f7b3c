package dissect

import (
	"cmp"
	"slices"

	"remora/internal/sorting"
)

// A Trait is what tables and filters have to know of a protocol that lies below others.
type Trait uint8

// The traits of protocols.
const (
	HandsOn   Trait = 1 << iota // hands on what it carries by a number: data in it is nobody's, and no part of it
	Underlies                   // its packets mostly count as another protocol's, which it carries
	Quotes                      // its errors quote packets
	// re-dissections make bytes of its packets that the first pass does not: unmasked, expanded
	Unpacks
	QuietQuoted // packets of it that others quote have no expert info
)

// Traits gives the protocol its traits.
func (p *Protocol) Traits(t Trait) *Protocol { p.traits = t; return p }

// Has tells whether the protocol has a trait.
func (p *Protocol) Has(t Trait) bool { return p.traits&t != 0 }

// Formerly says what the protocol was called before: filters may still say so.
func (p *Protocol) Formerly(name string) *Protocol { p.former = name; return p }

// Formerly is the protocol that had a name before, or nil.
func (r *Registry) Formerly(name string) *Protocol {
	i := slices.IndexFunc(r.protocols, func(p *Protocol) bool { return p.former == name })
	if i < 0 {
		return nil
	}
	return r.protocols[i]
}

// An EndLayer says where conversations and endpoints are told apart: by the addresses of a protocol, or by its ports.
type EndLayer struct {
	Title         string // in tables
	Rare          bool   // few captures have it: it is counted for who asks
	Ports         Table  // of conversations whose ends have ports; "" where addresses alone are counted
	Source, Dest  *Field // the addresses
	Sender, Taker *Field // in their place where a packet has none of those; nil for none
}

// A NamedEndLayer is a declared EndLayer with its protocol.
type NamedEndLayer struct {
	Protocol *Protocol
	*EndLayer
}

// AddressLayer is the protocol whose addresses of a type tables count, or nil.
func (r *Registry) AddressLayer(t Type) *Protocol {
	for i := range r.plugins {
		if e := r.plugins[i].Ends; e != nil && e.Source != nil && e.Source.typ == t {
			return r.plugins[i].Protocol
		}
	}
	return nil
}

// EndLayers are the declared ones by the names of their protocols, those that are rare last.
func (r *Registry) EndLayers() []NamedEndLayer {
	var out []NamedEndLayer
	for i := range r.plugins {
		if p := &r.plugins[i]; p.Ends != nil {
			out = append(out, NamedEndLayer{p.Protocol, p.Ends})
		}
	}
	sorting.Func(out, func(a, b NamedEndLayer) int {
		switch {
		case a.Rare && !b.Rare:
			return 1
		case b.Rare && !a.Rare:
			return -1
		}
		return cmp.Compare(a.Protocol.name, b.Protocol.name)
	})
	return out
}
