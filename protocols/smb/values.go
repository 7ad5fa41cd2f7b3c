package smb

import "remora/dissect"

// The names of numbers, by MS-SMB2, MS-CIFS, MS-FSCC and RFC 1002.
var (
	commands = dissect.Values{
		0: "Negotiate Protocol", 1: "Session Setup", 2: "Session Logoff", 3: "Tree Connect", 4: "Tree Disconnect", 5: "Create", 6: "Close", 7: "Flush",
		8: "Read", 9: "Write", 10: "Lock", 11: "Ioctl", 12: "Cancel", 13: "KeepAlive", 14: "Find", 15: "Notify", 16: "GetInfo", 17: "SetInfo", 18: "Break",
		19: "unknown-0x13", 20: "unknown-0x14", 21: "unknown-0x15", 22: "unknown-0x16", 23: "unknown-0x17", 24: "unknown-0x18", 25: "unknown-0x19",
		26: "unknown-0x1A", 27: "unknown-0x1B", 28: "unknown-0x1C", 29: "unknown-0x1D", 30: "unknown-0x1E", 31: "unknown-0x1F", 32: "unknown-0x20",
		33: "unknown-0x21", 34: "unknown-0x22", 35: "unknown-0x23", 36: "unknown-0x24", 37: "unknown-0x25", 38: "unknown-0x26", 39: "unknown-0x27",
		40: "unknown-0x28", 41: "unknown-0x29", 42: "unknown-0x2A", 43: "unknown-0x2B", 44: "unknown-0x2C", 45: "unknown-0x2D", 46: "unknown-0x2E",
		47: "unknown-0x2F", 48: "unknown-0x30", 49: "unknown-0x31", 50: "unknown-0x32", 51: "unknown-0x33", 52: "unknown-0x34", 53: "unknown-0x35",
		54: "unknown-0x36", 55: "unknown-0x37", 56: "unknown-0x38", 57: "unknown-0x39", 58: "unknown-0x3A", 59: "unknown-0x3B", 60: "unknown-0x3C",
		61: "unknown-0x3D", 62: "unknown-0x3E", 63: "unknown-0x3F", 64: "unknown-0x40", 65: "unknown-0x41", 66: "unknown-0x42", 67: "unknown-0x43",
		68: "unknown-0x44", 69: "unknown-0x45", 70: "unknown-0x46", 71: "unknown-0x47", 72: "unknown-0x48", 73: "unknown-0x49", 74: "unknown-0x4A",
		75: "unknown-0x4B", 76: "unknown-0x4C", 77: "unknown-0x4D", 78: "unknown-0x4E", 79: "unknown-0x4F", 80: "unknown-0x50", 81: "unknown-0x51",
		82: "unknown-0x52", 83: "unknown-0x53", 84: "unknown-0x54", 85: "unknown-0x55", 86: "unknown-0x56", 87: "unknown-0x57", 88: "unknown-0x58",
		89: "unknown-0x59", 90: "unknown-0x5A", 91: "unknown-0x5B", 92: "unknown-0x5C", 93: "unknown-0x5D", 94: "unknown-0x5E", 95: "unknown-0x5F",
		96: "unknown-0x60", 97: "unknown-0x61", 98: "unknown-0x62", 99: "unknown-0x63", 100: "unknown-0x64", 101: "unknown-0x65", 102: "unknown-0x66",
		103: "unknown-0x67", 104: "unknown-0x68", 105: "unknown-0x69", 106: "unknown-0x6A", 107: "unknown-0x6B", 108: "unknown-0x6C", 109: "unknown-0x6D",
		110: "unknown-0x6E", 111: "unknown-0x6F", 112: "unknown-0x70", 113: "unknown-0x71", 114: "unknown-0x72", 115: "unknown-0x73", 116: "unknown-0x74",
		117: "unknown-0x75", 118: "unknown-0x76", 119: "unknown-0x77", 120: "unknown-0x78", 121: "unknown-0x79", 122: "unknown-0x7A", 123: "unknown-0x7B",
		124: "unknown-0x7C", 125: "unknown-0x7D", 126: "unknown-0x7E", 127: "unknown-0x7F", 128: "unknown-0x80", 129: "unknown-0x81", 130: "unknown-0x82",
		131: "unknown-0x83", 132: "unknown-0x84", 133: "unknown-0x85", 134: "unknown-0x86", 135: "unknown-0x87", 136: "unknown-0x88", 137: "unknown-0x89",
		138: "unknown-0x8A", 139: "unknown-0x8B", 140: "unknown-0x8C", 141: "unknown-0x8D", 142: "unknown-0x8E", 143: "unknown-0x8F", 144: "unknown-0x90",
		145: "unknown-0x91", 146: "unknown-0x92", 147: "unknown-0x93", 148: "unknown-0x94", 149: "unknown-0x95", 150: "unknown-0x96", 151: "unknown-0x97",
		152: "unknown-0x98", 153: "unknown-0x99", 154: "unknown-0x9A", 155: "unknown-0x9B", 156: "unknown-0x9C", 157: "unknown-0x9D", 158: "unknown-0x9E",
		159: "unknown-0x9F", 160: "unknown-0xA0", 161: "unknown-0xA1", 162: "unknown-0xA2", 163: "unknown-0xA3", 164: "unknown-0xA4", 165: "unknown-0xA5",
		166: "unknown-0xA6", 167: "unknown-0xA7", 168: "unknown-0xA8", 169: "unknown-0xA9", 170: "unknown-0xAA", 171: "unknown-0xAB", 172: "unknown-0xAC",
		173: "unknown-0xAD", 174: "unknown-0xAE", 175: "unknown-0xAF", 176: "unknown-0xB0", 177: "unknown-0xB1", 178: "unknown-0xB2", 179: "unknown-0xB3",
		180: "unknown-0xB4", 181: "unknown-0xB5", 182: "unknown-0xB6", 183: "unknown-0xB7", 184: "unknown-0xB8", 185: "unknown-0xB9", 186: "unknown-0xBA",
		187: "unknown-0xBB", 188: "unknown-0xBC", 189: "unknown-0xBD", 190: "unknown-0xBE", 191: "unknown-0xBF", 192: "unknown-0xC0", 193: "unknown-0xC1",
		194: "unknown-0xC2", 195: "unknown-0xC3", 196: "unknown-0xC4", 197: "unknown-0xC5", 198: "unknown-0xC6", 199: "unknown-0xC7", 200: "unknown-0xC8",
		201: "unknown-0xC9", 202: "unknown-0xCA", 203: "unknown-0xCB", 204: "unknown-0xCC", 205: "unknown-0xCD", 206: "unknown-0xCE", 207: "unknown-0xCF",
		208: "unknown-0xD0", 209: "unknown-0xD1", 210: "unknown-0xD2", 211: "unknown-0xD3", 212: "unknown-0xD4", 213: "unknown-0xD5", 214: "unknown-0xD6",
		215: "unknown-0xD7", 216: "unknown-0xD8", 217: "unknown-0xD9", 218: "unknown-0xDA", 219: "unknown-0xDB", 220: "unknown-0xDC", 221: "unknown-0xDD",
		222: "unknown-0xDE", 223: "unknown-0xDF", 224: "unknown-0xE0", 225: "unknown-0xE1", 226: "unknown-0xE2", 227: "unknown-0xE3", 228: "unknown-0xE4",
		229: "unknown-0xE5", 230: "unknown-0xE6", 231: "unknown-0xE7", 232: "unknown-0xE8", 233: "unknown-0xE9", 234: "unknown-0xEA", 235: "unknown-0xEB",
		236: "unknown-0xEC", 237: "unknown-0xED", 238: "unknown-0xEE", 239: "unknown-0xEF", 240: "unknown-0xF0", 241: "unknown-0xF1", 242: "unknown-0xF2",
		243: "unknown-0xF3", 244: "unknown-0xF4", 245: "unknown-0xF5", 246: "unknown-0xF6", 247: "unknown-0xF7", 248: "unknown-0xF8", 249: "unknown-0xF9",
		250: "unknown-0xFA", 251: "unknown-0xFB", 252: "unknown-0xFC", 253: "unknown-0xFD", 254: "unknown-0xFE", 255: "unknown-0xFF",
	}
	commands1 = dissect.Values{
		0: "Create Directory", 1: "Delete Directory", 2: "Open", 3: "Create", 4: "Close", 5: "Flush", 6: "Delete", 7: "Rename", 8: "Query Information",
		9: "Set Information", 10: "Read", 11: "Write", 12: "Lock Byte Range", 13: "Unlock Byte Range", 14: "Create Temp", 15: "Create New",
		16: "Check Directory", 17: "Process Exit", 18: "Seek", 19: "Lock And Read", 20: "Write And Unlock", 21: "unknown-0x15", 22: "unknown-0x16",
		23: "unknown-0x17", 24: "unknown-0x18", 25: "unknown-0x19", 26: "Read Raw", 27: "Read MPX", 28: "Read MPX Secondary", 29: "Write Raw",
		30: "Write MPX", 31: "Write MPX Secondary", 32: "Write Complete", 33: "Query Server (reserved)", 34: "Set Information2", 35: "Query Information2",
		36: "Locking AndX", 37: "Trans", 38: "Trans Secondary", 39: "IOCTL", 40: "IOCTL Secondary", 41: "Copy", 42: "Move", 43: "Echo",
		44: "Write And Close", 45: "Open AndX", 46: "Read AndX", 47: "Write AndX", 48: "New File Size (reserved)", 49: "Close And Tree Disconnect",
		50: "Trans2", 51: "Trans2 Secondary", 52: "Find Close2", 53: "Find Notify Close", 112: "Tree Connect", 113: "Tree Disconnect",
		114: "Negotiate Protocol", 115: "Session Setup AndX", 116: "Logoff AndX", 117: "Tree Connect AndX", 128: "Query Information Disk", 129: "Search",
		130: "Find", 131: "Find Unique", 132: "Find Close", 160: "NT Trans", 161: "NT Trans Secondary", 162: "NT Create AndX", 163: "unknown-0xA3",
		164: "NT Cancel", 165: "NT Rename", 192: "Open Print File", 193: "Write Print File", 194: "Close Print File", 195: "Get Print Queue",
		208: "Send Single Block Message", 209: "Send Broadcast Message", 210: "Forward User Name", 211: "Cancel Forward", 212: "Get Machine Name",
		213: "Send Start of Multi-block Message", 214: "Send End of Multi-block Message", 215: "Send Text of Multi-block Message", 216: "SMBreadbulk",
		217: "SMBwritebulk", 218: "SMBwritebulkdata", 254: "SMBinvalid",
	}
	dialects = dissect.Values{
		0x202: "SMB 2.0.2", 0x210: "SMB 2.1", 0x222: "SMB 2.2.2 (deprecated; should be 3.0)", 0x224: "SMB 2.2.4 (deprecated; should be 3.0)",
		0x2ff: "SMB2 wildcard", 0x300: "SMB 3.0", 0x302: "SMB 3.0.2", 0x310: "SMB 3.1.0 (deprecated; should be 3.1.1)", 0x311: "SMB 3.1.1",
	}
	shareTypes = dissect.Values{
		1: "Physical disk", 2: "Named pipe", 3: "Printer",
	}
	dispositions = dissect.Values{
		0: "Supersede (supersede existing file (if it exists))", 1: "Open (if file exists open it, else fail)",
		2: "Create (if file exists fail, else create it)", 3: "Open If (if file exists open it, else create it)",
		4: "Overwrite (if file exists overwrite, else fail)", 5: "Overwrite If (if file exists overwrite, else create it)",
	}
	actions = dissect.Values{
		0: "No action taken?", 1: "The file existed and was opened", 2: "The file did not exist but was created", 3: "The file existed and was truncated",
		0x8001: "The file existed and was opened, and an OpLock was granted", 0x8002: "The file did not exist but was created, and an OpLock was granted",
		0x8003: "The file existed and was truncated, and an OpLock was granted",
	}
	classes = dissect.Values{
		1: "FILE_INFO", 2: "FS_INFO", 3: "SEC_INFO", 4: "QUOTA_INFO",
	}
	fileLevels = dissect.Values{
		4: "SMB2_FILE_BASIC_INFO", 5: "SMB2_FILE_STANDARD_INFO", 6: "SMB2_FILE_INTERNAL_INFO", 7: "SMB2_FILE_EA_INFO", 8: "SMB2_FILE_ACCESS_INFO",
		10: "SMB2_FILE_RENAME_INFO", 13: "SMB2_FILE_DISPOSITION_INFO", 14: "SMB2_FILE_POSITION_INFO", 15: "SMB2_FILE_FULL_EA_INFO",
		16: "SMB2_FILE_MODE_INFO", 17: "SMB2_FILE_ALIGNMENT_INFO", 18: "SMB2_FILE_ALL_INFO", 19: "SMB2_FILE_ALLOCATION_INFO",
		20: "SMB2_FILE_ENDOFFILE_INFO", 21: "SMB2_FILE_ALTERNATE_NAME_INFO", 22: "SMB2_FILE_STREAM_INFO", 23: "SMB2_FILE_PIPE_INFO",
		28: "SMB2_FILE_COMPRESSION_INFO", 34: "SMB2_FILE_NETWORK_OPEN_INFO", 35: "SMB2_FILE_ATTRIBUTE_TAG_INFO", 48: "SMB2_FILE_NORMALIZED_NAME_INFO",
		100: "SMB2_FILE_POSIX_INFO",
	}
	fsLevels = dissect.Values{
		1: "FileFsVolumeInformation", 2: "FileFsLabelInformation", 3: "FileFsSizeInformation", 4: "FileFsDeviceInformation",
		5: "FileFsAttributeInformation", 6: "FileFsControlInformation", 7: "FileFsFullSizeInformation", 8: "FileFsObjectIdInformation",
		9: "FileFsDriverPathInformation", 10: "FileFsVolumeFlagsInformation", 11: "FileFsSectorSizeInformation",
	}
	findLevels = dissect.Values{
		1: "SMB2_FIND_DIRECTORY_INFO", 2: "SMB2_FIND_FULL_DIRECTORY_INFO", 3: "SMB2_FIND_BOTH_DIRECTORY_INFO", 4: "SMB2_FIND_INDEX_SPECIFIED",
		12: "SMB2_FIND_NAME_INFO", 37: "SMB2_FIND_ID_BOTH_DIRECTORY_INFO", 38: "SMB2_FIND_ID_FULL_DIRECTORY_INFO", 100: "SMB2_FIND_POSIX_INFO",
	}
	functions = dissect.Values{
		0x60194: "FSCTL_DFS_GET_REFERRALS", 0x601b0: "FSCTL_DFS_GET_REFERRALS_EX", 0x90000: "FSCTL_REQUEST_OPLOCK_LEVEL_1",
		0x90004: "FSCTL_REQUEST_OPLOCK_LEVEL_2", 0x90008: "FSCTL_REQUEST_BATCH_OPLOCK", 0x9000c: "FSCTL_OPLOCK_BREAK_ACKNOWLEDGE",
		0x90010: "FSCTL_OPBATCH_ACK_CLOSE_PENDING", 0x90014: "FSCTL_OPLOCK_BREAK_NOTIFY", 0x90018: "FSCTL_LOCK_VOLUME", 0x9001c: "FSCTL_UNLOCK_VOLUME",
		0x90020: "FSCTL_DISMOUNT_VOLUME", 0x90028: "FSCTL_IS_VOLUME_MOUNTED", 0x9002c: "FSCTL_IS_PATHNAME_VALID", 0x90030: "FSCTL_MARK_VOLUME_DIRTY",
		0x9003b: "FSCTL_QUERY_RETRIEVAL_POINTERS", 0x9003c: "FSCTL_GET_COMPRESSION", 0x9004f: "FSCTL_MARK_AS_SYSTEM_HIVE",
		0x90050: "FSCTL_OPLOCK_BREAK_ACK_NO_2", 0x90054: "FSCTL_INVALIDATE_VOLUMES", 0x90058: "FSCTL_QUERY_FAT_BPB", 0x9005c: "FSCTL_REQUEST_FILTER_OPLOCK",
		0x90060: "FSCTL_FILESYSTEM_GET_STATISTICS", 0x90064: "FSCTL_GET_NTFS_VOLUME_DATA", 0x90068: "FSCTL_GET_NTFS_FILE_RECORD",
		0x9006f: "FSCTL_GET_VOLUME_BITMAP", 0x90073: "FSCTL_GET_RETRIEVAL_POINTERS", 0x90074: "FSCTL_MOVE_FILE", 0x90078: "FSCTL_IS_VOLUME_DIRTY",
		0x9007c: "FSCTL_GET_HFS_INFORMATION", 0x90083: "FSCTL_ALLOW_EXTENDED_DASD_IO", 0x90087: "FSCTL_READ_PROPERTY_DATA",
		0x9008b: "FSCTL_WRITE_PROPERTY_DATA", 0x9008f: "FSCTL_FIND_FILES_BY_SID", 0x90097: "FSCTL_DUMP_PROPERTY_DATA", 0x9009c: "FSCTL_GET_OBJECT_ID",
		0x900a4: "FSCTL_SET_REPARSE_POINT", 0x900a8: "FSCTL_GET_REPARSE_POINT", 0x900c0: "FSCTL_CREATE_OR_GET_OBJECT_ID", 0x900c4: "FSCTL_SET_SPARSE",
		0x900d4: "FSCTL_SET_ENCRYPTION", 0x900db: "FSCTL_ENCRYPTION_FSCTL_IO", 0x900df: "FSCTL_WRITE_RAW_ENCRYPTED", 0x900e3: "FSCTL_READ_RAW_ENCRYPTED",
		0x900f0: "FSCTL_EXTEND_VOLUME", 0x90244: "FSCTL_CSV_TUNNEL_REQUEST", 0x9027c: "FSCTL_GET_INTEGRITY_INFORMATION",
		0x90284: "FSCTL_QUERY_FILE_REGIONS", 0x902c8: "FSCTL_CSV_SYNC_TUNNEL_REQUEST", 0x90300: "FSCTL_QUERY_SHARED_VIRTUAL_DISK_SUPPORT",
		0x90304: "FSCTL_SVHDX_SYNC_TUNNEL_REQUEST", 0x90308: "FSCTL_SVHDX_SET_INITIATOR_INFORMATION", 0x9030c: "FSCTL_SET_EXTERNAL_BACKING",
		0x90310: "FSCTL_GET_EXTERNAL_BACKING", 0x90314: "FSCTL_DELETE_EXTERNAL_BACKING", 0x90318: "FSCTL_ENUM_EXTERNAL_BACKING",
		0x9031f: "FSCTL_ENUM_OVERLAY", 0x90350: "FSCTL_STORAGE_QOS_CONTROL", 0x90364: "FSCTL_SVHDX_ASYNC_TUNNEL_REQUEST", 0x940b3: "FSCTL_ENUM_USN_DATA",
		0x940b7: "FSCTL_SECURITY_ID_CHECK", 0x940bb: "FSCTL_READ_USN_JOURNAL", 0x940cf: "FSCTL_QUERY_ALLOCATED_RANGES", 0x940e7: "FSCTL_CREATE_USN_JOURNAL",
		0x940eb: "FSCTL_READ_FILE_USN_DATA", 0x940ef: "FSCTL_WRITE_USN_CLOSE_RECORD", 0x94264: "FSCTL_OFFLOAD_READ", 0x98098: "FSCTL_SET_OBJECT_ID",
		0x980a0: "FSCTL_DELETE_OBJECT_ID", 0x980a4: "FSCTL_SET_REPARSE_POINT", 0x980ac: "FSCTL_DELETE_REPARSE_POINT",
		0x980bc: "FSCTL_SET_OBJECT_ID_EXTENDED", 0x980c8: "FSCTL_SET_ZERO_DATA", 0x980d0: "FSCTL_ENABLE_UPGRADE", 0x98208: "FSCTL_FILE_LEVEL_TRIM",
		0x98268: "FSCTL_OFFLOAD_WRITE", 0x9c040: "FSCTL_SET_COMPRESSION", 0x9c280: "FSCTL_SET_INTEGRITY_INFORMATION", 0x110018: "FSCTL_PIPE_WAIT",
		0x11400c: "FSCTL_PIPE_PEEK", 0x11c017: "FSCTL_PIPE_TRANSCEIVE", 0x140078: "FSCTL_SRV_REQUEST_RESUME_KEY", 0x1401d4: "FSCTL_LMR_REQUEST_RESILIENCY",
		0x1401fc: "FSCTL_QUERY_NETWORK_INTERFACE_INFO", 0x140200: "FSCTL_VALIDATE_NEGOTIATE_INFO_224", 0x140204: "FSCTL_VALIDATE_NEGOTIATE_INFO",
		0x144064: "FSCTL_SRV_ENUMERATE_SNAPSHOTS", 0x1440f2: "FSCTL_SRV_COPYCHUNK", 0x1441bb: "FSCTL_SRV_READ_HASH", 0x1480f2: "FSCTL_SRV_COPYCHUNK_WRITE",
	}
	cachings = dissect.Values{0: "Manual caching", 0x10: "Auto caching", 0x20: "VDO caching", 0x30: "No caching"}
	devices  = dissect.Values{
		1: "BEEP", 2: "CD_ROM", 3: "CD_ROM_FILE_SYSTEM", 4: "CONTROLLER", 5: "DATALINK", 6: "DFS", 7: "DISK", 8: "DISK_FILE_SYSTEM", 9: "FILE_SYSTEM", 10: "INPORT_PORT", 11: "KEYBOARD", 12: "MAILSLOT", 13: "MIDI_IN", 14: "MIDI_OUT", 15: "MOUSE", 16: "MULTI_UNC_PROVIDER", 17: "NAMED_PIPE", 18: "NETWORK", 19: "NETWORK_BROWSER", 20: "NETWORK_FILE_SYSTEM", 21: "NULL", 22: "PARALLEL_PORT", 23: "PHYSICAL_NETCARD", 24: "PRINTER", 25: "SCANNER", 26: "SERIAL_MOUSE_PORT", 27: "SERIAL_PORT", 28: "SCREEN", 29: "SOUND", 30: "STREAMS", 31: "TAPE", 32: "TAPE_FILE_SYSTEM", 33: "TRANSPORT", 34: "UNKNOWN", 35: "VIDEO", 36: "VIRTUAL_DISK", 37: "WAVE_IN", 38: "WAVE_OUT", 39: "8042_PORT", 40: "NETWORK_REDIRECTOR", 41: "BATTERY", 42: "BUS_EXTENDER", 43: "MODEM", 44: "VDM", 45: "MASS_STORAGE", 46: "SMB", 47: "KS", 48: "CHANGER", 49: "SMARTCARD", 50: "ACPI", 51: "DVD", 52: "FULLSCREEN_VIDEO", 53: "DFS_FILE_SYSTEM", 54: "DFS_VOLUME", 55: "SERENUM", 56: "TERMSRV", 57: "KSEC",
	}
	oplocks = dissect.Values{
		0: "No oplock", 1: "Level2 oplock", 8: "Exclusive oplock", 9: "Batch oplock", 255: "Lease",
	}
	levels = dissect.Values{
		0: "Anonymous", 1: "Identification", 2: "Impersonation", 3: "Delegation",
	}
	contexts = dissect.Values{
		1: "SMB2_PREAUTH_INTEGRITY_CAPABILITIES", 2: "SMB2_ENCRYPTION_CAPABILITIES", 3: "SMB2_COMPRESSION_CAPABILITIES",
		5: "SMB2_NETNAME_NEGOTIATE_CONTEXT_ID", 6: "SMB2_TRANSPORT_CAPABILITIES", 7: "SMB2_RDMA_TRANSFORM_CAPABILITIES", 8: "SMB2_SIGNING_CAPABILITIES",
		0x100: "SMB2_POSIX_EXTENSIONS_CAPABILITIES",
	}
	ciphers = dissect.Values{
		1: "AES-128-CCM", 2: "AES-128-GCM", 3: "AES-256-CCM", 4: "AES-256-GCM",
	}
	hashes = dissect.Values{
		1: "SHA-512",
	}
	signings = dissect.Values{
		0: "HMAC-SHA256", 1: "AES-CMAC", 2: "AES-GMAC",
	}
	messageTypes = dissect.Values{
		0: "Session message", 129: "Session request", 130: "Positive session response", 131: "Negative session response", 132: "Retarget session response",
		133: "Session keep-alive",
	}
	refusals = dissect.Values{
		128: "Not listening on called name", 129: "Not listening for calling name", 130: "Called name not present",
		131: "Called name present, but insufficient resources", 143: "Unspecified error",
	}
)
