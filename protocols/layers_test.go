package protocols

import (
	"testing"

	"remora/dissect/dissecttest"
)

// FuzzLayers gives every protocol any bytes where the recorded captures have one of its layers.
func FuzzLayers(f *testing.F) { dissecttest.FuzzLayers(f, All(), everyCapture(f)...) }
