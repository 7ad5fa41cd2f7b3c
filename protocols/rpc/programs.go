package rpc

import (
	"fmt"

	"remora/dissect"
)

// A progVer is a version of a program.
type progVer struct{ program, version uint32 }

// The programs whose arguments are known.
const (
	programPortmap = 100000
	programNFS     = 100003
	programMount   = 100005
)

// A routine reads the arguments of a procedure, or its results.
type routine func(d *dissect.D)

// A program is the procedures of a version of a program, by number.
type program struct {
	names         dissect.Values
	args, results map[uint32]routine
	order         uint32 // its place among the programs
	plugin        int    // which of this package's protocols it is
}

const (
	isPortmap = iota
	isMount
	isNFS
)

var known = map[progVer]program{
	{programPortmap, 2}: {names: portmap2, args: portmapArgs, results: portmapResults, order: 1, plugin: isPortmap},
	{programPortmap, 3}: {names: portmap4, args: bindArgs, results: bindResults, order: 2, plugin: isPortmap},
	{programPortmap, 4}: {names: portmap4, args: bindArgs, results: bindResults, order: 3, plugin: isPortmap},
	{programMount, 1}:   {names: mount3, args: mountArgs, results: mount1Results, order: 4, plugin: isMount},
	{programMount, 2}:   {names: mount3, args: mountArgs, results: mount1Results, order: 5, plugin: isMount},
	{programMount, 3}:   {names: mount3, args: mountArgs, results: mount3Results, order: 6, plugin: isMount},
	{programNFS, 3}:     {names: nfs3, args: nfs3Args, results: nfs3Results, order: 7, plugin: isNFS},
	{programNFS, 4}:     {names: nfs4, args: nfs4Args, results: nfs4Results, order: 8, plugin: isNFS},
}

// procedureFields are the fields that name the procedures of each program.
var procedureFields = map[progVer]*dissect.Field{
	{programPortmap, 2}: pProc2, {programPortmap, 3}: pProc3, {programPortmap, 4}: pProc4,
	{programMount, 1}: mProc1, {programMount, 2}: mProc2, {programMount, 3}: mProc3,
	{programNFS, 3}: nProc3, {programNFS, 4}: nProc4,
}

// byOrder is known by place.
var byOrder = func() map[uint32]progVer {
	all := map[uint32]progVer{}
	for pv, p := range known {
		all[p.order] = pv
	}
	return all
}()

// target is the number of a procedure's arguments or results in the table of procedures: the program's place, the
// procedure, and in the lowest bit whether it is about results.
func target(prog, version, proc uint32, answers bool) (uint32, bool) {
	p, ok := known[progVer{prog, version}]
	if !ok || p.names[uint64(proc)] == "" || proc > 0xffff {
		return 0, false
	}
	key := p.order<<17 | proc<<1
	if answers {
		key |= 1
	}
	return key, true
}

// keys are the numbers of all procedures of one of the package's protocols.
func keys(plugin int) (all []dissect.Key) {
	for pv, p := range known {
		if p.plugin != plugin {
			continue
		}
		for proc := range p.names {
			for _, answers := range [...]bool{false, true} {
				if key, ok := target(pv.program, pv.version, uint32(proc), answers); ok {
					all = append(all, dissect.Key{Table: procedures, Value: key})
				}
			}
		}
	}
	return all
}

// dispatch reads the arguments or results that the layer was found for.
func dispatch(d *dissect.D, kind *dissect.Field, version map[uint32]*dissect.Field, rest *dissect.Field) {
	key := d.Inner().Key()
	pv := byOrder[key>>17]
	proc := key >> 1 & 0xffff
	p := known[pv]
	d.SetKind(kind, uint64(pv.version<<8|proc))
	d.Set(fLayerVer, uint64(pv.version))
	if f := version[pv.version]; f != nil {
		d.Set(f, uint64(proc))
	}
	read := p.args[proc]
	if key&1 != 0 {
		read = p.results[proc]
	}
	if read != nil {
		read(d)
	}
	d.Rest(rest)
}

// versioned are the packet types of a protocol: the version and the procedure.
func versioned(versions map[uint64]dissect.Values) dissect.Values {
	all := dissect.Values{}
	for v, names := range versions {
		for n, name := range names {
			all[v<<8|n] = fmt.Sprintf("V%d %s", v, name)
		}
	}
	return all
}

var (
	pKind = portmap.Kind("type", "Type", versioned(map[uint64]dissect.Values{2: portmap2, 3: portmap4, 4: portmap4}),
		"Version and procedure.").Wide(2).Derived().Hidden().Wordless()
	mKind = mount.Kind("type", "Type", versioned(map[uint64]dissect.Values{1: mount3, 2: mount3, 3: mount3}),
		"Version and procedure.").Wide(2).Derived().Hidden().Wordless()
	nKind = nfs.Kind("procedure", "Procedure", versioned(map[uint64]dissect.Values{3: nfs3, 4: nfs4}),
		"Version and procedure.").Wide(2).Derived().Hidden().Wordless()
)

// Portmap dissects the calls of the portmapper and rpcbind (RFC 1833).
func Portmap() dissect.Plugin {
	return dissect.Plugin{Protocol: portmap, Dissect: func(d *dissect.D) { dispatch(d, pKind, portmapKinds, pRest) },
		On: keys(isPortmap)}
}

// Mount dissects the calls of the MOUNT protocol, which goes with NFS 3 (RFC 1813, appendix I).
func Mount() dissect.Plugin {
	return dissect.Plugin{Protocol: mount, Dissect: func(d *dissect.D) { dispatch(d, mKind, mountKinds, mRest) },
		On: keys(isMount)}
}

// NFS dissects the calls of NFS 3 (RFC 1813) and 4 (RFC 7530).
func NFS() dissect.Plugin {
	return dissect.Plugin{Protocol: nfs, Dissect: func(d *dissect.D) { dispatch(d, nKind, nfsKinds, nRest) },
		On: keys(isNFS)}
}
