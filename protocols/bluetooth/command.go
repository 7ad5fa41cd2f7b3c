package bluetooth

import (
	"fmt"

	"remora/dissect"
)

// parameters are those of commands (volume 4 part E section 7), in their order.
var parameters = map[uint64][]*dissect.Field{
	0x0401: {cLAP, cInqLen, cResponses},
	0x0405: {cAddr}, 0x0406: {cHandle, cReason}, 0x0408: {cAddr}, 0x0409: {cAddr}, 0x040a: {cAddr, cReason},
	0x040b: {cAddr}, 0x040c: {cAddr},
	0x0411: {cHandle}, 0x0413: {cHandle}, 0x0419: {cAddr}, 0x041b: {cHandle}, 0x041d: {cHandle}, 0x0c13: {cName},
	0x200b: {cScanType, cScanInt, cScanWin, cOwnType, cFilter},
	0x200c: {cScanOn, cDups},
	0x200d: {cScanInt, cScanWin, cInitFilter, cPeerType, cAddr, cOwnType, cConMin, cConMax, cLatency, cSupv, cMinCE,
		cMaxCE},
	0x2013: {cHandle, cConMin, cConMax, cLatency, cSupv, cMinCE, cMaxCE}, 0x2016: {cHandle},
}

func commandName(op uint64) string {
	if name := opcodes[op]; name != "" {
		return name
	}
	if op>>10 == 0x3f {
		return fmt.Sprintf("Vendor Command 0x%04x", op)
	}
	return fmt.Sprintf("Unknown 0x%04x", op)
}

func command(d *dissect.D) {
	op := d.Bits(cOpcode, cOGF, cOCF)
	if d.Short() {
		return
	}
	setInfo(d, "%s", commandName(op))
	d.Limit(int(d.Uint(cLength)))
	each(d, parameters[op])
	d.Rest(cParams)
}
