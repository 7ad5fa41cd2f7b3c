package stp

import "remora/dissect"

// The fields of multiple trees have names of their own in Wireshark.
var mst = dissect.NewProtocol("mstp", "MSTP", "Multiple Spanning Tree Protocol: trees of several sets of VLANs.")

var (
	mLen      = mst.Uint16("version_3_length", "Version 3 Length", "Length of the part about multiple trees in bytes.")
	mGroup    = mst.Group("extension", "MST Extension", "The trees of several sets of VLANs.")
	mSelector = mst.Uint8("config_format_selector", "MST Config ID format selector", "Always 0.")
	mName     = mst.String("config_name", "MST Config name", "Name of the region.")
	mRevision = mst.Uint16("config_revision_level", "MST Config revision", "Revision of the region's configuration.")
	mDigest   = mst.Bytes("config_digest", "MST Config digest", "Digest of the table of VLANs and instances (HMAC-MD5).")
	mCost     = mst.Uint32("cist_internal_root_path_cost", "CIST Internal Root Path Cost",
		"Cost of the path within the region.")
	mBridge = mst.Group("cist_bridge", "CIST Bridge Identifier", "The sender.").
		Summary("{cist_bridge.prio:raw} / {cist_bridge.ext:raw} / {cist_bridge.hw}")
	mPrio = mst.Uint16("cist_bridge.prio", "CIST Bridge Priority", "Priority of the sender.")
	mExt  = mst.Uint16("cist_bridge.ext", "CIST Bridge Identifier System ID Extension",
		"Extension of the sender's priority.")
	mHW       = mst.Ether("cist_bridge.hw", "CIST Bridge Identifier System ID", "Address of the sender.")
	mHops     = mst.Uint8("cist_remaining_hops", "CIST Remaining hops", "Bridges that the message may still pass.")
	mInstance = mst.Group("msti", "MSTI", "One tree.").
			Summary("Regional Root {msti.root.prio:raw} / {msti.root.ext:raw} / {msti.root.hw}")
	mFlags = mst.Uint8("msti.flags", "MSTI flags", "State of the port in this tree.").Hex()
	mRoot  = mst.Group("msti.root", "MSTI Regional Root", "Root of this tree in the region.").
		Summary("{msti.root.prio:raw} / {msti.root.ext:raw} / {msti.root.hw}")
	mRootPrio = mst.Uint16("msti.root.prio", "Priority", "Priority of the root.")
	mRootExt  = mst.Uint16("msti.root.ext", "MSTID", "Number of the tree.")
	mRootHW   = mst.Ether("msti.root.hw", "Regional Root", "Address of the root.")
	mRootCost = mst.Uint32("msti.root_cost", "Internal root path cost", "Cost of the path to the root.")
	mBridgePr = mst.Uint8("msti.bridge_priority", "Bridge Identifier Priority", "Priority of the sender in this tree.").
			Masked(0xf0)
	mPortPrio = mst.Uint8("msti.port_priority", "Port identifier priority", "Priority of the port in this tree.").
			Masked(0xf0)
	mRemain = mst.Uint8("msti.remaining_hops", "Remaining hops", "Bridges that the message may still pass.")
)

// Multiple declares the fields of multiple trees; their bytes are read with the rest.
func Multiple() dissect.Plugin {
	return dissect.Plugin{Protocol: mst, Dissect: func(d *dissect.D) { d.Reject() }}
}

// One tree takes 16 bytes (IEEE 802.1Q section 14.4.1); the part in front of the trees 64.
const (
	headLength     = 64
	instanceLength = 16
)

func multiple(d *dissect.D) {
	length := int(d.Uint(mLen))
	if d.Short() || length < headLength {
		return
	}
	d.Within(length, func() {
		d.In(mGroup, func() {
			d.Uint(mSelector)
			d.Padded(mName, 32)
			d.Uint(mRevision)
			d.Bytes(mDigest, 16)
			d.Uint(mCost)
			identifier(d, mBridge, mPrio, mExt, mHW)
			d.Uint(mHops)
			for more := d.Elements(); d.Left() >= instanceLength && more.Next(); {
				d.In(mInstance, func() {
					d.Uint(mFlags)
					identifier(d, mRoot, mRootPrio, mRootExt, mRootHW)
					d.Uint(mRootCost)
					d.Uint(mBridgePr)
					d.Uint(mPortPrio)
					d.Uint(mRemain)
				})
			}
		})
	})
}
