package live

// TimeStamps are libpcap's names of clocks that can stamp packets, with what they are (pcap-tstamp(7)).
var TimeStamps = [][2]string{
	{"host", "the system's clock, as it does best"},
	{"host_lowprec", "the system's clock, quick and coarse"},
	{"host_hiprec", "the system's clock, fine and slower"},
	{"host_hiprec_unsynced", "a fine clock of the system that nobody sets right"},
	{"adapter", "the network card's clock, kept right by the system's"},
	{"adapter_unsynced", "the network card's clock as it is"},
}
