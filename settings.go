package main

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/BurntSushi/toml"

	"remora/dissect"
	"remora/internal/home"
	"remora/ui"
)

// defaultSettings is the file of settings with every setting in it, as --print-config prints it.
//
//go:embed config.toml
var defaultSettings string

// settings are what a person keeps in config.toml. Flags go before them.
type settings struct {
	Theme         string
	ASCII         bool
	Mouse         *bool
	Names         *bool
	Resolve       string
	Time          string
	Columns       []string
	CaptureFilter string            `toml:"capture_filter"`
	DecodeAs      []string          `toml:"decode_as"`
	Keys          map[string]string // a key, and the one it is to do the work of
}

// settingsPath is where the settings are kept.
func settingsPath() (string, error) {
	dir, err := home.Config()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "config.toml"), nil
}

// readSettings reads the settings; without a file there are none. What is wrong with them is said with the line.
func readSettings() (settings, error) {
	var s settings
	path, err := settingsPath()
	if err != nil {
		return s, nil // a user without a home has no settings
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, usage("the settings cannot be read: %v", err)
	}
	md, err := toml.Decode(string(b), &s)
	var at toml.ParseError
	if errors.As(err, &at) {
		return s, usage("%s, line %d: %s", path, at.Position.Line, at.Message)
	}
	if err != nil {
		return s, usage("%s: %v", path, err)
	}
	for _, k := range md.Undecoded() {
		return s, usage("%s: there is no setting called %s; remora --print-config lists them all", path, k)
	}
	return s, nil
}

// take uses the settings where no flag says otherwise.
func (o *options) take(s settings) {
	if o.theme == "" {
		o.theme = s.Theme
	}
	if o.clock == "" {
		o.clock = s.Time
	}
	o.ascii = o.ascii || s.ASCII
	o.noMouse = o.noMouse || s.Mouse != nil && !*s.Mouse
	o.noNames = o.noNames || s.Names != nil && !*s.Names
	o.resolve = s.Resolve
	if o.live.Filter == "" && o.read == "" && len(o.live.Interfaces) > 0 {
		o.live.Filter = s.CaptureFilter
	}
	o.decodeAs = append(append([]string(nil), s.DecodeAs...), o.decodeAs...)
	o.columns, o.keys = s.Columns, s.Keys
}

// checkScreen holds the settings of the screen against what there is.
func (o *options) checkScreen(reg *dissect.Registry) error {
	if err := checkNames("config.toml: resolve =", o.resolve); err != nil {
		return err
	}
	if err := ui.CheckSettings(reg, o.columns, o.keys); err != nil {
		return usage("config.toml: %v", err)
	}
	return nil
}

// settingsText is the file with every setting.
func settingsText() string {
	path, err := settingsPath()
	if err != nil {
		return defaultSettings
	}
	return "# remora's settings: save this as " + path + "\n" + defaultSettings
}
