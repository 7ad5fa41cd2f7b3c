//go:build !cgo

package capture

func startEngine(Options) (*engine, error) { return nil, ErrNoCapture }
