package dissect

// HeldGivenUp is how many frames the session still knows that it gave up.
func HeldGivenUp(s *Session) int { return len(s.givenUp.all) }
