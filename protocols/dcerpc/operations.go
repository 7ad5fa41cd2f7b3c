package dcerpc

import "remora/dissect"

// The operations of the interfaces by their numbers, in the order in which the specifications define them.
var (
	srvsvcOps = dissect.Values{
		0: "NetCharDevEnum", 1: "NetCharDevGetInfo", 2: "NetCharDevControl", 3: "NetCharDevQEnum", 4: "NetCharDevQGetInfo", 5: "NetCharDevQSetInfo",
		6: "NetCharDevQPurge", 7: "NetCharDevQPurgeSelf", 8: "NetConnEnum", 9: "NetFileEnum", 10: "NetFileGetInfo", 11: "NetFileClose", 12: "NetSessEnum",
		13: "NetSessDel", 14: "NetShareAdd", 15: "NetShareEnumAll", 16: "NetShareGetInfo", 17: "NetShareSetInfo", 18: "NetShareDel",
		19: "NetShareDelSticky", 20: "NetShareCheck", 21: "NetSrvGetInfo", 22: "NetSrvSetInfo", 23: "NetDiskEnum", 24: "NetServerStatisticsGet",
		25: "NetTransportAdd", 26: "NetTransportEnum", 27: "NetTransportDel", 28: "NetRemoteTOD", 29: "NetSetServiceBits", 30: "NetPathType",
		31: "NetPathCanonicalize", 32: "NetPathCompare", 33: "NetNameValidate", 34: "NETRPRNAMECANONICALIZE", 35: "NetPRNameCompare", 36: "NetShareEnum",
		37: "NetShareDelStart", 38: "NetShareDelCommit", 39: "NetGetFileSecurity", 40: "NetSetFileSecurity", 41: "NetServerTransportAddEx",
		42: "NetServerSetServiceBitsEx", 43: "NETRDFSGETVERSION", 44: "NETRDFSCREATELOCALPARTITION", 45: "NETRDFSDELETELOCALPARTITION",
		46: "NETRDFSSETLOCALVOLUMESTATE", 47: "NETRDFSSETSERVERINFO", 48: "NETRDFSCREATEEXITPOINT", 49: "NETRDFSDELETEEXITPOINT",
		50: "NETRDFSMODIFYPREFIX", 51: "NETRDFSFIXLOCALVOLUME", 52: "NETRDFSMANAGERREPORTSITEINFO", 53: "NETRSERVERTRANSPORTDELEX",
	}
	wkssvcOps = dissect.Values{
		0: "NetWkstaGetInfo", 1: "NetWkstaSetInfo", 2: "NetWkstaEnumUsers", 3: "NetrWkstaUserGetInfo", 4: "NetrWkstaUserSetInfo",
		5: "NetWkstaTransportEnum", 6: "NetrWkstaTransportAdd", 7: "NetrWkstaTransportDel", 8: "NetrUseAdd", 9: "NetrUseGetInfo", 10: "NetrUseDel",
		11: "NetrUseEnum", 12: "NetrMessageBufferSend", 13: "NetrWorkstationStatisticsGet", 14: "NetrLogonDomainNameAdd", 15: "NetrLogonDomainNameDel",
		16: "NetrJoinDomain", 17: "NetrUnjoinDomain", 18: "NetrRenameMachineInDomain", 19: "NetrValidateName", 20: "NetrGetJoinInformation",
		21: "NetrGetJoinableOus", 22: "NetrJoinDomain2", 23: "NetrUnjoinDomain2", 24: "NetrRenameMachineInDomain2", 25: "NetrValidateName2",
		26: "NetrGetJoinableOus2", 27: "NetrAddAlternateComputerName", 28: "NetrRemoveAlternateComputerName", 29: "NetrSetPrimaryComputername",
		30: "NetrEnumerateComputerNames",
	}
	samrOps = dissect.Values{
		0: "Connect", 1: "Close", 2: "SetSecurity", 3: "QuerySecurity", 4: "Shutdown", 5: "LookupDomain", 6: "EnumDomains", 7: "OpenDomain",
		8: "QueryDomainInfo", 9: "SetDomainInfo", 10: "CreateDomainGroup", 11: "EnumDomainGroups", 12: "CreateUser", 13: "EnumDomainUsers",
		14: "CreateDomAlias", 15: "EnumDomainAliases", 16: "GetAliasMembership", 17: "LookupNames", 18: "LookupRids", 19: "OpenGroup",
		20: "QueryGroupInfo", 21: "SetGroupInfo", 22: "AddGroupMember", 23: "DeleteDomainGroup", 24: "DeleteGroupMember", 25: "QueryGroupMember",
		26: "SetMemberAttributesOfGroup", 27: "OpenAlias", 28: "QueryAliasInfo", 29: "SetAliasInfo", 30: "DeleteDomAlias", 31: "AddAliasMember",
		32: "DeleteAliasMember", 33: "GetMembersInAlias", 34: "OpenUser", 35: "DeleteUser", 36: "QueryUserInfo", 37: "SetUserInfo",
		38: "ChangePasswordUser", 39: "GetGroupsForUser", 40: "QueryDisplayInfo", 41: "GetDisplayEnumerationIndex", 42: "TestPrivateFunctionsDomain",
		43: "TestPrivateFunctionsUser", 44: "GetUserPwInfo", 45: "RemoveMemberFromForeignDomain", 46: "QueryDomainInfo2", 47: "QueryUserInfo2",
		48: "QueryDisplayInfo2", 49: "GetDisplayEnumerationIndex2", 50: "CreateUser2", 51: "QueryDisplayInfo3", 52: "AddMultipleMembersToAlias",
		53: "RemoveMultipleMembersFromAlias", 54: "OemChangePasswordUser2", 55: "ChangePasswordUser2", 56: "GetDomPwInfo", 57: "Connect2",
		58: "SetUserInfo2", 59: "SetBootKeyInformation", 60: "GetBootKeyInformation", 61: "Connect3", 62: "Connect4", 63: "ChangePasswordUser3",
		64: "Connect5", 65: "RidToSid", 66: "SetDsrmPassword", 67: "ValidatePassword",
	}
	lsarpcOps = dissect.Values{
		0: "lsa_Close", 1: "lsa_Delete", 2: "lsa_EnumPrivs", 3: "lsa_QuerySecurity", 4: "lsa_SetSecObj", 5: "lsa_ChangePassword", 6: "lsa_OpenPolicy",
		7: "lsa_QueryInfoPolicy", 8: "lsa_SetInfoPolicy", 9: "lsa_ClearAuditLog", 10: "lsa_CreateAccount", 11: "lsa_EnumAccounts",
		12: "lsa_CreateTrustedDomain", 13: "lsa_EnumTrustDom", 14: "lsa_LookupNames", 15: "lsa_LookupSids", 16: "lsa_CreateSecret", 17: "lsa_OpenAccount",
		18: "lsa_EnumPrivsAccount", 19: "lsa_AddPrivilegesToAccount", 20: "lsa_RemovePrivilegesFromAccount", 21: "lsa_GetQuotasForAccount",
		22: "lsa_SetQuotasForAccount", 23: "lsa_GetSystemAccessAccount", 24: "lsa_SetSystemAccessAccount", 25: "lsa_OpenTrustedDomain",
		26: "lsa_QueryTrustedDomainInfo", 27: "lsa_SetInformationTrustedDomain", 28: "lsa_OpenSecret", 29: "lsa_SetSecret", 30: "lsa_QuerySecret",
		31: "lsa_LookupPrivValue", 32: "lsa_LookupPrivName", 33: "lsa_LookupPrivDisplayName", 34: "lsa_DeleteObject", 35: "lsa_EnumAccountsWithUserRight",
		36: "lsa_EnumAccountRights", 37: "lsa_AddAccountRights", 38: "lsa_RemoveAccountRights", 39: "lsa_QueryTrustedDomainInfoBySid",
		40: "lsa_SetTrustedDomainInfo", 41: "lsa_DeleteTrustedDomain", 42: "lsa_StorePrivateData", 43: "lsa_RetrievePrivateData", 44: "lsa_OpenPolicy2",
		45: "lsa_GetUserName", 46: "lsa_QueryInfoPolicy2", 47: "lsa_SetInfoPolicy2", 48: "lsa_QueryTrustedDomainInfoByName",
		49: "lsa_SetTrustedDomainInfoByName", 50: "lsa_EnumTrustedDomainsEx", 51: "lsa_CreateTrustedDomainEx", 52: "lsa_CloseTrustedDomainEx",
		53: "lsa_QueryDomainInformationPolicy", 54: "lsa_SetDomainInformationPolicy", 55: "lsa_OpenTrustedDomainByName", 56: "lsa_TestCall",
		57: "lsa_LookupSids2", 58: "lsa_LookupNames2", 59: "lsa_CreateTrustedDomainEx2", 60: "lsa_CREDRWRITE", 61: "lsa_CREDRREAD",
		62: "lsa_CREDRENUMERATE", 63: "lsa_CREDRWRITEDOMAINCREDENTIALS", 64: "lsa_CREDRREADDOMAINCREDENTIALS", 65: "lsa_CREDRDELETE",
		66: "lsa_CREDRGETTARGETINFO", 67: "lsa_CREDRPROFILELOADED", 68: "lsa_LookupNames3", 69: "lsa_CREDRGETSESSIONTYPES",
		70: "lsa_LSARREGISTERAUDITEVENT", 71: "lsa_LSARGENAUDITEVENT", 72: "lsa_LSARUNREGISTERAUDITEVENT", 73: "lsa_lsaRQueryForestTrustInformation",
		74: "lsa_LSARSETFORESTTRUSTINFORMATION", 75: "lsa_CREDRRENAME", 76: "lsa_LookupSids3", 77: "lsa_LookupNames4", 78: "lsa_LSAROPENPOLICYSCE",
		79: "lsa_LSARADTREGISTERSECURITYEVENTSOURCE", 80: "lsa_LSARADTUNREGISTERSECURITYEVENTSOURCE", 81: "lsa_LSARADTREPORTSECURITYEVENT",
	}
	netlogonOps = dissect.Values{
		0: "NetrLogonUasLogon", 1: "NetrLogonUasLogoff", 2: "NetrLogonSamLogon", 3: "NetrLogonSamLogoff", 4: "NetrServerReqChallenge",
		5: "NetrServerAuthenticate", 6: "NetrServerPasswordSet", 7: "NetrDatabaseDeltas", 8: "NetrDatabaseSync", 9: "NetrAccountDeltas",
		10: "NetrAccountSync", 11: "NetrGetDCName", 12: "NetrLogonControl", 13: "NetrGetAnyDCName", 14: "NetrLogonControl2", 15: "NetrServerAuthenticate2",
		16: "NetrDatabaseSync2", 17: "NetrDatabaseRedo", 18: "NetrLogonControl2Ex", 19: "NetrEnumerateTrustedDomains", 20: "DsrGetDcName",
		21: "NetrLogonDummyRoutine1", 22: "NetrLogonSetServiceBits", 23: "NetrLogonGetTrustRid", 24: "NetrLogonComputeServerDigest",
		25: "NetrLogonComputeClientDigest", 26: "NetrServerAuthenticate3", 27: "DsrGetDcNameEx", 28: "DsrGetSiteName", 29: "NetrLogonGetDomainInfo",
		30: "NetrServerPasswordSet2", 31: "NetrServerPasswordGet", 32: "NetrLogonSendToSam", 33: "DsrAddressToSiteNamesW", 34: "DsrGetDcNameEx2",
		35: "NetrLogonGetTimeServiceParentDomain", 36: "NetrEnumerateTrustedDomainsEx", 37: "DsrAddressToSiteNamesExW", 38: "DsrGetDcSiteCoverageW",
		39: "NetrLogonSamLogonEx", 40: "DsrEnumerateDomainTrusts", 41: "DsrDeregisterDnsHostRecords", 42: "NetrServerTrustPasswordsGet",
		43: "DsrGetForestTrustInformation", 44: "NetrGetForestTrustInformation", 45: "NetrLogonSamLogonWithFlags", 46: "NetrServerGetTrustInfo",
	}
	winregOps = dissect.Values{
		0: "OpenHKCR", 1: "OpenHKCU", 2: "OpenHKLM", 3: "OpenHKPD", 4: "OpenHKU", 5: "CloseKey", 6: "CreateKey", 7: "DeleteKey", 8: "DeleteValue",
		9: "EnumKey", 10: "EnumValue", 11: "FlushKey", 12: "GetKeySecurity", 13: "LoadKey", 14: "NotifyChangeKeyValue", 15: "OpenKey", 16: "QueryInfoKey",
		17: "QueryValue", 18: "ReplaceKey", 19: "RestoreKey", 20: "SaveKey", 21: "SetKeySecurity", 22: "SetValue", 23: "UnLoadKey",
		24: "InitiateSystemShutdown", 25: "AbortSystemShutdown", 26: "GetVersion", 27: "OpenHKCC", 28: "OpenHKDD", 29: "QueryMultipleValues",
		30: "InitiateSystemShutdownEx", 31: "SaveKeyEx", 32: "OpenHKPT", 33: "OpenHKPN", 34: "QueryMultipleValues2", 35: "DeleteKeyEx",
	}
	svcctlOps = dissect.Values{
		0: "CloseServiceHandle", 1: "ControlService", 2: "DeleteService", 3: "LockServiceDatabase", 4: "QueryServiceObjectSecurity",
		5: "SetServiceObjectSecurity", 6: "QueryServiceStatus", 7: "SetServiceStatus", 8: "UnlockServiceDatabase", 9: "NotifyBootConfigStatus",
		10: "ScSetServiceBitsW", 11: "ChangeServiceConfigW", 12: "CreateServiceW", 13: "EnumDependentServicesW", 14: "EnumServicesStatusW",
		15: "OpenSCManagerW", 16: "OpenServiceW", 17: "QueryServiceConfigW", 18: "QueryServiceLockStatusW", 19: "StartServiceW",
		20: "GetServiceDisplayNameW", 21: "GetServiceKeyNameW", 22: "ScSetServiceBitsA", 23: "ChangeServiceConfigA", 24: "CreateServiceA",
		25: "EnumDependentServicesA", 26: "EnumServicesStatusA", 27: "OpenSCManagerA", 28: "OpenServiceA", 29: "QueryServiceConfigA",
		30: "QueryServiceLockStatusA", 31: "StartServiceA", 32: "GetServiceDisplayNameA", 33: "GetServiceKeyNameA", 34: "ScGetCurrentGroupStateW",
		35: "EnumServiceGroupW", 36: "ChangeServiceConfig2A", 37: "ChangeServiceConfig2W", 38: "QueryServiceConfig2A", 39: "QueryServiceConfig2W",
		40: "QueryServiceStatusEx", 41: "EnumServicesStatusExA", 42: "EnumServicesStatusExW", 43: "ScSendTSMessage",
	}
	drsuapiOps = dissect.Values{
		0: "DsBind", 1: "DsUnbind", 2: "DsReplicaSync", 3: "DsGetNCChanges", 4: "DsReplicaUpdateRefs", 5: "DRSUAPI_REPLICA_ADD", 6: "DRSUAPI_REPLICA_DEL",
		7: "DRSUAPI_REPLICA_MODIFY", 8: "DRSUAPI_VERIFY_NAMES", 9: "DRSUAPI_GET_MEMBERSHIPS", 10: "DRSUAPI_INTER_DOMAIN_MOVE",
		11: "DRSUAPI_GET_NT4_CHANGELOG", 12: "DsCrackNames", 13: "DsWriteAccountSpn", 14: "DRSUAPI_REMOVE_DS_SERVER", 15: "DRSUAPI_REMOVE_DS_DOMAIN",
		16: "DsGetDomainControllerInfo", 17: "DsAddEntry", 18: "DRSUAPI_EXECUTE_KCC", 19: "DsReplicaGetInfo", 20: "DRSUAPI_ADD_SID_HISTORY",
		21: "DRSUAPI_GET_MEMBERSHIPS2", 22: "DRSUAPI_REPLICA_VERIFY_OBJECTS", 23: "DRSUAPI_GET_OBJECT_EXISTENCE", 24: "DRSUAPI_QUERY_SITES_BY_COST",
	}
	spoolssOps = dissect.Values{
		0: "EnumPrinters", 1: "OpenPrinter", 2: "SetJob", 3: "GetJob", 4: "EnumJobs", 5: "AddPrinter", 6: "DeletePrinter", 7: "SetPrinter",
		8: "GetPrinter", 9: "AddPrinterDriver", 10: "EnumPrinterDrivers", 11: "GetPrinterDriver", 12: "GetPrinterDriverDirectory",
		13: "DeletePrinterDriver", 14: "AddPrintProcessor", 15: "EnumPrintProcessor", 16: "GetPrintProcessorDirectory", 17: "StartDocPrinter",
		18: "StartPagePrinter", 19: "WritePrinter", 20: "EndPagePrinter", 21: "AbortPrinter", 22: "ReadPrinter", 23: "EndDocPrinter", 24: "AddJob",
		25: "ScheduleJob", 26: "GetPrinterData", 27: "SetPrinterData", 28: "WaitForPrinterChange", 29: "ClosePrinter", 30: "AddForm", 31: "DeleteForm",
		32: "GetForm", 33: "SetForm", 34: "EnumForms", 35: "EnumPorts", 36: "EnumMonitors", 37: "AddPort", 38: "ConfigurePort", 39: "DeletePort",
		40: "CreatePrinterIC", 41: "PlayDiscriptOnPrinterIC", 42: "DeletePrinterIC", 43: "AddPrinterConnection", 44: "DeletePrinterConnection",
		45: "PrinterMessageBox", 46: "AddMonitor", 47: "DeleteMonitor", 48: "DeletePrintProcessor", 49: "AddPrintProvider", 50: "DeletePrintProvider",
		51: "EnumPrintProcDataTypes", 52: "ResetPrinter", 53: "GetPrinterDriver2", 54: "FindFirstPrinterChangeNotification",
		55: "FindNextPrinterChangeNotification", 56: "FCPN", 57: "RouterFindFirstPrinterNotificationOld", 58: "ReplyOpenPrinter", 59: "RouterReplyPrinter",
		60: "ReplyClosePrinter", 61: "AddPortEx", 62: "RemoteFindFirstPrinterChangeNotification", 63: "SpoolerInit", 64: "ResetPrinterEx", 65: "RFFPCNEX",
		66: "RRPCN", 67: "RFNPCNEX", 69: "OpenPrinterEx", 70: "AddPrinterEx", 72: "EnumPrinterData", 73: "DeletePrinterData", 77: "SetPrinterDataEx",
		78: "GetPrinterDataEx", 79: "EnumPrinterDataEx", 80: "EnumPrinterKey", 81: "DeletePrinterDataEx", 84: "DeletePrinterDriverEx",
		89: "AddPrinterDriverEx", 102: "GetCorePrinterDrivers", 104: "GetPrinterDriverPackagePath",
	}
	epmOps = dissect.Values{
		0: "Insert", 1: "Delete", 2: "Lookup", 3: "Map", 4: "LookupHandleFree", 5: "InqObject", 6: "MgmtDelete",
	}
	mgmtOps = dissect.Values{
		0: "rpc__mgmt_inq_if_ids", 1: "rpc__mgmt_inq_stats", 2: "rpc__mgmt_is_server_listening", 3: "rpc__mgmt_stop_server_listening",
		4: "rpc__mgmt_inq_princ_name",
	}
	atsvcOps = dissect.Values{
		0: "JobAdd", 1: "JobDel", 2: "JobEnum", 3: "JobGetInfo",
	}
	taskschedulerserviceOps = dissect.Values{
		0: "SchRpcHighestVersion", 1: "SchRpcRegisterTask", 2: "SchRpcRetrieveTask", 3: "SchRpcCreateFolder", 4: "SchRpcSetSecurity",
		5: "SchRpcGetSecurity", 6: "SchRpcEnumFolders", 7: "SchRpcEnumTasks", 8: "SchRpcEnumInstances", 9: "SchRpcGetInstanceInfo",
		10: "SchRpcStopInstance", 11: "SchRpcStop", 12: "SchRpcRun", 13: "SchRpcDelete", 14: "SchRpcRename", 15: "SchRpcScheduledRuntimes",
		16: "SchRpcGetLastRunInfo", 17: "SchRpcGetTaskInfo", 18: "SchRpcGetNumberOfMissedRuns", 19: "SchRpcEnableTask",
	}
	eventlogOps = dissect.Values{
		0: "ClearEventLogW", 1: "BackupEventLogW", 2: "CloseEventLog", 3: "DeregisterEventSource", 4: "GetNumRecords", 5: "GetOldestRecord",
		6: "ChangeNotify", 7: "OpenEventLogW", 8: "RegisterEventSourceW", 9: "OpenBackupEventLogW", 10: "ReadEventLogW", 11: "ReportEventW",
		12: "ClearEventLogA", 13: "BackupEventLogA", 14: "OpenEventLogA", 15: "RegisterEventSourceA", 16: "OpenBackupEventLogA", 17: "ReadEventLogA",
		18: "ReportEventA", 19: "RegisterClusterSvc", 20: "DeregisterClusterSvc", 21: "WriteClusterEvents", 22: "GetLogIntormation", 23: "FlushEventLog",
	}
	dssetupOps = dissect.Values{
		0: "DsRoleGetPrimaryDomainInformation", 1: "DsRoleDnsNameToFlatName", 2: "DsRoleDcAsDc", 3: "DsRoleDcAsReplica", 4: "DsRoleDemoteDc",
		5: "DsRoleGetDcOperationProgress", 6: "DsRoleGetDcOperationResults", 7: "DsRoleCancel", 8: "DsRoleServerSaveStateForUpgrade",
		9: "DsRoleUpgradeDownlevelServer", 10: "DsRoleAbortDownlevelServerUpgrade",
	}
	initshutdownOps = dissect.Values{
		0: "Init", 1: "Abort", 2: "InitEx",
	}
	netdfsOps = dissect.Values{
		0: "dfs_GetManagerVersion", 1: "dfs_Add", 2: "dfs_Remove", 3: "dfs_SetInfo", 4: "dfs_GetInfo", 5: "dfs_Enum", 6: "dfs_Rename", 7: "dfs_Move",
		8: "dfs_ManagerGetConfigInfo", 9: "dfs_ManagerSendSiteInfo", 10: "dfs_AddFtRoot", 11: "dfs_RemoveFtRoot", 12: "dfs_AddStdRoot",
		13: "dfs_RemoveStdRoot", 14: "dfs_ManagerInitialize", 15: "dfs_AddStdRootForced", 16: "dfs_GetDcAddress", 17: "dfs_SetDcAddress",
		18: "dfs_FlushFtTable", 19: "dfs_Add2", 20: "dfs_Remove2", 21: "dfs_EnumEx", 22: "dfs_SetInfo2",
	}
	dnsserverOps = dissect.Values{
		0: "DnssrvOperation", 1: "DnssrvQuery", 2: "DnssrvComplexOperation", 3: "DnssrvEnumRecords", 4: "DnssrvUpdateRecord", 5: "DnssrvOperation2",
		6: "DnssrvQuery2", 7: "DnssrvComplexOperation2", 8: "DnssrvEnumRecords2", 9: "DnssrvUpdateRecord2",
	}
	iremotewinspoolOps = dissect.Values{
		0: "winspool_AsyncOpenPrinter", 1: "winspool_AsyncAddPrinter", 2: "winspool_AsyncSetJob", 3: "winspool_AsyncGetJob", 4: "winspool_AsyncEnumJobs",
		5: "winspool_AsyncAddJob", 6: "winspool_AsyncScheduleJob", 7: "winspool_AsyncDeletePrinter", 8: "winspool_AsyncSetPrinter",
		9: "winspool_AsyncGetPrinter", 10: "winspool_AsyncStartDocPrinter", 11: "winspool_AsyncStartPagePrinter", 12: "winspool_AsyncWritePrinter",
		13: "winspool_AsyncEndPagePrinter", 14: "winspool_AsyncEndDocPrinter", 15: "winspool_AsyncAbortPrinter", 16: "winspool_AsyncGetPrinterData",
		17: "winspool_AsyncGetPrinterDataEx", 18: "winspool_AsyncSetPrinterData", 19: "winspool_AsyncSetPrinterDataEx", 20: "winspool_AsyncClosePrinter",
		21: "winspool_AsyncAddForm", 22: "winspool_AsyncDeleteForm", 23: "winspool_AsyncGetForm", 24: "winspool_AsyncSetForm",
		25: "winspool_AsyncEnumForms", 26: "winspool_AsyncGetPrinterDriver", 27: "winspool_AsyncEnumPrinterData", 28: "winspool_AsyncEnumPrinterDataEx",
		29: "winspool_AsyncEnumPrinterKey", 30: "winspool_AsyncDeletePrinterData", 31: "winspool_AsyncDeletePrinterDataEx",
		32: "winspool_AsyncDeletePrinterKey", 33: "winspool_AsyncXcvData", 34: "winspool_AsyncSendRecvBidiData", 35: "winspool_AsyncCreatePrinterIC",
		36: "winspool_AsyncPlayGdiScriptOnPrinterIC", 37: "winspool_AsyncDeletePrinterIC", 38: "winspool_AsyncEnumPrinters",
		39: "winspool_AsyncAddPrinterDriver", 40: "winspool_AsyncEnumPrinterDrivers", 41: "winspool_AsyncGetPrinterDriverDirectory",
		42: "winspool_AsyncDeletePrinterDriver", 43: "winspool_AsyncDeletePrinterDriverEx", 44: "winspool_AsyncAddPrintProcessor",
		45: "winspool_AsyncEnumPrintProcessors", 46: "winspool_AsyncGetPrintProcessorDirectory", 47: "winspool_AsyncEnumPorts",
		48: "winspool_AsyncEnumMonitors", 49: "winspool_AsyncAddPort", 50: "winspool_AsyncSetPort", 51: "winspool_AsyncAddMonitor",
		52: "winspool_AsyncDeleteMonitor", 53: "winspool_AsyncDeletePrintProcessor", 54: "winspool_AsyncEnumPrintProcessorDatatypes",
		55: "winspool_AsyncAddPerMachineConnection", 56: "winspool_AsyncDeletePerMachineConnection", 57: "winspool_AsyncEnumPerMachineConnections",
		58: "winspool_SyncRegisterForRemoteNotifications", 59: "winspool_SyncUnRegisterForRemoteNotifications",
		60: "winspool_SyncRefreshRemoteNotifications", 61: "winspool_AsyncGetRemoteNotifications", 62: "winspool_AsyncInstallPrinterDriverFromPackage",
		63: "winspool_AsyncUploadPrinterDriverPackage", 64: "winspool_AsyncGetCorePrinterDrivers", 65: "winspool_AsyncCorePrinterDriverInstalled",
		66: "winspool_AsyncGetPrinterDriverPackagePath", 67: "winspool_AsyncDeletePrinterDriverPackage", 68: "winspool_AsyncReadPrinter",
		69: "winspool_AsyncResetPrinter", 70: "winspool_AsyncGetJobNamedPropertyValue", 71: "winspool_AsyncSetJobNamedProperty",
		72: "winspool_AsyncDeleteJobNamedProperty", 73: "winspool_AsyncEnumJobNamedProperties", 74: "winspool_AsyncLogJobInfoForBranchOffice",
	}
	efsOps = dissect.Values{
		0: "EfsRpcOpenFileRaw", 1: "EfsRpcReadFileRaw", 2: "EfsRpcWriteFileRaw", 3: "EfsRpcCloseRaw", 4: "EfsRpcEncryptFileSrv", 5: "EfsRpcDecryptFileSrv",
		6: "EfsRpcQueryUsersOnFile", 7: "EfsRpcQueryRecoveryAgents", 8: "EfsRpcRemoveUsersFromFile", 9: "EfsRpcAddUsersToFile",
		10: "EfsRpcSetFileEncryptionKey", 11: "EfsRpcNotSupported", 12: "EfsRpcFileKeyInfo", 13: "EfsRpcDuplicateEncryptionInfoFile",
	}
	oxidOps = dissect.Values{
		0: "ResolveOxid", 1: "SimplePing", 2: "ComplexPing", 3: "ServerAlive", 4: "ResolveOxid2", 5: "ServerAlive2",
	}
	isystemactivatorOps = dissect.Values{
		0: "QueryInterfaceIRemoteSCMActivator", 1: "AddRefIRemoteISCMActivator", 2: "ReleaseIRemoteISCMActivator", 3: "RemoteGetClassObject",
		4: "RemoteCreateInstance",
	}
	remunkOps = dissect.Values{
		0: "QueryInterface", 1: "AddRef", 2: "Release", 3: "RemQueryInterface", 4: "RemAddRef", 5: "RemRelease", 6: "RemQueryInterface2",
	}
	nspiOps = dissect.Values{
		0: "NspiBind", 1: "NspiUnbind", 2: "NspiUpdateStat", 3: "NspiQueryRows", 4: "NspiSeekEntries", 5: "NspiGetMatches", 6: "NspiResortRestriction",
		7: "NspiDNToEph", 8: "NspiGetPropList", 9: "NspiGetProps", 10: "NspiCompareDNTs", 11: "NspiModProps", 12: "NspiGetHierarchyInfo",
		13: "NspiGetTemplateInfo", 14: "NspiModLInkAtt", 15: "NspiDeleteEntries", 16: "NspiQueryColumns", 17: "NspiGetNamesFromIDs",
		18: "NspiGetIDsFromNames", 19: "NspiResolveNames", 20: "NspiResolveNamesW",
	}
	frsrpcOps = dissect.Values{
		0: "FrsSendCommPkt", 1: "FrsVerifyPromotionParent", 2: "FrsStartPromotionParent", 3: "FrsNOP", 4: "FRSRPC_BACKUP_COMPLETE",
		5: "FRSRPC_BACKUP_COMPLETE_5", 6: "FRSRPC_BACKUP_COMPLETE_6", 7: "FRSRPC_BACKUP_COMPLETE_7", 8: "FRSRPC_BACKUP_COMPLETE_8",
		9: "FRSRPC_BACKUP_COMPLETE_9", 10: "FRSRPC_VERIFY_PROMOTION_PARENT_EX",
	}
	frstransOps = dissect.Values{
		0: "CheckConnectivity", 1: "EstablishConnection", 2: "EstablishSession", 3: "RequestUpdates", 4: "RequestVersionVector", 5: "AsyncPoll",
		6: "FRSTRANS_REQUEST_RECORDS", 7: "FRSTRANS_UPDATE_CANCEL", 8: "FRSTRANS_RAW_GET_FILE_DATA", 9: "FRSTRANS_RDC_GET_SIGNATURES",
		10: "FRSTRANS_RDC_PUSH_SOURCE_NEEDS", 11: "FRSTRANS_RDC_GET_FILE_DATA", 12: "FRSTRANS_RDC_CLOSE", 13: "InitializeFileTransferAsync",
		14: "FRSTRANS_OPNUM_0E_NOT_USED_ON_THE_WIRE", 15: "FRSTRANS_RAW_GET_FILE_DATA_ASYNC", 16: "FRSTRANS_RDC_GET_FILE_DATA_ASYNC",
	}
	fsrvpOps = dissect.Values{
		0: "GetSupportedVersion", 1: "SetContext", 2: "StartShadowCopySet", 3: "AddToShadowCopySet", 4: "CommitShadowCopySet", 5: "ExposeShadowCopySet",
		6: "RecoveryCompleteShadowCopySet", 7: "AbortShadowCopySet", 8: "IsPathSupported", 9: "IsPathShadowCopied", 10: "GetShareMapping",
		11: "DeleteShareMapping", 12: "PrepareShadowCopySet",
	}
	witnessOps = dissect.Values{
		0: "GetInterfaceList", 1: "Register", 2: "UnRegister", 3: "AsyncNotify", 4: "RegisterEx",
	}
	mdssvcOps = dissect.Values{
		0: "open", 1: "unknown1", 2: "cmd", 3: "close",
	}
	trksvrOps = dissect.Values{
		0: "LnkSvrMessage",
	}
	messengerOps = dissect.Values{
		0: "NetrSendMessage",
	}
	rpc_browserOps = dissect.Values{
		0: "BrowserrServerEnum", 1: "BrowserrDebugCall", 2: "BrowserrQueryOtherDomains", 3: "BrowserrResetNetlogonState", 4: "BrowserrDebugTrace",
		5: "BrowserrQueryStatistics", 6: "BrowserrResetStatistics", 7: "NetrBrowserStatisticsClear", 8: "NetrBrowserStatisticsGet",
		9: "BrowserrSetNetlogonState", 10: "BrowserrQueryEmulatedDomains", 11: "BrowserrServerEnumEx",
	}
)
