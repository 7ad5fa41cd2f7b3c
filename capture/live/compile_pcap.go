//go:build cgo || !linux

package live

import (
	"remora/capture"
	"remora/internal/broker"
)

// compile leaves filters to the library that captures.
func compile(capture.Options) ([]program, error) { return nil, nil }

// compilers are what the broker does to compile filters: nothing.
func compilers() []broker.Service { return nil }
