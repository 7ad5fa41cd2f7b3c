package archtest

import (
	"reflect"
	"testing"

	"remora/dissect"
)

// mostMethods bounds what a plugin's author has to look through. What serves a topic goes to a handle, such as D.Info.
const mostMethods = 70

// TestTheSurfaceOfPluginsIsSmall counts the methods of what every plugin is given.
func TestTheSurfaceOfPluginsIsSmall(t *testing.T) {
	if n := reflect.TypeFor[*dissect.D]().NumMethod(); n > mostMethods {
		t.Errorf("dissect.D has %d methods, at most %d are wanted", n, mostMethods)
	} else {
		t.Logf("dissect.D has %d methods", n)
	}
}
