package main

import (
	"context"
	_ "embed"

	"github.com/spf13/cobra"

	"remora/capture"
)

// demoCapture is the capture that comes with the program.
//
//go:embed fixtures/demo.pcapng
var demoCapture []byte

// demoCommand plays the bundled capture at its own pace, as if it came from an interface. It needs no privilege.
func demoCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Play the bundled capture as if it were live",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			reg, err := registry()
			if err != nil {
				return err
			}
			if err := o.settle(nil); err != nil {
				return err
			}
			ctx := cmd.Context()
			store, err := capture.OpenBytes(context.WithoutCancel(ctx), "demo", demoCapture, capture.Options{Pace: 1})
			if err != nil {
				return err
			}
			if !o.headless() {
				return o.show(ctx, reg, store, nil)
			}
			defer store.Close()
			s, err := newSession(reg, store, nil)
			if err != nil {
				return err
			}
			return o.runHeadless(ctx, s, nil, false)
		},
	}
}
