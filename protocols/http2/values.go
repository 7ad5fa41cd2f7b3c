package http2

import "remora/dissect"

// The types of frames (RFC 9113 section 6, RFC 7838, RFC 8336, RFC 9218).
const (
	typeData = iota
	typeHeaders
	typePriority
	typeReset
	typeSettings
	typePromise
	typePing
	typeGoAway
	typeWindow
	typeContinuation
	typeAltSvc
	typeBlocked
	typeOrigin
	typeUpdate = 16
)

var types = dissect.Values{
	typeData: "DATA", typeHeaders: "HEADERS", typePriority: "PRIORITY", typeReset: "RST_STREAM", typeSettings: "SETTINGS",
	typePromise: "PUSH_PROMISE",
	typePing:    "PING", typeGoAway: "GOAWAY", typeWindow: "WINDOW_UPDATE", typeContinuation: "CONTINUATION",
	typeAltSvc: "ALTSVC", typeBlocked: "BLOCKED",
	typeOrigin: "ORIGIN", typeUpdate: "PRIORITY_UPDATE",
}

// The flags of a frame. What they mean depends on its type; END_STREAM and ACK share a bit.
const (
	flagEnd      = 0x01
	flagAck      = 0x01
	flagWhole    = 0x04
	flagPadded   = 0x08
	flagPriority = 0x20
)

// errorCodes are why streams and connections end (RFC 9113 section 7).
var errorCodes = dissect.Values{
	0: "NO_ERROR", 1: "PROTOCOL_ERROR", 2: "INTERNAL_ERROR", 3: "FLOW_CONTROL_ERROR", 4: "SETTINGS_TIMEOUT",
	5: "STREAM_CLOSED", 6: "FRAME_SIZE_ERROR",
	7: "REFUSED_STREAM", 8: "CANCEL", 9: "COMPRESSION_ERROR", 10: "CONNECT_ERROR", 11: "ENHANCE_YOUR_CALM",
	12: "INADEQUATE_SECURITY", 13: "HTTP_1_1_REQUIRED",
}

// settingNames are the settings (RFC 9113 section 6.5.2, RFC 8441).
var settingNames = dissect.Values{
	1: "Header table size", 2: "Enable PUSH", 3: "Max concurrent streams", 4: "Initial Windows size", 5: "Max frame size",
	6: "Max header list size",
	8: "Extended CONNECT",
}

// statuses are the codes of RFC 9110 section 15 and of the registry it founds, for the Info column.
var statuses = map[string]string{
	"100": "Continue", "101": "Switching Protocols", "102": "Processing", "103": "Early Hints",
	"200": "OK", "201": "Created", "202": "Accepted", "203": "Non-authoritative Information", "204": "No Content",
	"205": "Reset Content", "206": "Partial Content",
	"207": "Multi-Status", "208": "Already Reported", "226": "IM Used",
	"300": "Multiple Choices", "301": "Moved Permanently", "302": "Found", "303": "See Other", "304": "Not Modified",
	"305": "Use Proxy", "307": "Temporary Redirect",
	"308": "Permanent Redirect",
	"400": "Bad Request", "401": "Unauthorized", "402": "Payment Required", "403": "Forbidden", "404": "Not Found",
	"405": "Method Not Allowed", "406": "Not Acceptable",
	"407": "Proxy Authentication Required", "408": "Request Time-out", "409": "Conflict", "410": "Gone",
	"411": "Length Required", "412": "Precondition Failed",
	"413": "Request Entity Too Large", "414": "Request-URI Too Long", "415": "Unsupported Media Type",
	"416": "Requested Range Not Satisfiable",
	"417": "Expectation Failed", "418": "I'm a teapot", "421": "Misdirected Request", "422": "Unprocessable Entity",
	"423": "Locked", "424": "Failed Dependency",
	"425": "Too Early", "426": "Upgrade Required", "428": "Precondition Required", "429": "Too Many Requests",
	"431": "Request Header Fields Too Large",
	"451": "Unavailable For Legal Reasons",
	"500": "Internal Server Error", "501": "Not Implemented", "502": "Bad Gateway", "503": "Service Unavailable",
	"504": "Gateway Time-out",
	"505": "HTTP Version not supported", "506": "Variant Also Negotiates", "507": "Insufficient Storage",
	"508": "Loop Detected", "510": "Not Extended",
	"511": "Network Authentication Required",
}
