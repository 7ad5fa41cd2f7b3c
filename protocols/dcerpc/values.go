package dcerpc

import "remora/dissect"

// Names of numbers (C706 chapters 12 and 13, MS-RPCE section 2.2).
var (
	packetTypes = dissect.Values{
		0: "Request", 1: "Ping", 2: "Response", 3: "Fault", 4: "Working", 5: "Nocall", 6: "Reject", 7: "Ack", 8: "Cl_cancel",
		9: "Fack", 10: "Cancel_ack",
		11: "Bind", 12: "Bind_ack", 13: "Bind_nak", 14: "Alter_context", 15: "Alter_context_resp", 16: "AUTH3",
		17: "Shutdown", 18: "Co_cancel",
		19: "Orphaned", 20: "RPC-over-HTTP RTS",
	}
	byteOrders = dissect.Values{
		0: "Big-endian", 1: "Little-endian",
	}
	ackResults = dissect.Values{
		0: "Acceptance", 1: "User rejection", 2: "Provider rejection", 3: "Negotiate ACK",
	}
	ackReasons = dissect.Values{
		0: "Reason not specified", 1: "Abstract syntax not supported", 2: "Proposed transfer syntaxes not supported",
		3: "Local limit exceeded",
	}
	rejectReasons = dissect.Values{
		0: "Reason not specified", 1: "Temporary congestion", 2: "Local limit exceeded", 3: "Called paddr unknown",
		4: "Protocol version not supported",
		5: "Default context not supported", 6: "User data not readable", 7: "No PSAP available",
		8: "Authentication type not recognized",
		9: "Invalid checksum",
	}
	statuses = dissect.Values{
		0x00000000: "Stub-defined exception", 0x00000001: "nca_s_fault_other", 0x00000005: "nca_s_fault_access_denied",
		0x000006f7: "nca_s_fault_ndr",
		0x000006d8: "nca_s_fault_cant_perform", 0x00000721: "nca_s_fault_sec_pkg_error",
		0x1c000001: "nca_s_fault_int_div_by_zero",
		0x1c000002: "nca_s_fault_addr_error", 0x1c000003: "nca_s_fault_fp_div_zero", 0x1c000004: "nca_s_fault_fp_underflow",
		0x1c000005: "nca_s_fault_fp_overflow", 0x1c000006: "nca_s_fault_invalid_tag", 0x1c000007: "nca_s_fault_invalid_bound",
		0x1c000008: "nca_rpc_version_mismatch", 0x1c000009: "nca_unspec_reject", 0x1c00000a: "nca_s_bad_actid",
		0x1c00000b: "nca_who_are_you_failed",
		0x1c00000c: "nca_manager_not_entered", 0x1c00000d: "nca_s_fault_cancel", 0x1c00000e: "nca_s_fault_ill_inst",
		0x1c00000f: "nca_s_fault_fp_error",
		0x1c000010: "nca_s_fault_int_overflow", 0x1c000014: "nca_s_fault_pipe_empty", 0x1c000015: "nca_s_fault_pipe_closed",
		0x1c000016: "nca_s_fault_pipe_order", 0x1c000017: "nca_s_fault_pipe_discipline",
		0x1c000018: "nca_s_fault_pipe_comm_error",
		0x1c000019: "nca_s_fault_pipe_memory", 0x1c00001a: "nca_s_fault_context_mismatch",
		0x1c00001b: "nca_s_fault_remote_no_memory",
		0x1c00001c: "nca_invalid_pres_context_id", 0x1c00001d: "nca_unsupported_authn_level",
		0x1c00001f: "nca_invalid_checksum",
		0x1c000020: "nca_invalid_crc", 0x1c000021: "ncs_s_fault_user_defined", 0x1c000022: "nca_s_fault_tx_open_failed",
		0x1c000023: "nca_s_fault_codeset_conv_error", 0x1c000024: "nca_s_fault_object_not_found",
		0x1c000025: "nca_s_fault_no_client_stub",
		0x1c010002: "nca_op_rng_error", 0x1c010003: "nca_unk_if", 0x1c010006: "nca_wrong_boot_time",
		0x1c010009: "nca_s_you_crashed",
		0x1c01000b: "nca_proto_error", 0x1c010013: "nca_out_args_too_big", 0x1c010014: "nca_server_too_busy",
		0x1c010017: "nca_unsupported_type",
		0x80004001: "E_NOTIMPL", 0x80004003: "E_POINTER", 0x80004004: "E_ABORT", 0x8000ffff: "E_UNEXPECTED",
		0x80010105: "RPC_E_SERVERFAULT",
		0x80010108: "RPC_E_DISCONNECTED", 0x80010113: "RPC_E_INVALID_IPID", 0x8001011f: "RPC_E_TIMEOUT",
		0x80020003: "DISP_E_MEMBERNOTFOUND",
		0x80020006: "DISP_E_UNKNOWNNAME", 0x8002000e: "DISP_E_BADPARAMCOUNT", 0x8007000e: "E_OUTOFMEMORY",
		0x80070057: "E_INVALIDARG",
		0x800706d1: "RPC_S_PROCNUM_OUT_OF_RANGE", 0x80070776: "OR_INVALID_OXID",
	}
	authTypes = dissect.Values{
		0: "None", 1: "Kerberos 5", 9: "SPNEGO", 10: "NTLMSSP", 14: "SCHANNEL SSP", 16: "Kerberos SSP",
		17: "Distributed Password Authentication SSP",
		18: "MSN SSP", 21: "Digest SSP", 68: "NETLOGON Secure Channel", 100: "MSMQ SSP",
	}
	authLevels = dissect.Values{
		1: "None", 2: "Connect", 3: "Call", 4: "Packet", 5: "Packet integrity", 6: "Packet privacy",
	}
)
