package act

// words are what those who come from other programs call an action, for whoever looks for it by that.
var words = map[Action]string{
	TabTypes:      "statistics packet counter",
	TabStatistics: "statistics protocol hierarchy conversations endpoints ports response times players summary",
	Conversations: "statistics conversations talks flows streams tcp udp endpoints",
	Responses:     "statistics service response time srt latency rtt delay requests answers",
	ClearFilter:   "clear reset remove filter show all",
	TabExpert:     "expert information analyze errors warnings",
	FollowStream:  "follow stream tcp udp tls http",
	Rates:         "i/o graph io graphs statistics",
	Plot:          "graph field",
	Properties:    "capture file properties statistics",
	Compare:       "diff packets",
	Export:        "export csv json",
	Names:         "name resolution resolve",
	DecodeAs:      "decode as dissect",
	Reference:     "time reference set unset",
	Time:          "time display format shift",
	Coloring:      "colorize conversation",
	ColoringRules: "colorize coloring rules preferences",
	UseThis:       "apply as filter selected",
	WriteThis:     "prepare as filter selected",
	Find:          "find packet search",
	Mark:          "mark packet bookmark",
	Arrange:       "layout preferences panes",
	Column:        "apply as column",
	Desync:        "games statistics",
	FlowGraph:     "flow graph ladder sequence diagram arrows statistics",
	Calls:         "telephony voip sip calls flows rtp streams analysis player audio sound jitter",
	NextTab:       "tabs window several captures side by side switch",
	PrevTab:       "tabs window several captures side by side switch",
	StreamGraph:   "tcp stream graphs time sequence stevens tcptrace throughput round trip window scaling",
	Objects:       "export objects files save http smb tftp ftp imf mail",
	Match:         "games page overlay latency lag stalls players statistics",
	Unknown:       "unknown data statistics",
}

// Words are other words for an action, or "".
func (a Action) Words() string { return words[a] }
