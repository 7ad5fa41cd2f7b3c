package dhcpv6

import "remora/dissect"

// simple are the options whose value is one field, or several of the same kind.
var simple = map[uint64]*dissect.Field{
	7:   proto.Uint8("option_preference", "Pref-value", "Value of option 7."),
	8:   proto.Uint16("elapsed_time", "Elapsed time", "How long the client has been trying.").Times(10).In("ms"),
	12:  proto.IPv6("unicast", "IPv6 address", "Value of option 12."),
	18:  proto.Bytes("interface_id", "Interface-ID", "Value of option 18."),
	19:  proto.Uint8("reconf_msg", "Reconfigure message type", "Value of option 19.").Named(messages),
	22:  proto.IPv6("sip_server_a", "SIP server address", "Value of option 22."),
	23:  proto.IPv6("dns_server", "DNS server address", "Value of option 23."),
	27:  proto.IPv6("nis_server", "NIS server address", "Value of option 27."),
	28:  proto.IPv6("nisp_server", "NISP server address", "Value of option 28."),
	31:  proto.IPv6("sntp_server", "SNTP server address", "Value of option 31."),
	32:  proto.Uint32("lifetime", "Lifetime", "Value of option 32."),
	34:  proto.IPv6("bcmcs_server_a", "BCMCS server address", "Value of option 34."),
	38:  proto.String("subscriber_id", "Subscriber-ID", "Value of option 38."),
	40:  proto.IPv6("pana_agent", "PANA agents address", "Value of option 40."),
	41:  proto.String("timezone", "Time-zone", "Value of option 41."),
	42:  proto.String("tzdb", "TZ-database", "Value of option 42."),
	46:  proto.Uint32("clt_time", "Clt_time", "Value of option 46."),
	48:  proto.IPv6("lq_client_link", "LQ client links address", "Value of option 48."),
	52:  proto.IPv6("capwap_ac_v6", "CAPWAP Access Controllers address", "Value of option 52."),
	72:  proto.IPv6("mip6_home_agent", "Home Agent", "Value of option 72."),
	103: proto.String("captive_portal", "Captive Portal", "Value of option 103."),
	112: proto.String("mudurl", "MUDURL", "Value of option 112."),
	135: proto.Uint16("relay_port", "Downstream Source Port", "Value of option 135."),
	166: proto.IPv6("mip6_home_address", "Home Address", "Value of option 166."),
	167: proto.String("nai", "NAI", "Value of option 167."),
}

// fTopLevel is a name of one label, in whatever option.
var fTopLevel = proto.String("tld", "TLD", "A name of one label.")

// domains are the options that hold names in the format of DNS.
var domains = map[uint64]*dissect.Field{
	21: proto.String("sip_server_domain_search_fqdn", "SIP Server Domain Search FQDN", "Value of option 21."),
	24: proto.String("search_list_entry", "List entry", "Value of option 24."),
	29: proto.String("nis_fqdn", "NIS FQDN", "Value of option 29."),
	30: proto.String("nisp_fqdn", "NISP FQDN", "Value of option 30."),
	33: proto.String("bcmcs_server_fqdn", "BCMCS server FQDN", "Value of option 33."),
	64: proto.String("aftr_name", "DS-Lite AFTR Name", "Value of option 64."),
}
