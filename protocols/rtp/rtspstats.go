package rtp

import (
	"remora/dissect"
	"remora/dissect/tap"
)

// rtspStatistics are those that RTSP declares.
var rtspStatistics = []dissect.Statistic{
	{Name: "rtsp,stat", Args: "[,FILTER]", Help: "RTSP requests and responses; rtsp,tree the same over time",
		New: tap.Requests{Title: "RTSP", Method: rMethod, Code: rStatus, Names: statusPhrases}.New},
	{Name: "rtsp,tree", New: tap.StatusTree{Title: "RTSP", Method: rMethod, Code: rStatus,
		Phrase: func(code uint64) string { return statusPhrases[code] }}.New},
}

// statusPhrases are what RTSP calls its status codes (RFC 2326, section 7.1.1), with the names of tshark and the
// numbers to which it puts others.
var statusPhrases = map[uint64]string{100: "Continue", 199: "Informational - Others", 200: "OK", 201: "Created",
	250: "Low on Storage Space", 299: "Success - Others", 300: "Multiple Choices",
	301: "Moved Permanently", 302: "Moved Temporarily", 303: "See Other", 305: "Use Proxy", 399: "Redirection - Others",
	400: "Bad Request",
	401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
	406: "Not Acceptable",
	407: "Proxy Authentication Required", 408: "Request Timeout", 410: "Gone", 411: "Length Required",
	412: "Precondition Failed",
	413: "Request Entity Too Large", 414: "Request-URI Too Long", 415: "Unsupported Media Type", 451: "Invalid Parameter",
	452: "Illegal Conference Identifier", 453: "Not Enough Bandwidth", 454: "Session Not Found",
	455: "Method Not Valid In This State",
	456: "Header Field Not Valid", 457: "Invalid Range", 458: "Parameter Is Read-Only",
	459: "Aggregate Operation Not Allowed",
	460: "Only Aggregate Operation Allowed", 461: "Unsupported Transport", 462: "Destination Unreachable",
	499: "Client Error - Others", 500: "Internal Server Error",
	501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
	505: "RTSP Version not supported",
	551: "Option Not Support", 599: "Server Error - Others"}
