package dhcp

import "remora/dissect"

var (
	fAgent = proto.Uint8("option.agent_information_option.suboption", "Option 82 Suboption",
		"What a relay says (RFC 3046).").Named(agentOptions)
	fAgentRaw = proto.Bytes("option.agent_information_option.value", "Value",
		"What the relay says, where it has a field of its own.").Hidden()
	fOther = proto.Bytes("option.agent_information_option.value", "Value", "What the relay says.")

	agentFields = map[uint64]*dissect.Field{
		1: proto.Bytes("option.agent_information_option.agent_circuit_id", "Agent Circuit ID",
			"Where the client is connected."),
		2: proto.Bytes("option.agent_information_option.agent_remote_id", "Agent Remote ID", "Who the client is."),
		4: proto.Uint32("option.agent_information_option.docsis_device_class", "DOCSIS Device Class", "Sort of the modem.").
			Hex(),
		5: proto.IPv4("option.agent_information_option.link_selection", "Link selection",
			"The network that the client is in."),
		6: proto.String("option.agent_information_option.subscriber_id", "Subscriber ID", "The customer."),
		7: proto.Bytes("option.agent_information_option.radius_attributes", "RADIUS Attributes",
			"What RADIUS says of the client."),
		8:  proto.Bytes("option.agent_information_option.authentication", "Authentication", "Proof that the relay is known."),
		10: proto.Uint8("option.agent_information_option.flags", "Flags", "How the message came to the relay.").Hex(),
		11: proto.IPv4("option.agent_information_option.server_id_override", "Server ID Override",
			"The address that the client shall take for the server's."),
		12: proto.Bytes("option.agent_information_option.relay_agent_id", "Relay Agent Identifier", "Which relay."),
	}
)

// agent reads what a relay adds to a client's message.
func agent(d *dissect.D) {
	for more := d.Elements(); more.Next(); {
		kind, n := uint64(d.Peek(0)), int(d.Peek(1))
		d.Put(fAgent, kind, d.Pos(), min(2+n, d.Left()))
		d.Skip(1)
		d.Below(func() {
			d.Uint(fSubLen)
			if n == 0 || d.Short() {
				return
			}
			d.Within(n, func() {
				if agentFields[kind] != nil {
					d.Put(fAgentRaw, 0, d.Pos(), d.Left())
				}
				if f := agentFields[kind]; f != nil {
					values(d, f)
				}
				d.Rest(fOther)
			})
		})
	}
}
