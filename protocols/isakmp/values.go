package isakmp

import "remora/dissect"

// The numbers of IANA's registries for IKE, versions 1 and 2.
var (
	payloadTypes = dissect.Values{0: "NONE / No Next Payload ", 1: "Security Association", 2: "Proposal",
		3: "Transform", 4: "Key Exchange", 5: "Identification", 6: "Certificate", 7: "Certificate Request",
		8: "Hash", 9: "Signature", 10: "Nonce", 11: "Notification", 12: "Delete", 13: "Vendor ID", 14: "Attributes",
		15: "SA KEK Payload", 16: "SA TEK Payload", 17: "Key Download", 18: "Sequence Number",
		19: "Proof of Possession", 20: "NAT-D (RFC 3947)", 21: "NAT-OA (RFC 3947)", 22: "Group Associated Policy",
		33: "Security Association", 34: "Key Exchange", 35: "Identification - Initiator",
		36: "Identification - Responder", 37: "Certificate", 38: "Certificate Request", 39: "Authentication",
		40: "Nonce", 41: "Notify", 42: "Delete", 43: "Vendor ID", 44: "Traffic Selector - Initiator",
		45: "Traffic Selector - Responder", 46: "Encrypted and Authenticated", 47: "Configuration",
		48: "Extensible Authentication", 49: "Generic Secure Password Method", 50: "Group Identification",
		51: "Group Security Association", 52: "Key Download", 53: "Encrypted and Authenticated Fragment",
		130: "NAT-D (draft-ietf-ipsec-nat-t-ike-01 to 03)", 131: "NAT-OA (draft-ietf-ipsec-nat-t-ike-01 to 03)",
		132: "Cisco-Fragmentation"}
	exchanges1 = dissect.Values{0: "NONE", 1: "Base", 2: "Identity Protection (Main Mode)",
		3: "Authentication Only", 4: "Aggressive", 5: "Informational", 6: "Transaction (Config Mode)",
		32: "Quick Mode", 33: "New Group Mode"}
	exchanges2 = dissect.Values{34: "IKE_SA_INIT", 35: "IKE_AUTH", 36: "CREATE_CHILD_SA", 37: "INFORMATIONAL",
		38: "IKE_SESSION_RESUME"}
	protocols1      = dissect.Values{1: "ISAKMP", 2: "IPSEC_AH", 3: "IPSEC_ESP", 4: "IPCOMP", 5: "GIGABEAM_RADIO"}
	protocols2      = dissect.Values{1: "IKE", 2: "AH", 3: "ESP", 4: "FC_ESP_HEADER", 5: "FC_CT_AUTHENTICATION"}
	dois            = dissect.Values{0: "ISAKMP", 1: "IPSEC", 2: "GDOI"}
	ipsecAttributes = dissect.Values{1: "SA-Life-Type", 2: "SA-Life-Duration", 3: "Group-Description",
		4: "Encapsulation-Mode", 5: "Authentication-Algorithm", 6: "Key-Length", 7: "Key-Rounds",
		8: "Compress-Dictionary-Size", 9: "Compress-Private-Algorithm", 10: "ECN Tunnel",
		11: "Extended (64-bit) Sequence Number", 12: "Authentication Key Length", 13: "Signature Encoding Algorithm",
		14: "Address Preservation", 15: "SA Direction"}
	ikeAttributes = dissect.Values{1: "Encryption-Algorithm", 2: "Hash-Algorithm", 3: "Authentication-Method",
		4: "Group-Description", 5: "Group-Type", 6: "Group-Prime", 7: "Group-Generator-One",
		8: "Group-Generator-Two", 9: "Group-Curve-A", 10: "Group-Curve-B", 11: "Life-Type", 12: "Life-Duration",
		13: "PRF", 14: "Key-Length", 15: "Field-Size", 16: "Group-Order", 17: "Block-Size",
		20: "Asymmetric-Cryptographic-Algorithm-Type"}
	transISAKMP = dissect.Values{1: "KEY_IKE"}
	transAH     = dissect.Values{2: "MD5", 3: "SHA", 4: "DES", 5: "SHA2-256", 6: "SHA2-384", 7: "SHA2-512"}
	transESP    = dissect.Values{1: "DES-IV64", 2: "DES", 3: "3DES", 4: "RC5", 5: "IDEA", 6: "CAST", 7: "BLOWFISH",
		8: "3IDEA", 9: "DES-IV32", 10: "RC4", 11: "NULL", 12: "AES"}
	transIPComp = dissect.Values{1: "OUI", 2: "DEFLATE", 3: "LZS", 4: "LZJH"}
	lifeTypes   = dissect.Values{1: "Seconds", 2: "Kilobytes"}
	encapModes  = dissect.Values{1: "Tunnel", 2: "Transport", 3: "UDP-Encapsulated-Tunnel",
		4: "UDP-Encapsulated-Transport", 61440: "Check Point IPSec UDP Encapsulation",
		61443: "UDP-Encapsulated-Tunnel (draft)", 61444: "UDP-Encapsulated-Transport (draft)"}
	authAlgorithms = dissect.Values{1: "HMAC-MD5", 2: "HMAC-SHA", 3: "DES-MAC", 4: "KPDK", 5: "HMAC-SHA2-256",
		6: "HMAC-SHA2-384", 7: "HMAC-SHA2-512", 8: "HMAC-RIPEMD", 9: "AES-XCBC-MAC", 10: "SIG-RSA",
		11: "AES-128-GMAC", 12: "AES-192-GMAC", 13: "AES-256-GMAC"}
	encAlgorithms = dissect.Values{1: "DES-CBC", 2: "IDEA-CBC", 3: "BLOWFISH-CBC", 4: "RC5-R16-B64-CBC",
		5: "3DES-CBC", 6: "CAST-CBC", 7: "AES-CBC", 8: "CAMELLIA-CBC", 127: "SM4-CBC (DEPRECATED)", 128: "SM1-CBC",
		129: "SM4-CBC"}
	hashAlgorithms = dissect.Values{1: "MD5", 2: "SHA", 3: "TIGER", 4: "SHA2-256", 5: "SHA2-384", 6: "SHA2-512",
		20: "SM3"}
	authMethods1 = dissect.Values{1: "Pre-shared key", 2: "DSS signatures", 3: "RSA signatures",
		4: "Encryption with RSA", 5: "Revised encryption with RSA", 9: "ECDSA with SHA-256 on the P-256 curve",
		10: "ECDSA with SHA-384 on the P-384 curve", 11: "ECDSA with SHA-512 on the P-521 curve",
		64221: "HybridInitRSA", 64222: "HybridRespRSA", 64223: "HybridInitDSS", 64224: "HybridRespDSS",
		65001: "XAUTHInitPreShared", 65002: "XAUTHRespPreShared", 65003: "XAUTHInitDSS", 65004: "XAUTHRespDSS",
		65005: "XAUTHInitRSA", 65006: "XAUTHRespRSA", 65007: "XAUTHInitRSAEncryption",
		65008: "XAUTHRespRSAEncryption", 65009: "XAUTHInitRSARevisedEncryption",
		65010: "XAUTHRespRSARevisedEncryption"}
	groups = dissect.Values{0: "UNDEFINED - 0", 1: "Default 768-bit MODP group",
		2: "Alternate 1024-bit MODP group", 3: "EC2N group on GP[2^155] group", 4: "EC2N group on GP[2^185] group",
		5: "1536 bit MODP group", 6: "EC2N group over GF[2^163]", 7: "EC2N group over GF[2^163]",
		8: "EC2N group over GF[2^283]", 9: "EC2N group over GF[2^283]", 10: "EC2N group over GF[2^409]",
		11: "EC2N group over GF[2^409]", 12: "EC2N group over GF[2^571]", 13: "EC2N group over GF[2^571]",
		14: "2048 bit MODP group", 15: "3072 bit MODP group", 16: "4096 bit MODP group", 17: "6144 bit MODP group",
		18: "8192 bit MODP group", 19: "256-bit random ECP group", 20: "384-bit random ECP group",
		21: "521-bit random ECP group", 22: "1024-bit MODP Group with 160-bit Prime Order Subgroup",
		23: "2048-bit MODP Group with 224-bit Prime Order Subgroup",
		24: "2048-bit MODP Group with 256-bit Prime Order Subgroup", 25: "192-bit Random ECP Group",
		26: "224-bit Random ECP Group", 27: "224-bit Brainpool ECP group", 28: "256-bit Brainpool ECP group",
		29: "384-bit Brainpool ECP group", 30: "512-bit Brainpool ECP group", 31: "Curve25519", 32: "Curve448",
		33: "GOST3410_2012_256", 34: "GOST3410_2012_512"}
	groupTypes     = dissect.Values{0: "UNDEFINED - 0", 1: "MODP", 2: "ECP", 3: "EC2N"}
	transformTypes = dissect.Values{1: "Encryption Algorithm (ENCR)", 2: "Pseudo-random Function (PRF)",
		3: "Integrity Algorithm (INTEG)", 4: "Diffie-Hellman Group (D-H)", 5: "Extended Sequence Numbers (ESN)"}
	transEncr = dissect.Values{1: "ENCR_DES_IV64", 2: "ENCR_DES", 3: "ENCR_3DES", 4: "ENCR_RC5", 5: "ENCR_IDEA",
		6: "ENCR_CAST", 7: "ENCR_BLOWFISH", 8: "ENCR_3IDEA", 9: "ENCR_DES_IV32", 11: "ENCR_NULL", 12: "ENCR_AES_CBC",
		13: "ENCR_AES_CTR", 14: "ENCR_AES-CCM_8", 15: "ENCR-AES-CCM_12", 16: "ENCR-AES-CCM_16",
		18: "AES-GCM with a 8 octet ICV", 19: "AES-GCM with a 12 octet ICV", 20: "AES-GCM with a 16 octet ICV",
		21: "ENCR_NULL_AUTH_AES_GMAC", 23: "ENCR_CAMELLIA_CBC", 24: "ENCR_CAMELLIA_CTR",
		25: "ENCR_CAMELLIA_CCM with an 8-octet ICV", 26: "ENCR_CAMELLIA_CCM with a 12-octet ICV",
		27: "ENCR_CAMELLIA_CCM with a 16-octet ICV", 28: "ENCR_CHACHA20_POLY1305"}
	transPRF = dissect.Values{1: "PRF_HMAC_MD5", 2: "PRF_HMAC_SHA1", 3: "PRF_HMAC_TIGER", 4: "PRF_AES128_CBC",
		5: "PRF_HMAC_SHA2_256", 6: "PRF_HMAC_SHA2_384", 7: "PRF_HMAC_SHA2_512", 8: "PRF_AES128_CMAC6"}
	transInteg = dissect.Values{0: "NONE", 1: "AUTH_HMAC_MD5_96", 2: "AUTH_HMAC_SHA1_96", 3: "AUTH_DES_MAC",
		4: "AUTH_KPDK_MD5", 5: "AUTH_AES_XCBC_96", 6: "AUTH_HMAC_MD5_128", 7: "AUTH_HMAC_SHA1_160",
		8: "AUTH_AES_CMAC_96", 9: "AUTH_AES_128_GMAC", 10: "AUTH_AES_192_GMAC", 11: "AUTH_AES_256_GMAC",
		12: "AUTH_HMAC_SHA2_256_128", 13: "AUTH_HMAC_SHA2_384_192", 14: "AUTH_HMAC_SHA2_512_256"}
	transESN  = dissect.Values{0: "No Extended Sequence Numbers", 1: "Extended Sequence Numbers"}
	certTypes = dissect.Values{1: "PKCS #7 wrapped X.509 certificate", 2: "PGP Certificate", 3: "DNS Signed Key",
		4: "X.509 Certificate - Signature", 5: "*undefined by any document*", 6: "Kerberos Tokens",
		7: "Certificate Revocation List (CRL)", 8: "Authority Revocation List (ARL)", 9: "SPKI Certificate",
		10: "X.509 Certificate - Attribute", 11: "Raw RSA Key", 12: "Hash and URL of X.509 certificate",
		13: "Hash and URL of X.509 bundle", 14: "OCSP Content"}
	authMethods2 = dissect.Values{1: "RSA Digital Signature", 2: "Shared Key Message Integrity Code",
		3: "DSS Digital Signature", 9: "ECDSA with SHA-256 on the P-256 curve",
		10: "ECDSA with SHA-384 on the P-384 curve", 11: "ECDSA with SHA-512 on the P-521 curve",
		12: "Generic Secure Password Authentication Method", 13: "NULL Authentication", 14: "Digital Signature"}
	notify1 = dissect.Values{0: "<UNKNOWN>", 1: "INVALID-PAYLOAD-TYPE", 2: "DOI-NOT-SUPPORTED",
		3: "SITUATION-NOT-SUPPORTED", 4: "INVALID-COOKIE", 5: "INVALID-MAJOR-VERSION", 6: "INVALID-MINOR-VERSION",
		7: "INVALID-EXCHANGE-TYPE", 8: "INVALID-FLAGS", 9: "INVALID-MESSAGE-ID", 10: "INVALID-PROTOCOL-ID",
		11: "INVALID-SPI", 12: "INVALID-TRANSFORM-ID", 13: "ATTRIBUTES-NOT-SUPPORTED", 14: "NO-PROPOSAL-CHOSEN",
		15: "BAD-PROPOSAL-SYNTAX", 16: "PAYLOAD-MALFORMED", 17: "INVALID-KEY-INFORMATION",
		18: "INVALID-ID-INFORMATION", 19: "INVALID-CERT-ENCODING", 20: "INVALID-CERTIFICATE",
		21: "CERT-TYPE-UNSUPPORTED", 22: "INVALID-CERT-AUTHORITY", 23: "INVALID-HASH-INFORMATION",
		24: "AUTHENTICATION-FAILED", 25: "INVALID-SIGNATURE", 26: "ADDRESS-NOTIFICATION", 27: "NOTIFY-SA-LIFETIME",
		28: "CERTIFICATE-UNAVAILABLE", 29: "UNSUPPORTED-EXCHANGE-TYPE", 30: "UNEQUAL-PAYLOAD-LENGTHS",
		16384: "CONNECTED", 24576: "RESPONDER-LIFETIME", 24577: "REPLAY-STATUS", 24578: "INITIAL-CONTACT",
		36136: "R-U-THERE", 36137: "R-U-THERE-ACK", 40501: "UNITY-LOAD-BALANCE", 40502: "UNITY-UNKNOWN",
		40503: "UNITY-GROUP-HASH"}
	notify2 = dissect.Values{1: "UNSUPPORTED_CRITICAL_PAYLOAD", 4: "INVALID_IKE_SPI", 5: "INVALID_MAJOR_VERSION",
		7: "INVALID_SYNTAX", 9: "INVALID_MESSAGE_ID", 11: "INVALID_SPI", 14: "NO_PROPOSAL_CHOSEN",
		17: "INVALID_KE_PAYLOAD", 24: "AUTHENTICATION_FAILED", 34: "SINGLE_PAIR_REQUIRED", 35: "NO_ADDITIONAL_SAS",
		36: "INTERNAL_ADDRESS_FAILURE", 37: "FAILED_CP_REQUIRED", 38: "TS_UNACCEPTABLE", 39: "INVALID_SELECTORS",
		40: "UNACCEPTABLE_ADDRESSES", 41: "UNEXPECTED_NAT_DETECTED", 42: "USE_ASSIGNED_HoA", 43: "TEMPORARY_FAILURE",
		44: "CHILD_SA_NOT_FOUND", 45: "INVALID_GROUP_ID", 46: "CHILD_SA_NOT_FOUND", 16384: "INITIAL_CONTACT",
		16385: "SET_WINDOW_SIZE", 16386: "ADDITIONAL_TS_POSSIBLE", 16387: "IPCOMP_SUPPORTED",
		16388: "NAT_DETECTION_SOURCE_IP", 16389: "NAT_DETECTION_DESTINATION_IP", 16390: "COOKIE",
		16391: "USE_TRANSPORT_MODE", 16392: "HTTP_CERT_LOOKUP_SUPPORTED", 16393: "REKEY_SA",
		16394: "ESP_TFC_PADDING_NOT_SUPPORTED", 16395: "NON_FIRST_FRAGMENTS_ALSO", 16396: "MOBIKE_SUPPORTED",
		16397: "ADDITIONAL_IP4_ADDRESS", 16398: "ADDITIONAL_IP6_ADDRESS", 16399: "NO_ADDITIONAL_ADDRESSES",
		16400: "UPDATE_SA_ADDRESSES", 16401: "COOKIE2", 16402: "NO_NATS_ALLOWED", 16403: "AUTH_LIFETIME",
		16404: "MULTIPLE_AUTH_SUPPORTED", 16405: "ANOTHER_AUTH_FOLLOWS", 16406: "REDIRECT_SUPPORTED",
		16407: "REDIRECT", 16408: "REDIRECTED_FROM", 16409: "TICKET_LT_OPAQUE", 16410: "TICKET_REQUEST",
		16411: "TICKET_ACK", 16412: "TICKET_NACK", 16413: "TICKET_OPAQUE", 16414: "LINK_ID", 16415: "USE_WESP_MODE",
		16416: "ROHC_SUPPORTED", 16417: "EAP_ONLY_AUTHENTICATION", 16418: "CHILDLESS_IKEV2_SUPPORTED",
		16419: "QUICK_CRASH_DETECTION", 16420: "IKEV2_MESSAGE_ID_SYNC_SUPPORTED",
		16421: "IPSEC_REPLAY_COUNTER_SYNC_SUPPORTED", 16422: "IKEV2_MESSAGE_ID_SYNC",
		16423: "IPSEC_REPLAY_COUNTER_SYNC", 16424: "SECURE_PASSWORD_METHODS", 16425: "PSK_PERSIST",
		16426: "PSK_CONFIRM", 16427: "ERX_SUPPORTED", 16428: "IFOM_CAPABILITY", 16429: "SENDER_REQUEST_ID",
		16430: "IKEV2_FRAGMENTATION_SUPPORTED", 16431: "SIGNATURE_HASH_ALGORITHMS"}
	cfgTypes1 = dissect.Values{1: "ISAKMP_CFG_REQUEST", 2: "ISAKMP_CFG_REPLY", 3: "ISAKMP_CFG_SET",
		4: "ISAKMP_CFG_ACK"}
	cfgTypes2      = dissect.Values{1: "CFG_REQUEST", 2: "CFG_REPLY", 3: "CFG_SET", 4: "CFG_ACK"}
	cfgAttributes1 = dissect.Values{1: "INTERNAL_IP4_ADDRESS", 2: "INTERNAL_IP4_NETMASK", 3: "INTERNAL_IP4_DNS",
		4: "INTERNAL_IP4_NBNS", 5: "INTERNAL_ADDRESS_EXPIRY", 6: "INTERNAL_IP4_DHCP", 7: "APPLICATION_VERSION",
		8: "INTERNAL_IP6_ADDRESS", 9: "INTERNAL_IP6_NETMASK", 10: "INTERNAL_IP6_DNS", 11: "INTERNAL_IP6_NBNS",
		12: "INTERNAL_IP6_DHCP", 13: "INTERNAL_IP4_SUBNET", 14: "SUPPORTED_ATTRIBUTES", 15: "INTERNAL_IP6_SUBNET",
		16387: "CHKPT_DEF_DOMAIN", 16388: "CHKPT_MAC_ADDRESS", 16389: "CHKPT_MARCIPAN_REASON_CODE",
		16400: "CHKPT_UNKNOWN1", 16401: "CHKPT_UNKNOWN2", 16402: "CHKPT_UNKNOWN3", 16520: "XAUTH_TYPE",
		16521: "XAUTH_USER_NAME", 16522: "XAUTH_USER_PASSWORD", 16523: "XAUTH_PASSCODE", 16524: "XAUTH_MESSAGE",
		16525: "XAUTH_CHALLENGE", 16526: "XAUTH_DOMAIN", 16527: "XAUTH_STATUS", 16528: "XAUTH_NEXT_PIN",
		16529: "XAUTH_ANSWER", 28672: "UNITY_BANNER", 28673: "UNITY_SAVE_PASSWD", 28674: "UNITY_DEF_DOMAIN",
		28675: "UNITY_SPLIT_DOMAIN", 28676: "UNITY_SPLIT_INCLUDE", 28677: "UNITY_NATT_PORT",
		28678: "UNITY_SPLIT_EXCLUDE", 28679: "UNITY_PFS", 28680: "UNITY_FW_TYPE", 28681: "UNITY_BACKUP_SERVERS",
		28682: "UNITY_DDNS_HOSTNAME"}
	selectorTypes = dissect.Values{7: "TS_IPV4_ADDR_RANGE", 8: "TS_IPV6_ADDR_RANGE", 9: "TS_FC_ADDR_RANGE"}
	idTypes1      = dissect.Values{1: "IPV4_ADDR", 2: "FQDN", 3: "USER_FQDN", 4: "IPV4_ADDR_SUBNET", 5: "IPV6_ADDR",
		6: "IPV6_ADDR_SUBNET", 7: "IPV4_ADDR_RANGE", 8: "IPV6_ADDR_RANGE", 9: "DER_ASN1_DN", 10: "DER_ASN1_GN",
		11: "KEY_ID", 12: "KEY_LIST"}
	idTypes2 = dissect.Values{1: "IPV4_ADDR", 2: "FQDN", 3: "ID_RFC822_ADDR", 5: "IPV6_ADDR", 9: "DER_ASN1_DN",
		10: "DER_ASN1_GN", 11: "KEY_ID", 12: "KEY_LIST"}
	signatureHashes = dissect.Values{1: "SHA1", 2: "SHA2-256", 3: "SHA2-384", 4: "SHA2-512", 5: "Identity"}
)
