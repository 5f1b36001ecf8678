// Package manifest writes and reads lists of digests as md5sum, sha256sum and b2sum of the GNU coreutils
// print them, 9.1, and cksum with them: a line a file.
//
//	900150983cd24fb0d6963f7d28e17f72  name          GNU's form; * before the name by --binary
//	MD5 (name) = 900150983cd24fb0d6963f7d28e17f72   BSD's, by --tag
//	kAFQmDzST7DWlj99KOF/cg==  name                  either with --base64, as cksum has it since 9.2
//
// A backslash before the line says that \n, \r and \\ in its name stand for newline, carriage return and
// backslash. Lines that end in NUL (-z) escape nothing. Names are bytes, in no encoding.
package manifest

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
)

// A Form is how the lines of a manifest look.
type Form struct {
	Tag    string // the algorithm as BSD's form names it; "" is GNU's form
	Zero   bool   // lines end in NUL, and nothing is escaped
	Binary bool   // in GNU's form * stands before the name
	Base64 bool   // digests are in base64, not in hexadecimal digits
	Raw    bool   // a line is the bytes of a digest, and nothing else
}

// Append appends the line of a file.
func (f Form) Append(line, name, digest []byte) []byte {
	if f.Raw {
		return append(line, digest...)
	}
	if !f.Zero && Escapes(name) {
		line, name = append(line, '\\'), AppendEscaped(nil, name)
	}
	if f.Tag == "" {
		between := "  "
		if f.Binary {
			between = " *"
		}
		line = append(f.appendDigest(line, digest), between...)
		return append(append(line, name...), f.End())
	}
	line = append(append(line, f.Tag...), " ("...)
	line = append(append(line, name...), ") = "...)
	return append(f.appendDigest(line, digest), f.End())
}

func (f Form) appendDigest(line, digest []byte) []byte {
	if f.Base64 {
		return base64.StdEncoding.AppendEncode(line, digest)
	}
	return hex.AppendEncode(line, digest)
}

// End is what a line ends in.
func (f Form) End() byte {
	if f.Zero {
		return 0
	}
	return '\n'
}

// Escapes says whether a name has something that is escaped in lines.
func Escapes(name []byte) bool {
	return bytes.IndexByte(name, '\\') >= 0 || bytes.IndexByte(name, '\n') >= 0 || bytes.IndexByte(name, '\r') >= 0
}

// AppendEscaped appends a name, escaped.
func AppendEscaped(line, name []byte) []byte {
	for _, c := range name {
		switch c {
		case '\\':
			line = append(line, `\\`...)
		case '\n':
			line = append(line, `\n`...)
		case '\r':
			line = append(line, `\r`...)
		default:
			line = append(line, c)
		}
	}
	return line
}

// Unescape takes back what AppendEscaped did, in place. It returns false where a backslash is followed
// by nothing that it escapes, or a byte is none that names have.
func Unescape(name []byte) ([]byte, bool) {
	plain := name[:0]
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c == '\\' {
			i++
			if i == len(name) {
				return nil, false
			}
			switch name[i] {
			case '\\':
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			default:
				return nil, false
			}
		}
		if c == 0 {
			return nil, false
		}
		plain = append(plain, c)
	}
	return plain, true
}
