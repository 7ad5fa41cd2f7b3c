//go:build !cgo

package capture

import "context"

func openLive(context.Context, Options) (*Store, error) { return nil, ErrNoCapture }
