package ui

import (
	"strings"

	"remora/capture/bpf"
	"remora/dissect"
	"remora/internal/capturefilter"
)

// makeCaptureFilter has the next capture take what a display filter wants, the one that is on unless another is given.
func makeCaptureFilter(m *model, text string) {
	if text = strings.TrimSpace(text); text == "" {
		text = (viewContext{m}).Scope().FilterText()
	}
	if text == "" {
		m.foot.Notice = "no display filter is on; :capture-filter FILTER takes one"
		return
	}
	reg := m.cfg.Registry
	made, err := capturefilter.Of(text, func(name string) (tcp, udp []uint32) {
		return reg.Ports(name, dissect.TableTCP), reg.Ports(name, dissect.TableUDP)
	})
	if err == nil && made.Text != "" {
		if _, err = bpf.Compile(1, 0, made.Text); !bpf.CanCompile(err) {
			err = nil
		}
	}
	switch {
	case err != nil:
		m.foot.Notice = err.Error()
		return
	case made.Text == "":
		m.foot.Notice = "capture filters cannot say that: " + dissect.Escape(strings.Join(made.LeftOut, ", "))
		return
	}
	m.cfg.Capture.Filter = made.Text
	says := "Capture filter: " + made.Text
	if len(made.Guessed) > 0 {
		says += "; " + strings.Join(made.Guessed, ", ") + " by the usual ports"
	}
	if len(made.LeftOut) > 0 {
		says += "; left out: " + dissect.Escape(strings.Join(made.LeftOut, ", "))
	}
	m.foot.Notice = says + "; " + m.nextCapture()
}
