package ospf

import "remora/dissect"

// The sorts of advertisements as flags, for filters; and the interval of version 3, which is two bytes wide.
var (
	fIsRouter  = proto.Bool("lsa.router", "Router LSA", "A router's links.").TrueFalse("True", "False").Derived().Hidden()
	fIsNetwork = proto.Bool("lsa.network", "Network LSA", "A network's routers.").TrueFalse("True", "False").Derived().
			Hidden()
	fIsSummary = proto.Bool("lsa.summary", "Summary LSA (IP Network)", "A network of another area.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsASBR = proto.Bool("lsa.asbr", "Summary LSA (ASBR)",
		"A router of another area that knows routes from elsewhere.").TrueFalse("True", "False").Derived().Hidden()
	fIsExt = proto.Bool("lsa.asext", "AS-External LSA (ASBR)", "A network from elsewhere.").
		TrueFalse("True", "False").Derived().Hidden()
	fIsMember = proto.Bool("lsa.member", "Group Membership LSA", "Members of a multicast group.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsNSSA = proto.Bool("lsa.nssa", "NSSA AS-External LSA", "A network from elsewhere, for a not so stubby area.").
		TrueFalse("True", "False").Derived().Hidden()
	fIsAttr = proto.Bool("lsa.attr", "External Attributes LSA", "Attributes of external routes.").
		TrueFalse("True", "False").Derived().Hidden()
	fIsOpaque = proto.Bool("lsa.opaque", "Opaque LSA", "What other programs say.").TrueFalse("True", "False").Derived().
			Hidden()
	fIsTE = proto.Bool("lsa.mpls", "MPLS Traffic Engineering LSA", "Traffic engineering.").
		TrueFalse("True", "False").Derived().Hidden()
	fIsRouter3 = proto.Bool("v3.lsa.router", "Router-LSA", "A router's links.").TrueFalse("True", "False").Derived().
			Hidden()
	fIsNetwork3 = proto.Bool("v3.lsa.network", "Network-LSA", "A network's routers.").TrueFalse("True", "False").Derived().
			Hidden()
	fIsPrefix3 = proto.Bool("v3.lsa.interprefix", "Inter-Area-Prefix-LSA", "A prefix of another area.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsInter3 = proto.Bool("v3.lsa.interrouter", "Inter-Area-Router-LSA", "A router of another area.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsExt3 = proto.Bool("v3.lsa.asext", "AS-External-LSA", "A prefix from elsewhere.").TrueFalse("True", "False").
		Derived().Hidden()
	fIsMember3 = proto.Bool("v3.lsa.member", "Group-Membership-LSA", "Members of a multicast group.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsNSSA3 = proto.Bool("v3.lsa.nssa", "NSSA-LSA", "A prefix from elsewhere, for a not so stubby area.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsLink3 = proto.Bool("v3.lsa.link", "Link-LSA", "A router's address and prefixes on a link.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsIntra3 = proto.Bool("v3.lsa.intraprefix", "Intra-Area-Prefix-LSA", "Prefixes of a router or a network.").
			TrueFalse("True", "False").Derived().Hidden()
	fIsOpaque3 = proto.Bool("v3.lsa.opaque", "Router Information Opaque-LSA", "What the router can do.").
			TrueFalse("True", "False").Derived().Hidden()
	fDead3 = proto.Uint16("hello.router_dead_interval", "Router Dead Interval [sec]",
		"Seconds without a hello after which a router is gone.")
)

var (
	fFlags2 = proto.Uint8("v2.router.lsa.flags", "Flags", "What the router is.").Hex()
	r2H     = proto.Bool("v2.router.lsa.flags.h", "(H) flag", "Nothing goes through the router.").Masked(0x80).
		TrueFalse("Yes", "No")
	r2N = proto.Bool("v2.router.lsa.flags.n", "(N) flag", "The router passes on routes of its not so stubby area.").
		Masked(0x10).TrueFalse("Yes", "No")
	r2W = proto.Bool("v2.router.lsa.flags.w", "(W) Wild-card multicast receiver", "The router gets all multicast.").
		Masked(0x08).TrueFalse("Yes", "No")
	r2V = proto.Bool("v2.router.lsa.flags.v", "(V) Virtual link endpoint", "The router ends a virtual link.").
		Masked(0x04).TrueFalse("Yes", "No")
	r2E = proto.Bool("v2.router.lsa.flags.e", "(E) AS boundary router", "The router knows routes from elsewhere.").
		Masked(0x02).TrueFalse("Yes", "No")
	r2B = proto.Bool("v2.router.lsa.flags.b", "(B) Area border router", "The router is in several areas.").
		Masked(0x01).TrueFalse("Yes", "No")
	fLinks    = proto.Uint16("lsa.number_of_links", "Number of Links", "How many links follow.")
	fRLinkID  = proto.IPv4("lsa.router.linkid", "Link ID", "What the link leads to.")
	fRData    = proto.IPv4("lsa.router.linkdata", "Link Data", "Address of the router on the link, or the mask.")
	fRType    = proto.Uint8("lsa.router.linktype", "Link Type", "Sort of the link.")
	fRTOS     = proto.Uint8("lsa.router.nummetrics", "Number of Metrics", "How many further metrics follow.")
	fRMetric  = proto.Uint16("lsa.router.metric0", "0 Metric", "What the link costs.")
	fTOSLink  = proto.Uint32("ls.metric", "Metric", "What the link costs for a type of service.")
	fNetMask  = proto.IPv4("lsa.network.netmask", "Netmask", "Mask of the network.")
	fAttached = proto.IPv4("lsa.network.attchrtr", "Attached Router", "A router on the network.")
	fSumMask  = proto.IPv4("lsa.asbr.netmask", "Netmask", "Mask of the network.")
	fExtMask  = proto.IPv4("lsa.asext.netmask", "Netmask", "Mask of the network.")
	fExtType  = proto.Bool("lsa.asext.type", "External Type", "How the metric compares with others.").Masked(0x80).
			TrueFalse("Type 2 (metric is larger than any other link state path)",
			"Type 1 (metric is specified in the same units as interface cost)")
	fTOS     = proto.Uint8("lsa.tos", "TOS", "Type of service of the metric.")
	fMetric  = proto.Uint32("metric", "Metric", "What the way there costs.")
	fForward = proto.IPv4("lsa.asext.fwdaddr", "Forwarding Address",
		"Where packets shall go instead; 0.0.0.0 is to the sender.")
	fTag    = proto.Uint32("lsa.asext.extrttag", "External Route Tag", "A number for other routing protocols.")
	fFlags3 = proto.Uint8("v3.router.lsa.flags", "Flags", "What the router is.").Hex()
	r3W     = proto.Bool("v3.router.lsa.flags.w", "(W) Wild-card multicast receiver", "The router gets all multicast.").
		Masked(0x08).TrueFalse("Yes", "No")
	r3V = proto.Bool("v3.router.lsa.flags.v", "(V) Virtual link endpoint", "The router ends a virtual link.").
		Masked(0x04).TrueFalse("Yes", "No")
	r3E = proto.Bool("v3.router.lsa.flags.e", "(E) AS boundary router", "The router knows routes from elsewhere.").
		Masked(0x02).TrueFalse("Yes", "No")
	r3B = proto.Bool("v3.router.lsa.flags.b", "(B) Area border router", "The router is in several areas.").
		Masked(0x01).TrueFalse("Yes", "No")
	fLType = proto.Uint8("v3.lsa.type", "Type", "Sort of the link.").
		Named(dissect.Values{1: "Point-to-point connection to another router", 2: "Connection to a transit network",
			3: "Connection to a stub network", 4: "Virtual link"})
	fLIfID  = proto.Uint32("v3.lsa.interface_id", "Interface ID", "Number of the router's interface.")
	fLNbrIf = proto.Uint32("v3.lsa.neighbor_interface_id", "Neighbor Interface ID",
		"Number of the neighbour's interface.")
	fLNbr     = proto.IPv4("v3.lsa.neighbor_router_id", "Neighbor Router ID", "The neighbour.")
	fAttach3  = proto.IPv4("v3.lsa.attached_router", "Attached Router", "A router on the network.")
	fDest     = proto.IPv4("v3.lsa.destination_router_id", "Destination Router ID", "The router that the way leads to.")
	fExtFlags = proto.Uint8("v3.as.external.flags", "Flags", "What the advertisement has.").Hex()
	e3E       = proto.Bool("v3.as.external.flags.e", "(E) External Metric", "How the metric compares with others.").
			Masked(0x04).TrueFalse("Type 2", "Type 1")
	e3F = proto.Bool("v3.as.external.flags.f", "(F) Forwarding Address", "A forwarding address is there.").
		Masked(0x02).TrueFalse("Present", "Absent")
	e3T = proto.Bool("v3.as.external.flags.t", "(T) External Route Tag", "A tag is there.").Masked(0x01).
		TrueFalse("Present", "Not Present")
	fPfxLen = proto.Uint8("prefix_length", "PrefixLength", "Length of the prefix in bits.")
	fPfxOpt = proto.Uint8("v3.prefix.options", "PrefixOptions", "What the prefix is good for.").Hex()
	p3P     = proto.Bool("v3.prefix.options.p", "(P) Propagate", "It shall be passed on to other areas.").Masked(0x08)
	p3MC    = proto.Bool("v3.prefix.options.mc", "(MC) Multicast", "It is for multicast.").Masked(0x04)
	p3LA    = proto.Bool("v3.prefix.options.la", "(LA) Local Address", "It is an address of the router itself.").
		Masked(0x02)
	p3NU     = proto.Bool("v3.prefix.options.nu", "(NU) NoUnicast", "It is not for unicast.").Masked(0x01)
	fRefType = proto.Uint16("v3.lsa.referenced_ls_type", "Referenced LS type",
		"Sort of the advertisement that this one adds to.").Hex()
	fPrefix   = proto.IPv6("v3.address_prefix.ipv6", "Address Prefix", "The prefix.")
	fForward6 = proto.IPv6("v3.lsa.forwarding_address.ipv6", "Forwarding Address", "Where packets shall go instead.")
	fTag6     = proto.Uint32("v3.lsa.external_route_tag", "External Route Tag", "A number for other routing protocols.")
	fRefID    = proto.IPv4("v3.lsa.referenced_link_state_id", "Referenced Link State ID",
		"The advertisement that this one adds to.")
	fRefRouter = proto.IPv4("v3.lsa.referenced_advertising_router", "Referenced Advertising Router",
		"The router that made it.")
	fLPrio  = proto.Uint8("v3.lsa.router_priority", "Router Priority", "Who becomes the designated router.")
	fLLocal = proto.IPv6("v3.lsa.link_local_interface_address.ipv6", "Link-local Interface Address",
		"Address of the router on the link.")
	fPrefixes = proto.Uint32("v3.lsa.num_prefixes", "# prefixes", "How many prefixes follow.")
	fTLVType  = proto.Uint16("tlv_type", "TLV Type", "What the piece says.")
	fTLVRI    = proto.Uint16("tlv_type.opaque", "TLV Type", "What the piece says.").Named(riTypes)
	fTLVLen   = proto.Uint16("tlv_length", "TLV Length", "Length of the piece in bytes.")
	fTLVValue = proto.Bytes("tlv_value", "TLV Value", "A piece of another sort.")
	fPad      = proto.Bytes("pad_bytes", "Pad Bytes", "Zeros up to the next four bytes.")
	fTERouter = proto.IPv4("mpls.routerid", "MPLS/TE Router ID", "An address of the router that is always there.")
	fTEType   = proto.Uint8("mpls.linktype", "MPLS/TE Link Type", "Sort of the link.").
			Named(dissect.Values{1: "Point-to-point", 2: "Multi-access"})
	fTELink   = proto.IPv4("mpls.linkid", "MPLS/TE Link ID", "What the link leads to.")
	fTELocal  = proto.IPv4("mpls.local_addr", "MPLS/TE Local Interface Address", "Address of this end.")
	fTERemote = proto.IPv4("mpls.remote_addr", "MPLS/TE Remote Interface Address", "Address of the other end.")
	fTEMetric = proto.Uint32("mpls.te_metric", "MPLS/TE Metric", "What the link costs for traffic engineering.")
	fTEMax    = proto.Float32("mpls.link_max_bw", "Link Max BW", "Bandwidth in bytes a second.")
	fTEPri    = proto.Float32("mpls.pri", "Pri (or TE-Class)",
		"Bandwidth that is left for a priority, in bytes a second.")
	fTEColor = proto.Uint32("mpls.linkcolor", "MPLS/TE Link Resource Class/Color",
		"Groups of links that it belongs to.").Hex()
	fTELocID = proto.Uint32("mpls.local_id", "MPLS/TE Local Interface Index", "Number of this end.")
	fTERemID = proto.Uint32("mpls.remote_id", "MPLS/TE Remote Interface Index", "Number of the other end.")
	fRI      = proto.Uint8("ri.options", "RI Options", "What the router can do.").Hex()
	iGRC     = proto.Bool("ri.options.grc", "(GRC) Graceful Restart", "It can restart without the others noticing.").
			Masked(0x80).TrueFalse("Capable", "Not capable")
	iGRH = proto.Bool("ri.options.grh", "(GRH) Graceful Restart Helper", "It helps others to.").Masked(0x40).
		TrueFalse("Enabled", "Disabled")
	iSRS = proto.Bool("ri.options.srs", "Stub Router Support", "It can be a stub router.").Masked(0x20).
		TrueFalse("Yes", "No")
	iTES = proto.Bool("ri.options.tes", "(TES) Traffic Engineering", "It does traffic engineering.").Masked(0x10).
		TrueFalse("Supported", "Not supported")
	iP2P = proto.Bool("ri.options.p2plan", "(P2PLAN) Point-to-point over LAN",
		"It treats networks of two as links.").Masked(0x08).TrueFalse("Capable", "Not capable")
	iETE = proto.Bool("ri.options.ete", "(ETE) Experimental TE", "It does experimental traffic engineering.").
		Masked(0x04).TrueFalse("Capable", "Not capable")
	iHost = proto.Bool("ri.options.host", "Host Router", "It can be a host.").Masked(0x01).
		TrueFalse("Capable", "Not capable")
	fHostname = proto.String("dynhostname", "Dynamic Hostname", "Name of the router.")
	fSA       = proto.Uint8("lsa_sa", "SR-Algorithm", "A way to find paths.").Named(algorithms)
	fGrace    = proto.Node("v2.grace", "Grace TLV", "The router restarts.")
	fPeriod   = proto.Uint32("v2.grace.period", "Grace Period",
		"For how long the others shall act as if nothing had happened.")
	fReason = proto.Uint8("v2.grace.reason", "Restart Reason", "Why it restarts.").
		Named(dissect.Values{0: "Unknown", 1: "Software Restart", 2: "Software Reload/Upgrade", 3: "Processor Switchover"})
	fGraceIP = proto.IPv4("v2.grace.ip", "Restart IP", "Address of the interface.")
	fLLSSum  = proto.Uint16("lls.checksum", "Checksum", "Checksum over the block.").Hex()
	fLLSLen  = proto.Uint16("lls.data_length", "LLS Data Length", "Length of the block in units of four bytes.")
	fLLSOpt  = proto.Uint32("lls.ext.options", "Options", "What the router wants.").Hex()
	sRS      = proto.Bool("lls.ext.options.rs", "(RS) Restart Signal", "It restarts.").Wide(4).Masked(0x02)
	sLR      = proto.Bool("lls.ext.options.lr", "(LR) LSDB Resynchronization", "It can compare databases again.").
			Wide(4).Masked(0x01)
	fLLSSeq  = proto.Uint32("v2.lls.sequence_number", "Sequence number", "Counts the packets.").Hex()
	fLLSAuth = proto.Bytes("v2.lls.auth_data", "Auth Data", "Digest over the packet.")
)

var (
	tlvTypes = dissect.Values{1: "Router Address", 2: "Link Information"}
	linkTLVs = dissect.Values{1: "Link Type", 2: "Link ID", 3: "Local Interface IP Address",
		4: "Remote Interface IP Address", 5: "Traffic Engineering Metric", 6: "Maximum Bandwidth",
		7: "Maximum Reservable Bandwidth", 8: "Unreserved Bandwidth", 9: "Resource Class/Color",
		11: "Link Local/Remote Identifier"}
	riTypes = dissect.Values{1: "Router Informational Capabilities", 2: "Router Functional Capabilities",
		7: "OSPF Dynamic Hostname", 8: "SR-Algorithm ", 9: "SID/Label Range"}
	algorithms = dissect.Values{0: "Shortest Path First", 1: "Strict Shortest Path First"}
)
