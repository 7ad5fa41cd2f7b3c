package icmp

import (
	"remora/dissect"
	"remora/dissect/tap"
)

// The types of pings and their answers.
const (
	typeEcho   = 8
	typeAnswer = 0
)

// statistics are those that ICMP declares.
var statistics = []dissect.Statistic{
	{Name: "icmp,srt", Args: "[,FILTER]", Help: "pings: answered, lost, how long they took; icmpv6,srt those of IPv6",
		New: tap.Echoes{Title: "ICMP", Kind: fType, Time: fTime, Request: typeEcho}.New},
}

// flowGraph draws pings and their answers, as tshark does.
var flowGraph = tap.EchoFlow(fType, fCode, typeEcho, typeAnswer)
