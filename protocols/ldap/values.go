package ldap

import "remora/dissect"

// Names of numbers (RFC 4511 section 4).
var (
	operations = dissect.Values{
		0: "bindRequest", 1: "bindResponse", 2: "unbindRequest", 3: "searchRequest", 4: "searchResEntry", 5: "searchResDone",
		19: "searchResRef",
		6:  "modifyRequest", 7: "modifyResponse", 8: "addRequest", 9: "addResponse", 10: "delRequest", 11: "delResponse",
		12: "modDNRequest",
		13: "modDNResponse", 14: "compareRequest", 15: "compareResponse", 16: "abandonRequest", 23: "extendedReq",
		24: "extendedResp",
		25: "intermediateResponse",
	}
	results = dissect.Values{
		0: "success", 1: "operationsError", 2: "protocolError", 3: "timeLimitExceeded", 4: "sizeLimitExceeded",
		5: "compareFalse", 6: "compareTrue",
		7: "authMethodNotSupported", 8: "strongAuthRequired", 10: "referral", 11: "adminLimitExceeded",
		12: "unavailableCriticalExtension",
		13: "confidentialityRequired", 14: "saslBindInProgress", 16: "noSuchAttribute", 17: "undefinedAttributeType",
		18: "inappropriateMatching",
		19: "constraintViolation", 20: "attributeOrValueExists", 21: "invalidAttributeSyntax", 32: "noSuchObject",
		33: "aliasProblem",
		34: "invalidDNSyntax", 36: "aliasDereferencingProblem", 48: "inappropriateAuthentication", 49: "invalidCredentials",
		50: "insufficientAccessRights", 51: "busy", 52: "unavailable", 53: "unwillingToPerform", 54: "loopDetect",
		64: "namingViolation",
		65: "objectClassViolation", 66: "notAllowedOnNonLeaf", 67: "notAllowedOnRDN", 68: "entryAlreadyExists",
		69: "objectClassModsProhibited",
		71: "affectsMultipleDSAs", 80: "other", 118: "canceled", 119: "noSuchOperation", 120: "tooLate", 121: "cannotCancel",
	}
	scopes = dissect.Values{
		0: "baseObject", 1: "singleLevel", 2: "wholeSubtree",
	}
	derefs = dissect.Values{
		0: "neverDerefAliases", 1: "derefInSearching", 2: "derefFindingBaseObj", 3: "derefAlways",
	}
)
