// Package data shows bytes that no other protocol takes.
package data

import "remora/dissect"

var proto = dissect.NewProtocol("data", "Data", "Bytes that no protocol takes.").Traits(dissect.Underlies).Quiet().
	Summary("Data ({len} bytes)").InfoWords()

var (
	fData = proto.Bytes("data", "Data", "The bytes.")
	fLen  = proto.Uint32("len", "Length", "How many bytes there are.").Derived()
)

// Plugin is what the engine falls back to.
func Plugin() dissect.Plugin { return dissect.Plugin{Protocol: proto, Dissect: data} }

func data(d *dissect.D) {
	n := len(d.Rest(fData))
	d.Set(fLen, uint64(n))
}
