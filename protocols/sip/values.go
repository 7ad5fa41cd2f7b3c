package sip

import "remora/dissect"

// otherMethod is the packet type of requests whose method is not known.
const otherMethod = 1

// methods are the requests of RFC 3261 and its extensions, with the numbers of their packet types.
var methods = map[string]uint64{
	"INVITE":    2,
	"ACK":       3,
	"BYE":       4,
	"CANCEL":    5,
	"OPTIONS":   6,
	"REGISTER":  7,
	"PRACK":     8,
	"SUBSCRIBE": 9,
	"NOTIFY":    10,
	"PUBLISH":   11,
	"INFO":      12,
	"REFER":     13,
	"MESSAGE":   14,
	"UPDATE":    15,
}

// kinds names the packet types: the methods, then the statuses.
var kinds = func() dissect.Values {
	all := dissect.Values{otherMethod: "Request"}
	for name, n := range methods {
		all[n] = name
	}
	for n, name := range statuses {
		all[n] = name
	}
	return all
}()

// statuses are the answers (RFC 3261 section 21 and the registry).
var statuses = dissect.Values{
	100: "Trying", 180: "Ringing", 181: "Call Is Being Forwarded", 182: "Queued", 183: "Session Progress",
	199: "Early Dialog Terminated",
	200: "OK", 202: "Accepted", 204: "No Notification", 300: "Multiple Choices", 301: "Moved Permanently",
	302: "Moved Temporarily",
	305: "Use Proxy", 380: "Alternative Service", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required",
	403: "Forbidden",
	404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
	408: "Request Timeout",
	410: "Gone", 412: "Conditional Request Failed", 413: "Request Entity Too Large", 414: "Request-URI Too Long",
	415: "Unsupported Media Type", 416: "Unsupported URI Scheme", 417: "Unknown Resource-Priority", 420: "Bad Extension",
	421: "Extension Required", 422: "Session Timer Too Small", 423: "Interval Too Brief", 424: "Bad Location Information",
	428: "Use Identity Header", 429: "Provide Referrer Identity", 430: "Flow Failed", 433: "Anonymity Disallowed",
	436: "Bad Identity-Info",
	437: "Unsupported Certificate", 438: "Invalid Identity Header", 439: "First Hop Lacks Outbound Support",
	440: "Max-Breadth Exceeded",
	469: "Bad Info Package", 470: "Consent Needed", 480: "Temporarily Unavailable", 481: "Call/Transaction Does Not Exist",
	482: "Loop Detected", 483: "Too Many Hops", 484: "Address Incomplete", 485: "Ambiguous", 486: "Busy Here",
	487: "Request Terminated",
	488: "Not Acceptable Here", 489: "Bad Event", 491: "Request Pending", 493: "Undecipherable",
	494: "Security Agreement Required",
	500: "Server Internal Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
	504: "Server Time-out",
	505: "Version Not Supported", 513: "Message Too Large", 555: "Push Notification Service Not Supported",
	580: "Precondition Failure",
	600: "Busy Everywhere", 603: "Decline", 604: "Does Not Exist Anywhere", 606: "Not Acceptable", 607: "Unwanted",
	608: "Rejected",
}

// q850 are the causes of ITU-T Q.850.
var q850 = dissect.Values{
	0: "Valid cause code not yet received", 1: "Unallocated (unassigned) number",
	2: "No route to specified transit network",
	3: "No route to destination", 4: "Send special information tone", 5: "Misdialled trunk prefix",
	6: "Channel unacceptable",
	7: "Call awarded and being delivered in an established channel", 8: "Preemption",
	9:  "Preemption - circuit reserved for reuse",
	14: "QoR: ported number", 16: "Normal call clearing", 17: "User busy", 18: "No user responding",
	19: "No answer from user (user alerted)",
	20: "Subscriber absent", 21: "Call rejected", 22: "Number changed", 23: "Redirection to new destination",
	24: "Call rejected due to feature at the destination", 25: "Exchange routing error", 26: "Non-selected user clearing",
	27: "Destination out of order", 28: "Invalid number format (address incomplete)", 29: "Facility rejected",
	30: "Response to STATUS ENQUIRY", 31: "Normal unspecified", 33: "Circuit out of order",
	34: "No circuit/channel available",
	38: "Network out of order", 39: "Permanent frame mode connection out of service",
	40: "Permanent frame mode connection operational",
	41: "Temporary failure", 42: "Switching equipment congestion", 43: "Access information discarded",
	44: "Requested circuit/channel not available", 46: "Precedence call blocked", 47: "Resources unavailable, unspecified",
	49: "Quality of service unavailable", 50: "Requested facility not subscribed", 53: "Outgoing calls barred within CUG",
	55: "Incoming calls barred within CUG", 56: "Call waiting not subscribed", 57: "Bearer capability not authorized",
	58: "Bearer capability not presently available",
	62: "Inconsistency in designated outgoing access information and subscriber class",
	63: "Service or option not available, unspecified", 65: "Bearer capability not implemented",
	66: "Channel type not implemented",
	69: "Requested facility not implemented", 70: "Only restricted digital information bearer capability is available",
	79: "Service or option not implemented, unspecified", 81: "Invalid call reference value",
	82: "Identified channel does not exist",
	83: "Call identity does not exist for suspended call", 84: "Call identity in use", 85: "No call suspended",
	86: "Call having the requested call identity has been cleared", 87: "Called user not member of CUG",
	88: "Incompatible destination",
	90: "Non-existing CUG", 91: "Invalid transit network selection (national use)", 95: "Invalid message, unspecified",
	96: "Mandatory information element is missing", 97: "Message type non-existent or not implemented",
	98: "Message not compatible with call state or message type non-existent or not implemented",
	99: "Information element nonexistent or not implemented", 100: "Invalid information element contents",
	101: "Message not compatible with call state", 102: "Recovery on timer expiry",
	103: "Parameter non-existent or not implemented - passed on", 110: "Message with unrecognized parameter discarded",
	111: "Protocol error, unspecified", 127: "Interworking, unspecified",
}
