package cli

import (
	"context"

	"github.com/spf13/cobra"

	"remora/capture"
	"remora/capture/pcapfile"
	"remora/fixtures"
	"remora/internal/broker"
)

// demoCommand plays the bundled capture at its own pace, as if it came from an interface. It needs no privilege.
func demoCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Play the bundled capture as if it were live",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.paced = cmd.Flags().Changed("play")
			return o.demo(cmd.Context())
		},
	}
}

// demo takes the flags that say what to show, and none that say where packets come from.
func (o *options) demo(ctx context.Context) error {
	reg, err := registry()
	if err != nil {
		return err
	}
	if len(o.reads) > 0 || len(o.live.Interfaces) > 0 || o.tail {
		return usage("demo plays the capture that comes with remora: leave -r, -i and --tail away")
	}
	if err := o.validateForm(); err != nil {
		return err
	}
	typed := *o
	files, err := o.useSettings(reg)
	if err != nil {
		return err
	}
	o.reads = []string{"demo"} // so that standard input is left alone
	if err := o.settle(nil); err != nil {
		return err
	}
	j, err := o.newJob(reg)
	if err != nil {
		return err
	}
	opt := o.live
	if opt.Pace == 0 {
		opt.Pace = 1
	}
	if !o.headless() {
		if err := broker.Start(o.bounds()); err != nil {
			return err
		}
	}
	store, err := openDemo(ctx, opt)
	if err != nil {
		return err
	}
	if !o.headless() {
		if err := j.forScreen(typed, files); err != nil {
			return err
		}
		return o.show(ctx, j, store)
	}
	defer store.Close()
	if err := o.confine(store); err != nil {
		return err
	}
	if err := o.print(ctx, j, store, false); err != nil {
		return err
	}
	return reportEnd(store, false, o.seat.silent)
}

// openDemo opens the bundled capture.
func openDemo(ctx context.Context, opt capture.Options) (*capture.Store, error) {
	packets, err := fixtures.Demo()
	if err != nil {
		return nil, err
	}
	return pcapfile.OpenBytes(context.WithoutCancel(ctx), "demo", packets, opt)
}
