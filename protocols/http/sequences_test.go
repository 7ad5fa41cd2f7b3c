package http

import "testing"

// TestRedirected is where browsers are sent.
func TestRedirected(t *testing.T) {
	for _, c := range [][3]string{
		{"http://h/a/b?q#f", "", "http://h/a/b?q#f"}, {"http://h/a/b?q", "//other/x", "http://other/x"},
		{"http://h/a", "https://s/", "https://s/"}, {"http://h/a/b?q", "?r", "http://h/a/b?r"},
		{"http://h/a/b?q", "/c", "http://h/c"}, {"http://h/a/b?q", "c", "http://h/a/c"}, {"/a", "/b", ""},
	} {
		if got := redirected(c[0], c[1]); got != c[2] {
			t.Errorf("%s from %s: %q, want %q", c[1], c[0], got, c[2])
		}
	}
}
