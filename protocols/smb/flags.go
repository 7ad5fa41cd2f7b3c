package smb

import "remora/dissect"

// Sets of flags. Some have the names that version 1 has for them, as in Wireshark.
var (
	fAccess = old.FlagsUnder("access", "access_mask", "Access Mask", 4, []dissect.Flag{
		{Name: "read", Label: "Read", Mask: 0x1, Doc: "Read it, or list the folder."},
		{Name: "write", Label: "Write", Mask: 0x2, Doc: "Write it, or make files in the folder."},
		{Name: "append", Label: "Append", Mask: 0x4, Doc: "Write at its end, or make folders in it."},
		{Name: "read_ea", Label: "Read EA", Mask: 0x8, Doc: "Read its own attributes."},
		{Name: "write_ea", Label: "Write EA", Mask: 0x10, Doc: "Write its own attributes."},
		{Name: "execute", Label: "Execute", Mask: 0x20, Doc: "Run it, or go through the folder."},
		{Name: "delete_child", Label: "Delete Child", Mask: 0x40, Doc: "Delete what is in the folder."},
		{Name: "read_attributes", Label: "Read Attributes", Mask: 0x80, Doc: "Read what is known of it."},
		{Name: "write_attributes", Label: "Write Attributes", Mask: 0x100, Doc: "Change what is known of it."},
		{Name: "delete", Label: "Delete", Mask: 0x10000, Doc: "Delete it."},
		{Name: "read_control", Label: "Read Control", Mask: 0x20000, Doc: "Read who may do what."},
		{Name: "write_dac", Label: "Write DAC", Mask: 0x40000, Doc: "Change who may do what."},
		{Name: "write_owner", Label: "Write Owner", Mask: 0x80000, Doc: "Change whom it belongs to."},
		{Name: "synchronize", Label: "Synchronize", Mask: 0x100000, Doc: "Wait for it."},
		{Name: "system_security", Label: "System Security", Mask: 0x1000000,
			Doc: "Read and change what is recorded of its use."},
		{Name: "maximum_allowed", Label: "Maximum Allowed", Mask: 0x2000000, Doc: "As much as the user may."},
		{Name: "generic_all", Label: "Generic All", Mask: 0x10000000, Doc: "Everything."},
		{Name: "generic_execute", Label: "Generic Execute", Mask: 0x20000000, Doc: "Whatever running takes."},
		{Name: "generic_write", Label: "Generic Write", Mask: 0x40000000, Doc: "Whatever writing takes."},
		{Name: "generic_read", Label: "Generic Read", Mask: 0x80000000, Doc: "Whatever reading takes."},
	}, "What a file is opened for, or may be.")
	fSharing = old.FlagsUnder("share.access", "share_access", "Share Access", 4, []dissect.Flag{
		{Name: "read", Label: "Read", Mask: 0x1, Doc: "Others may read it meanwhile."},
		{Name: "write", Label: "Write", Mask: 0x2, Doc: "Others may write it meanwhile."},
		{Name: "delete", Label: "Delete", Mask: 0x4, Doc: "Others may delete it meanwhile."},
	}, "What others may do meanwhile.")
	fOptions = old.FlagsUnder("nt.create_options", "create_options", "Create Options", 4, []dissect.Flag{
		{Name: "directory", Label: "Directory", Mask: 0x1, Doc: "It must be a folder."},
		{Name: "write_through", Label: "Write Through", Mask: 0x2, Doc: "What is written goes to the disk at once."},
		{Name: "sequential_only", Label: "Sequential Only", Mask: 0x4, Doc: "It is read from front to back."},
		{Name: "intermediate_buffering", Label: "Intermediate Buffering", Mask: 0x8,
			Doc: "The server keeps nothing of it in memory."},
		{Name: "sync_io_alert", Label: "Sync I/O Alert", Mask: 0x10, Doc: "Reading and writing waits, and can be woken."},
		{Name: "sync_io_nonalert", Label: "Sync I/O Nonalert", Mask: 0x20, Doc: "Reading and writing waits."},
		{Name: "non_directory", Label: "Non-Directory", Mask: 0x40, Doc: "It must not be a folder."},
		{Name: "create_tree_connection", Label: "Create Tree Connection", Mask: 0x80, Doc: "Connect to its share, too."},
		{Name: "complete_if_oplocked", Label: "Complete If Oplocked", Mask: 0x100,
			Doc: "Do not wait for others to give it up."},
		{Name: "no_ea_knowledge", Label: "No EA Knowledge", Mask: 0x200,
			Doc: "The client knows nothing of its own attributes."},
		{Name: "eight_dot_three_only", Label: "8.3 Only", Mask: 0x400, Doc: "The client knows short names alone."},
		{Name: "random_access", Label: "Random Access", Mask: 0x800, Doc: "It is read here and there."},
		{Name: "delete_on_close", Label: "Delete On Close", Mask: 0x1000, Doc: "It goes away when it is closed."},
		{Name: "open_by_fileid", Label: "Open By FileID", Mask: 0x2000, Doc: "The name is a number."},
		{Name: "backup_intent", Label: "Backup Intent", Mask: 0x4000, Doc: "It is opened to be saved."},
		{Name: "no_compression", Label: "No Compression", Mask: 0x8000, Doc: "It must not be packed."},
		{Name: "reserve_opfilter", Label: "Reserve Opfilter", Mask: 0x100000,
			Doc: "Keep others out until the client may keep it to itself."},
		{Name: "open_reparse_point", Label: "Open Reparse Point", Mask: 0x200000,
			Doc: "Open what stands for something else, not what it stands for."},
		{Name: "open_no_recall", Label: "Open No Recall", Mask: 0x400000, Doc: "Do not fetch it from where it was put away."},
		{Name: "open_for_free_space_query", Label: "Open For Free Space query", Mask: 0x800000,
			Doc: "It is opened to see how much room there is."},
	}, "How it is to be used.")
	fAttrs = proto.FlagsUnder("file_attribute", "file_attribute", "File Attributes", 4, []dissect.Flag{
		{Name: "read_only", Label: "Read Only", Mask: 0x1, Doc: "It cannot be written."},
		{Name: "hidden", Label: "Hidden", Mask: 0x2, Doc: "It is not listed."},
		{Name: "system", Label: "System", Mask: 0x4, Doc: "It belongs to the system."},
		{Name: "directory", Label: "Directory", Mask: 0x10, Doc: "It is a folder."},
		{Name: "archive", Label: "Requires archived", Mask: 0x20, Doc: "It was changed since it was saved."},
		{Name: "normal", Label: "Normal", Mask: 0x80, Doc: "It is a file like others."},
		{Name: "temporary", Label: "Temporary", Mask: 0x100, Doc: "It will not be kept."},
		{Name: "sparse", Label: "Sparse", Mask: 0x200, Doc: "It has holes."},
		{Name: "reparse", Label: "Reparse Point", Mask: 0x400, Doc: "It stands for something else."},
		{Name: "compressed", Label: "Compressed", Mask: 0x800, Doc: "It is packed."},
		{Name: "offline", Label: "Offline", Mask: 0x1000, Doc: "Its data are elsewhere."},
		{Name: "not_content_indexed", Label: "Not Content Indexed", Mask: 0x2000, Doc: "Searches leave it out."},
		{Name: "encrypted", Label: "Encrypted", Mask: 0x4000, Doc: "It is encrypted."},
		{Name: "integrity_stream", Label: "Integrity Stream", Mask: 0x8000, Doc: "Its data have checksums."},
		{Name: "no_scrub_data", Label: "No Scrub Data", Mask: 0x20000, Doc: "Nobody checks the checksums meanwhile."},
	}, "What sort of file it is.")
	fShFlags = proto.FlagsUnder("share_flags", "share_flags", "Share flags", 4, []dissect.Flag{
		{Name: "dfs", Label: "DFS", Mask: 0x1, Doc: "It is a part of a distributed file system."},
		{Name: "dfs_root", Label: "DFS root", Mask: 0x2, Doc: "It is the root of one."},
		{Name: "restrict_exclusive_opens", Label: "Restrict exclusive opens", Mask: 0x100,
			Doc: "Nobody may keep others out."},
		{Name: "force_shared_delete", Label: "Force shared delete", Mask: 0x200, Doc: "Others may always delete."},
		{Name: "allow_namespace_caching", Label: "Allow namespace caching", Mask: 0x400,
			Doc: "Clients may keep lists of names."},
		{Name: "access_based_dir_enum", Label: "Access based directory enum", Mask: 0x800,
			Doc: "Users see what they may open alone."},
		{Name: "force_levelii_oplock", Label: "Force level II oplock", Mask: 0x1000,
			Doc: "Clients may keep what they read alone."},
		{Name: "enable_hash_v1", Label: "Enable hash V1", Mask: 0x2000, Doc: "There are hashes of the files."},
		{Name: "enable_hash_v2", Label: "Enable hash V2", Mask: 0x4000, Doc: "There are hashes of the newer kind."},
		{Name: "encrypt_data", Label: "Encrypted data required", Mask: 0x8000, Doc: "Messages must be encrypted."},
		{Name: "identity_remoting", Label: "Identity Remoting", Mask: 0x40000, Doc: "Clients may act for other users."},
		{Name: "compress_data", Label: "Compressed IO", Mask: 0x100000, Doc: "Messages may be packed."},
	}, "How it is shared.")
	fShCaps = proto.FlagsUnder("share_caps", "share_caps", "Share Capabilities", 4, []dissect.Flag{
		{Name: "dfs", Label: "DFS", Mask: 0x8, Doc: "It is a part of a distributed file system."},
		{Name: "continuous_availability", Label: "CONTINUOUS AVAILABILITY", Mask: 0x10,
			Doc: "Files stay open when a server fails."},
		{Name: "scaleout", Label: "SCALEOUT", Mask: 0x20, Doc: "Several servers have it."},
		{Name: "cluster", Label: "CLUSTER", Mask: 0x40, Doc: "It belongs to a cluster."},
		{Name: "assymetric", Label: "ASSYMETRIC", Mask: 0x80, Doc: "It can move from server to server."}, //nolint:misspell // Wireshark spells it so
		{Name: "redirect_to_owner", Label: "REDIRECT_TO_OWNER", Mask: 0x100, Doc: "The server can send clients to another."},
	}, "What the share can do.")
	fTCFlags = proto.FlagsUnder("tc", "tc.flags", "Flags", 2, []dissect.Flag{
		{Name: "cluster_reconnect", Label: "Cluster Reconnect", Mask: 0x1,
			Doc: "The client was connected to another server of the cluster."},
		{Name: "redirect_to_owner", Label: "Redirect To Owner", Mask: 0x2, Doc: "The client can go to another server."},
		{Name: "extension_present", Label: "Extension Present", Mask: 0x4, Doc: "More follows."},
	}, "How to connect.")
	fSessFl = proto.FlagsUnder("ses_flags", "session_flags", "Session Flags", 2, []dissect.Flag{
		{Name: "guest", Label: "Guest", Mask: 0x1, Doc: "The user is a guest."},
		{Name: "null", Label: "Null", Mask: 0x2, Doc: "The user is nobody."},
		{Name: "encrypt", Label: "Encrypt", Mask: 0x4, Doc: "Messages must be encrypted."},
	}, "What the session is.")
	fReqFlags = proto.FlagsUnder("ses_req_flags", "ses_req_flags", "Flags", 1, []dissect.Flag{
		{Name: "session_binding", Label: "Session Binding Request", Mask: 0x1,
			Doc: "The session is one of another connection."},
	}, "Whether the session is one of another connection.").Dec()
	fFindFl = proto.FlagsUnder("find", "find.flags", "Find Flags", 1, []dissect.Flag{
		{Name: "restart_scans", Label: "Restart Scans", Mask: 0x1, Doc: "Begin anew."},
		{Name: "single_entry", Label: "Single Entry", Mask: 0x2, Doc: "Tell of one file alone."},
		{Name: "index_specified", Label: "Index Specified", Mask: 0x4, Doc: "Begin at a place."},
		{Name: "reopen", Label: "Reopen", Mask: 0x10, Doc: "Begin anew with another pattern."},
	}, "How to search.")
	fIoctlFl = proto.FlagsUnder("ioctl", "ioctl.flags", "Flags", 4, []dissect.Flag{
		{Name: "is_fsctl", Label: "Is FSCTL", Mask: 0x1, Doc: "The function is one of files."},
	}, "Whether the function is one of files.")
	fRepFlags = proto.FlagsUnder("create.rep_flags", "create.rep_flags", "Response Flags", 1, []dissect.Flag{
		{Name: "reparse_point", Label: "ReparsePoint", Mask: 0x1, Doc: "It stands for something else."},
	}, "Whether it stands for something else.")
	fCloseFl = proto.FlagsUnder("close", "close.flags", "Close Flags", 2, []dissect.Flag{
		{Name: "pq_attrib", Label: "PostQuery Attrib", Mask: 0x1, Doc: "Tell what is known of the file."},
	}, "Whether to tell what is known of the file.")
	fTFlags = proto.FlagsUnder("header.transform.flags", "header.transform.flags", "Flags", 2, []dissect.Flag{
		{Name: "encrypted", Label: "Encrypted", Mask: 0x1, Doc: "The messages are encrypted."},
	}, "Whether the messages are encrypted.")
)
