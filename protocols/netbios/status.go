package netbios

import "remora/dissect"

var (
	fNames   = proto.Uint8("number_of_names", "Number of names", "How many names the host has.")
	fNetName = proto.String("netbios_name", "Name", "A name of the host.")
	fNFlags  = proto.Uint16("name_flags", "Name flags", "What the name is.").Hex()
	fNGroup  = proto.Bool("name_flags.group", "Name type", "A group has the name.").Wide(2).Masked(0x8000).
			TrueFalse("Group name", "Unique name")
	fNNode = proto.Uint16("name_flags.ont", "ONT", "How the owner finds names.").Masked(0x6000).Named(ownerTypes)
	fNGone = proto.Bool("name_flags.drg", "Name is being deregistered", "The name is given up.").Wide(2).Masked(0x1000).
		TrueFalse("Yes", "No")
	fNClash = proto.Bool("name_flags.cnf", "Name is in conflict", "Somebody else has the name.").Wide(2).Masked(0x0800).
		TrueFalse("Yes", "No")
	fNActive = proto.Bool("name_flags.act", "Name is active", "The name is in use.").Wide(2).Masked(0x0400).
			TrueFalse("Yes", "No")
	fNForever = proto.Bool("name_flags.prm", "Permanent node name", "The name is burnt in.").Wide(2).Masked(0x0200).
			TrueFalse("Yes", "No")
	fUnit = proto.Ether("unit_id", "Unit ID", "The host's hardware address.")

	statistics = []*dissect.Field{
		proto.Uint8("jumpers", "Jumpers", "Statistics of the network card.").Hex(),
		proto.Uint8("test_result", "Test result", "Statistics of the network card.").Hex(),
		proto.Uint16("version_number", "Version number", "Statistics of the network card.").Hex(),
		proto.Uint16("period_of_statistics", "Period of statistics", "Statistics of the network card.").Hex(),
		proto.Uint16("num_crcs", "Number of CRCs", "Statistics of the network card."),
		proto.Uint16("num_alignment_errors", "Number of alignment errors", "Statistics of the network card."),
		proto.Uint16("num_collisions", "Number of collisions", "Statistics of the network card."),
		proto.Uint16("num_send_aborts", "Number of send aborts", "Statistics of the network card."),
		proto.Uint32("num_good_sends", "Number of good sends", "Statistics of the network card."),
		proto.Uint32("num_good_receives", "Number of good receives", "Statistics of the network card."),
		proto.Uint16("numretransmits", "Number of retransmits", "Statistics of the network card."),
		proto.Uint16("num_no_resource_conditions", "Number of no resource conditions", "Statistics of the network card."),
		proto.Uint16("numcommand_blocks", "Number of command blocks", "Statistics of the network card."),
		proto.Uint16("numpending_sessions", "Number of pending sessions", "Statistics of the network card."),
		proto.Uint16("max_num_pending_sessions", "Max number of pending sessions", "Statistics of the network card."),
		proto.Uint16("max_total_sessions_possible", "Max total sessions possible", "Statistics of the network card."),
		proto.Uint16("session_data_packet_size", "Session data packet size", "Statistics of the network card."),
	}
)

// status reads a node status response (RFC 1002 section 4.2.18): the host's names, and statistics that nobody fills in.
func status(d *dissect.D) {
	for n, more := d.Uint(fNames), d.Elements(); n > 0 && d.Left() >= 18 && more.Next(); n-- {
		at, b := d.Pos(), d.Data()
		d.Skip(16)
		if d.Wanted(fNetName) {
			text, service := written([16]byte(b[:16]))
			d.PutText(fNetName, text[:len(text)-4], at, 16)
			d.Suffix(fNetName, text[len(text)-4:]+service)
		}
		d.Put(fNFlags, d.PeekUint(0, 2), d.Pos(), 2)
		d.Below(func() { d.Bits(fNGroup, fNNode, fNGone, fNClash, fNActive, fNForever) })
	}
	if d.Left() >= 6 {
		d.Ether(fUnit)
	}
	for _, f := range statistics {
		if d.Left() < f.Size() {
			return
		}
		d.Uint(f)
	}
}
