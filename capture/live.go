package capture

import (
	"context"
	"errors"
)

// ErrNoCapture says that this build has no libpcap.
var ErrNoCapture = errors.New("this build cannot capture (built without cgo/libpcap)")

// OpenLive captures from interfaces until ctx ends, a stop rule holds or the interfaces are gone. All of them are
// open when it returns, so privileges can be given up then.
//
// It fails with a [*PermissionError], [*InterfaceError] or [*FilterError] where one of these is the reason.
func OpenLive(ctx context.Context, opt Options) (*Store, error) { return openLive(ctx, opt) }
