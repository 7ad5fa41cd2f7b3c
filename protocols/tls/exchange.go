package tls

import "strings"

// The ways to exchange keys, as far as messages depend on them.
const (
	exchangeOther = iota
	exchangeRSA
	exchangeDHE
	exchangeECDHE
)

// exchangeOf is how a suite exchanges keys, told from its name, and whether a shared key takes part.
func exchangeOf(suite uint16) (way int, shared bool) {
	name, _, _ := strings.Cut(suites[uint64(suite)], "_WITH_")
	return wayOf(name), strings.Contains(name, "PSK")
}

func wayOf(name string) int {
	switch {
	case strings.HasPrefix(name, "TLS_ECDH"):
		return exchangeECDHE
	case strings.HasPrefix(name, "TLS_DH"):
		return exchangeDHE
	case strings.HasPrefix(name, "TLS_RSA"):
		return exchangeRSA
	}
	return exchangeOther
}
