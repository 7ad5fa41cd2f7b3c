package http

import (
	"strconv"

	"remora/dissect"
)

// otherMethod is the packet type of requests whose method has no number of its own.
const otherMethod = 1000

// methods are the packet types of requests: the methods of RFC 9110 and 5789, of WebDAV (RFC 4918, 3253, 3744, 5323)
// and of UPnP.
var methods = map[string]uint64{
	"GET": 1001, "HEAD": 1002, "POST": 1003, "PUT": 1004, "DELETE": 1005, "CONNECT": 1006, "OPTIONS": 1007, "TRACE": 1008,
	"PATCH":    1009,
	"M-SEARCH": 1010, "NOTIFY": 1011, "SUBSCRIBE": 1012, "UNSUBSCRIBE": 1013,
	"PROPFIND": 1020, "PROPPATCH": 1021, "MKCOL": 1022, "COPY": 1023, "MOVE": 1024, "LOCK": 1025, "UNLOCK": 1026,
	"REPORT": 1027, "ACL": 1028, "SEARCH": 1029,
	"VERSION-CONTROL": 1030, "CHECKOUT": 1031, "CHECKIN": 1032, "MERGE": 1033, "BIND": 1034, "REBIND": 1035,
	"UNBIND": 1036, "LINK": 1037, "UNLINK": 1038,
}

// statuses are the codes of RFC 9110 section 15 and of the registry it founds.
var statuses = map[uint64]string{
	100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
	200: "OK", 201: "Created", 202: "Accepted", 203: "Non-authoritative Information", 204: "No Content",
	205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
	300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
	305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
	400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
	405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Time-out",
	409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Request Entity Too Large",
	414: "Request-URI Too Long", 415: "Unsupported Media Type", 416: "Requested Range Not Satisfiable",
	417: "Expectation Failed", 418: "I'm a teapot", 421: "Misdirected Request", 422: "Unprocessable Entity", 423: "Locked",
	424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
	429: "Too Many Requests", 431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
	500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
	504: "Gateway Time-out", 505: "HTTP Version not supported", 506: "Variant Also Negotiates",
	507: "Insufficient Storage", 508: "Loop Detected", 510: "Not Extended", 511: "Network Authentication Required",
}

// kinds names the packet types: methods, and statuses with their numbers.
var kinds = func() dissect.Values {
	v := dissect.Values{otherMethod: "request"}
	for name, number := range methods {
		v[number] = name
	}
	for code, text := range statuses {
		v[code] = strconv.FormatUint(code, 10) + " " + text
	}
	return v
}()
