package dns

import "remora/dissect"

// What the Info column of messages may say, beside numbers and names.
var _ = inInfo(proto, mdns, llmnr)

func inInfo(all ...*dissect.Protocol) bool {
	for _, p := range all {
		p.InfoWords("Unknown operation", "response", "Unknown", "OPT", `"QU" question`, `"QM" question`, "cache flush", "<Root>").
			InfoNames(opcodes, rcodes, recordTypes).InfoCopies()
	}
	return true
}
