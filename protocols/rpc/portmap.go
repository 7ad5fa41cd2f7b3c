package rpc

import (
	"fmt"

	"remora/dissect"
)

var portmap = dissect.NewProtocol("portmap", "Portmap", "Port mapper and rpcbind: which program is on which port.").
	Summary("Portmap").Color(dissect.HueYellow).SharesFields(proto)

var ipProtos = dissect.Values{1: "ICMP", 6: "TCP", 17: "UDP"}

var (
	pProc2   = portmap.Uint32("procedure_v2", "V2 Procedure", "What is asked.").Named(portmap2).Derived()
	pProc3   = portmap.Uint32("procedure_v3", "V3 Procedure", "What is asked.").Named(portmap4).Derived()
	pProc4   = portmap.Uint32("procedure_v4", "V4 Procedure", "What is asked.").Named(portmap4).Derived()
	pProg    = portmap.Uint32("prog", "Program", "The program.").Named(programs)
	pVersion = portmap.Uint32("version", "Version", "Its version.")
	pProto   = portmap.Uint32("proto", "Protocol", "How to reach it.").Named(ipProtos)
	pPort    = portmap.Uint32("port", "Port", "Where it is, 0 for nowhere.")
	pProc    = portmap.Uint32("proc", "Procedure", "What to call there.")
	pAnswer  = portmap.Bool("answer", "Answer", "Whether it was done.").Wide(4).TrueFalse("True", "False")
	pMap     = portmap.Group("map", "Map Entry", "A program and its port.").
			Summary("Map Entry: {portmap.prog} V{portmap.version}")
	pBind  = portmap.Node("rpcb", "RPCB", "A program and its address.").Summary("RPCB[: {portmap.rpcb.prog}]")
	pBProg = portmap.Uint32("rpcb.prog", "Program", "The program.").Named(programs)
	pBVer  = portmap.Uint32("rpcb.version", "Version", "Its version.")
	pNet   = portmap.String("rpcb.netid", "Network Id", "How to reach it.")
	pAddr  = portmap.String("rpcb.addr", "Universal Address", "Where it is: address and port, in numbers with dots.")
	pOwner = portmap.String("rpcb.owner", "Owner of this Service", "Who put it there.")
	pUAddr = portmap.String("uaddr", "Universal Address", "Where it is.")
	pData  = portmap.Bytes("args", "Arguments", "What to hand on.")
	pRest  = portmap.Bytes("data", "Data", "Bytes of an unknown form.")
)

var portmapKinds = map[uint32]*dissect.Field{2: pProc2, 3: pProc3, 4: pProc4}

var portmapArgs = map[uint32]routine{1: mapping, 2: mapping, 3: getPort, 5: callIt}

var portmapResults = map[uint32]routine{
	1: answer, 2: answer, 3: port, 5: func(d *dissect.D) { port(d); opaque(d, fTextLen, pData) },
	4: func(d *dissect.D) { list(d, fMore, pMap, mapping) },
}

var bindArgs = map[uint32]routine{1: bind, 2: bind, 3: bind, 5: callIt, 9: bind, 11: bind}

var bindResults = map[uint32]routine{
	1: answer, 2: answer, 3: uaddr, 9: uaddr,
	4: func(d *dissect.D) { list(d, fMore, pBind, bindParts) },
}

// list reads a list in which a word in front of each item tells that it is there.
func list(d *dissect.D, more, group *dissect.Field, item routine) {
	for each := d.Elements(); d.Bool(more) && each.Next(); {
		d.In(group, func() { item(d) })
	}
}

func mapping(d *dissect.D) {
	d.Uint(pProg)
	d.Uint(pVersion)
	d.Uint(pProto)
	d.Uint(pPort)
}

func getPort(d *dissect.D) {
	prog, version, proto := d.PeekUint(0, 4), d.PeekUint(4, 4), d.PeekUint(8, 4)
	mapping(d)
	if d.Info().Wanted() {
		name, how := programs[prog], ipProtos[proto]
		if name == "" {
			name = "Unknown"
		}
		if how == "" {
			how = fmt.Sprintf("proto %d", proto)
		}
		d.Info().Setf(" %s(%d) V:%d %s", name, prog, version, how)
	}
}

func callIt(d *dissect.D) {
	d.Uint(pProg)
	d.Uint(pVersion)
	d.Uint(pProc)
	opaque(d, fTextLen, pData)
}

func answer(d *dissect.D) { d.Bool(pAnswer) }

func port(d *dissect.D) {
	if n := d.Uint(pPort); n == 0 {
		d.Info().Setf(" PROGRAM_NOT_AVAILABLE")
	} else if d.Info().Wanted() {
		d.Info().Setf(" Port:%d", n)
	}
}

func bind(d *dissect.D) { d.In(pBind, func() { bindParts(d) }) }

func bindParts(d *dissect.D) {
	d.Uint(pBProg)
	d.Uint(pBVer)
	opaque(d, fTextLen, pNet)
	opaque(d, fTextLen, pAddr)
	opaque(d, fTextLen, pOwner)
}

func uaddr(d *dissect.D) { opaque(d, fTextLen, pUAddr) }
