package data_test

import (
	"testing"

	"remora/dissect"
	"remora/dissect/dissecttest"
	"remora/protocols/data"
	"remora/protocols/frame"
)

func plugins() []dissect.Plugin {
	return []dissect.Plugin{frame.Plugin(), data.Plugin()}
}

type row = dissecttest.Row

func TestData(t *testing.T) {
	dissecttest.Check(t, dissecttest.Session(t, plugins(), 1, dissecttest.Packets([]byte("hi"), nil)), []row{
		{1, "data.data", "6869"}, {1, "data.len", "2"}, {2, "data.data", ""},
	})
}

func TestStandard(t *testing.T) { dissecttest.RunMade(t, plugins(), 1, []byte("hi"), nil, []byte{0}) }
