package sums

import (
	"encoding/hex"
	"errors"
)

// noWord stands for an empty one.
const noWord = "-"

// appendWord appends what a store has said so that it is one word on a line, whatever the store says: bytes beside
// letters, digits and what ETags have are written as % and two digits.
func appendWord(line []byte, s string) []byte {
	if s == "" {
		return append(line, noWord...)
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ' || c == '%' || c > '~', s == noWord:
			line = hex.AppendEncode(append(line, '%'), []byte{c})
		default:
			line = append(line, c)
		}
	}
	return line
}

var errWord = errors.New("% without two digits")

// word takes back what appendWord did.
func word(text []byte) (string, error) {
	if string(text) == noWord {
		return "", nil
	}
	var plain []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			plain = append(plain, text[i])
			continue
		}
		if i+2 >= len(text) {
			return "", errWord
		}
		var err error
		if plain, err = hex.AppendDecode(plain, text[i+1:i+3]); err != nil {
			return "", errWord
		}
		i += 2
	}
	return string(plain), nil
}
