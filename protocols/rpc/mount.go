package rpc

import "remora/dissect"

var mount = dissect.NewProtocol("mount", "MOUNT", "Mount protocol: which folders a file server gives to whom.").
	Summary("Mount Service").Color(dissect.HueYellow).SharesFields(nfs, proto)

var (
	mProc1  = mount.Uint32("procedure_v1", "V1 Procedure", "What is asked.").Named(mount3).Derived()
	mProc2  = mount.Uint32("procedure_v2", "V2 Procedure", "What is asked.").Named(mount3).Derived()
	mProc3  = mount.Uint32("procedure_v3", "V3 Procedure", "What is asked.").Named(mount3).Derived()
	mPath   = mount.String("path", "Path", "The folder.")
	mStatus = mount.Uint32("status", "Status", "How it went.").Named(mountStatus)
	mEntry  = mount.Node("dump.entry", "Mount List Entry", "Who has mounted what.").
		Summary("Mount List Entry: {mount.dump.hostname}:{mount.dump.directory}")
	mHost   = mount.String("dump.hostname", "Hostname", "Who.")
	mDir    = mount.String("dump.directory", "Directory", "What.")
	mExport = mount.Node("export.entry", "Export List Entry", "What may be mounted.").
		Summary("Export List Entry: {mount.export.directory}")
	mExpDir = mount.String("export.directory", "Directory", "The folder.")
	mGroups = mount.Node("export.groups", "Groups", "Who may.")
	mGroup  = mount.String("export.group", "Group", "One who may.")
	mCount  = mount.Uint32("flavors", "Flavors", "How many ways to say who one is.")
	mFlavor = mount.Uint32("flavor", "Flavor", "One of them.").Named(flavors)
	mRest   = mount.Bytes("data", "Data", "Bytes of an unknown form.")
)

var mountKinds = map[uint32]*dissect.Field{1: mProc1, 2: mProc2, 3: mProc3}

var mountArgs = map[uint32]routine{1: mountPath, 3: mountPath}

var mount3Results = map[uint32]routine{1: mounted, 2: mounts, 5: exports}

var mount1Results = map[uint32]routine{
	1: func(d *dissect.D) {
		if d.Uint(mStatus) == 0 {
			d.In(nHandle, func() { handleBytes(d, 32) })
		} else {
			d.Info().Set(" Error:{mount.status:name}")
		}
	}, 2: mounts, 5: exports,
}

func mountPath(d *dissect.D) {
	if path := opaque(d, fTextLen, mPath); d.Info().Wanted() {
		d.Info().Setf(" %s", path)
	}
}

func mounted(d *dissect.D) {
	if d.Uint(mStatus) != 0 {
		d.Info().Set(" Error:{mount.status:name}")
		return
	}
	handle(d)
	for n, more := d.Uint(mCount), d.Elements(); n > 0 && more.Next(); n-- {
		d.Uint(mFlavor)
	}
}

func mounts(d *dissect.D) {
	list(d, fMore, mEntry, func(d *dissect.D) {
		opaque(d, fTextLen, mHost)
		opaque(d, fTextLen, mDir)
	})
}

func exports(d *dissect.D) {
	list(d, fMore, mExport, func(d *dissect.D) {
		opaque(d, fTextLen, mExpDir)
		list(d, fMore, mGroups, func(d *dissect.D) { opaque(d, fTextLen, mGroup) })
	})
}
