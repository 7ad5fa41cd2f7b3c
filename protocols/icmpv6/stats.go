package icmpv6

import (
	"remora/dissect"
	"remora/dissect/tap"
)

// The types of pings and their answers.
const (
	typeEcho   = 128
	typeAnswer = 129
)

// statistics are those that ICMPv6 declares.
var statistics = []dissect.Statistic{
	{Name: "icmpv6,srt", New: tap.Echoes{Title: "ICMPv6", Kind: fType, Time: fTime, Request: typeEcho}.New},
}

// flowGraph draws pings and their answers, as tshark does.
var flowGraph = tap.EchoFlow(fType, fCode, typeEcho, typeAnswer)
