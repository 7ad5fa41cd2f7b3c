package privatekey

import (
	"encoding/asn1"
	"errors"
)

// The parts of PKCS#12 (RFC 7292 section 4) that lead to a key.
type (
	content struct {
		Type asn1.ObjectIdentifier
		Data asn1.RawValue `asn1:"tag:0,explicit,optional"`
	}
	pfx struct {
		Version int
		Safe    content
		MAC     asn1.RawValue `asn1:"optional"`
	}
	bag struct {
		ID         asn1.ObjectIdentifier
		Value      asn1.RawValue `asn1:"tag:0,explicit"`
		Attributes asn1.RawValue `asn1:"optional"`
	}
	encrypted struct {
		Version int
		Content struct {
			Type      asn1.ObjectIdentifier
			Algorithm algorithm
			Data      []byte `asn1:"tag:0,optional"`
		}
	}
)

var (
	oidData      = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidEncrypted = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 6}
	oidKeyBag    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 1}
	oidShrouded  = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 12, 10, 1, 2}
)

// fromPKCS12 reads the first key of a store. Whether the password is right is known by what it opens.
func fromPKCS12(der []byte, password string) (*RSA, error) {
	var p pfx
	if _, err := asn1.Unmarshal(der, &p); err != nil {
		return nil, errNone
	}
	var contents []content
	if !octets(p.Safe.Data, &contents) {
		return nil, errNone
	}
	said := errNone
	for _, c := range contents {
		var bags []bag
		switch {
		case c.Type.Equal(oidData):
			octets(c.Data, &bags)
		case c.Type.Equal(oidEncrypted):
			var e encrypted
			if _, err := asn1.Unmarshal(c.Data.Bytes, &e); err != nil {
				continue
			}
			s := sealed{e.Content.Algorithm, e.Content.Data}
			plain, err := s.open(password)
			if err != nil {
				if said == errNone {
					said = err
				}
				continue
			}
			if _, err := asn1.Unmarshal(plain, &bags); err != nil {
				said = errPassword
			}
		}
		for _, b := range bags {
			if !b.ID.Equal(oidKeyBag) && !b.ID.Equal(oidShrouded) {
				continue
			}
			k, err := fromDER(b.Value.Bytes, password)
			if err == nil {
				return k, nil
			}
			if !errors.Is(err, errNone) {
				said = err
			}
		}
	}
	return nil, said
}

// octets reads what an octet string holds.
func octets(v asn1.RawValue, into any) bool {
	var inner []byte
	if _, err := asn1.Unmarshal(v.Bytes, &inner); err != nil {
		return false
	}
	_, err := asn1.Unmarshal(inner, into)
	return err == nil
}
