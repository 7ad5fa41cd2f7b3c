package tap

import "testing"

func TestItemsFindBursts(t *testing.T) {
	it := &Item{}
	for _, ms := range []int64{0, 10, 20, 500, 510, 520, 530, 2000} {
		it.AddValue(ms*1e6, 0, float64(ms))
	}
	if it.Count != 8 || it.Burst != 4 || it.BurstStart != 500e6 || it.Min != 0 || it.Max != 2000 {
		t.Errorf("%+v", it)
	}
}
