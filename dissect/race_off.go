//go:build !race

package dissect

const raceDetector = false
