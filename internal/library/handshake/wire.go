package handshake

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
)

// A handshake is replayed by the reference from what was on the wire and the
// server's handshake traffic secret, as the client logs it: the server's messages
// are decrypted, its signature and its Finished verified over the transcript
// (RFC 8446 §4.4, §5.2, §7.1). The key exchange itself is not replayed, since its
// private keys never leave the library; experiments with primitives judge it.

// Handshake messages, and the types of records.
const (
	messageCertificate       = 11
	messageCertificateVerify = 15
	messageFinished          = 20
	recordApplication        = 23
)

type transcript struct {
	wire      []byte // what is left of what the server wrote
	open      func(nonce, sealed, aad []byte) ([]byte, error)
	iv        []byte
	sequence  uint64
	said      []byte // all messages so far
	unread    []byte // decrypted, and not read yet
	finishing []byte // the key of Finished
}

// replay proves a handshake right that ended with this certificate; nil where a
// session is resumed, in which none is sent.
func replay(toServer, toClient []byte, keyLog string, suite uint16, leaf *x509.Certificate) error {
	secret, err := trafficSecret(keyLog)
	if err != nil {
		return err
	}
	t := &transcript{wire: toClient, iv: expandLabel(secret, "iv", 12), finishing: expandLabel(secret, "finished", 32)}
	if t.open, err = opener(suite, secret); err != nil {
		return err
	}
	client := fields(toServer)
	for _, side := range []*fields{&client, (*fields)(&t.wire)} {
		kind := side.take(3)
		hello := side.vector(2)
		if len(kind) == 0 || kind[0] != recordHandshake || hello == nil {
			return reason.New("hello-short")
		}
		t.said = append(t.said, hello...)
	}
	for {
		before := slices.Clone(t.said)
		kind, body, err := t.message()
		if err != nil {
			return err
		}
		switch kind {
		case messageCertificate:
			if leaf == nil || !bytes.Contains(body, leaf.Raw) {
				return reason.New("wire-certificate")
			}
		case messageCertificateVerify:
			if leaf == nil {
				return reason.New("wire-no-certificate")
			}
			if err := verified(leaf, body, reference.SHA256(before)); err != nil {
				return reason.New("handshake-signature", err)
			}
			leaf = nil // proven
		case messageFinished:
			if leaf != nil {
				return reason.New("unsigned")
			}
			if !bytes.Equal(body, hmac(t.finishing, reference.SHA256(before))) {
				return reason.New("finished")
			}
			return nil
		}
	}
}

func trafficSecret(keyLog string) ([]byte, error) {
	for line := range strings.Lines(keyLog) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "SERVER_HANDSHAKE_TRAFFIC_SECRET" {
			return hex.DecodeString(f[2])
		}
	}
	return nil, reason.New("no-secret")
}

// opener decrypts by the suite that was negotiated: one of those with SHA-256.
func opener(suite uint16, secret []byte) (func(nonce, sealed, aad []byte) ([]byte, error), error) {
	const aes128GCM, chacha20 = 0x1301, 0x1303
	switch suite {
	case aes128GCM:
		b, err := reference.NewAES(expandLabel(secret, "key", 16))
		return func(nonce, sealed, aad []byte) ([]byte, error) { return reference.OpenGCM(b, nonce, sealed, aad) }, err
	case chacha20:
		key := expandLabel(secret, "key", 32)
		return func(nonce, sealed, aad []byte) ([]byte, error) {
			return reference.OpenChaCha20Poly1305(key, nonce, sealed, aad)
		}, nil
	}
	return nil, reason.New("reference-suite", fmt.Sprintf("%#04x", suite))
}

// expandLabel is HKDF-Expand-Label of RFC 8446 §7.1 with an empty context, for at
// most a digest's length.
func expandLabel(secret []byte, label string, n int) []byte {
	label = "tls13 " + label
	info := binary.BigEndian.AppendUint16(nil, uint16(n))
	info = append(append(info, byte(len(label))), label...)
	return hmac(secret, append(info, 0, 1))[:n]
}

func hmac(key, message []byte) []byte {
	return reference.HMAC(reference.SHA256, reference.HashBlockSize, key, message)
}

func (t *transcript) message() (kind byte, body []byte, err error) {
	for {
		if len(t.unread) >= 4 {
			n := 4 + int(t.unread[1])<<16 + int(t.unread[2])<<8 + int(t.unread[3])
			if len(t.unread) >= n {
				whole := t.unread[:n]
				t.unread = t.unread[n:]
				t.said = append(t.said, whole...)
				return whole[0], whole[4:], nil
			}
		}
		if err := t.record(); err != nil {
			return 0, nil, err
		}
	}
}

// record decrypts one; that of ChangeCipherSpec, which means nothing, is passed over.
func (t *transcript) record() error {
	if len(t.wire) < 5 {
		return reason.New("messages-short")
	}
	head := t.wire[:5]
	rest := fields(t.wire[3:])
	sealed := rest.vector(2)
	if sealed == nil {
		return reason.New("record-short")
	}
	t.wire = rest
	if head[0] != recordApplication {
		return nil
	}
	nonce := slices.Clone(t.iv)
	binary.BigEndian.PutUint64(nonce[4:], binary.BigEndian.Uint64(nonce[4:])^t.sequence)
	t.sequence++
	inner, err := t.open(nonce, sealed, head)
	if err != nil {
		return reason.New("record-open", err)
	}
	inner = bytes.TrimRight(inner, "\x00")
	if len(inner) == 0 || inner[len(inner)-1] != recordHandshake {
		return reason.New("record-other")
	}
	t.unread = append(t.unread, inner[:len(inner)-1]...)
	return nil
}

func verified(leaf *x509.Certificate, body, transcript []byte) error {
	message := fields(body)
	scheme, signature := message.take(2), message.vector(2)
	if len(scheme) < 2 || signature == nil {
		return reason.New("cut-short")
	}
	signed := slices.Concat(bytes.Repeat([]byte{' '}, 64), []byte("TLS 1.3, server CertificateVerify\x00"), transcript)
	const ecdsaP256, pssSHA256, ed = 0x0403, 0x0804, 0x0807
	id := binary.BigEndian.Uint16(scheme)
	switch public := leaf.PublicKey.(type) {
	case *rsa.PublicKey:
		if id == pssSHA256 {
			key := reference.RSAKey{N: public.N, E: big.NewInt(int64(public.E))}
			return reference.RSAVerifyPSS(key, reference.SHA256, 32, reference.SHA256(signed), signature)
		}
	case *ecdsa.PublicKey:
		point, err := public.Bytes()
		var pair struct{ R, S *big.Int }
		if rest, bad := asn1.Unmarshal(signature, &pair); err != nil || bad != nil || len(rest) > 0 {
			return reason.New("signature-der")
		}
		if id == ecdsaP256 {
			x, y := new(big.Int).SetBytes(point[1:33]), new(big.Int).SetBytes(point[33:])
			return reference.ECDSAVerify(reference.P256(), x, y, reference.SHA256(signed), pair.R, pair.S)
		}
	case ed25519.PublicKey:
		if id == ed {
			return reference.Ed25519Verify(public, signed, signature)
		}
	}
	return reason.New("scheme", fmt.Sprintf("%#04x", id), fmt.Sprintf("%T", leaf.PublicKey))
}

// negotiated is what a ServerHello says, read off the wire and not out of the
// library: what both sides agreed on in the clear.
type negotiated struct {
	version, suite, group uint16
	preShared             bool // a ticket was accepted
}

// Numbers of RFC 8446 §4 and §5.1, and of the extensions of §4.2.
const (
	recordHandshake   = 22
	messageServer     = 2
	extensionVersions = 43
	extensionKeyShare = 51
	extensionTicket   = 41 // pre_shared_key
)

func readServerHello(wire []byte) (n negotiated, err error) {
	if len(wire) < 5 || wire[0] != recordHandshake {
		return n, reason.New("wire-record")
	}
	rest := fields(wire[3:])
	body := rest.vector(2)
	if kind := body.take(4); len(kind) < 4 || kind[0] != messageServer {
		return n, reason.New("wire-hello")
	}
	body.take(2 + 32) // version as of TLS 1.2, random
	body.vector(1)    // session id, echoed
	suite := body.take(2)
	body.take(1) // compression
	extensions := body.vector(2)
	if len(suite) < 2 || extensions == nil {
		return n, reason.New("hello-short")
	}
	n.suite = binary.BigEndian.Uint16(suite)
	for len(extensions) > 0 {
		kind, value := extensions.take(2), extensions.vector(2)
		if len(kind) < 2 || value == nil {
			return n, reason.New("extension-short")
		}
		switch k := binary.BigEndian.Uint16(kind); {
		case k == extensionTicket:
			n.preShared = true
		case len(value) < 2: // what says nothing of these
		case k == extensionVersions:
			n.version = binary.BigEndian.Uint16(value)
		case k == extensionKeyShare:
			n.group = binary.BigEndian.Uint16(value)
		}
	}
	return n, nil
}

// fields is a message that is read from its beginning. What is not there reads as nil.
type fields []byte

func (f *fields) take(n int) []byte {
	if len(*f) < n {
		*f = nil
		return nil
	}
	taken := (*f)[:n:n]
	*f = (*f)[n:]
	return taken
}

func (f *fields) vector(size int) fields {
	length := f.take(size)
	if length == nil {
		return nil
	}
	n := 0
	for _, b := range length {
		n = n<<8 | int(b)
	}
	return f.take(n)
}

func (n negotiated) holds(s Shape, suite uint16) error {
	const tls13 = 0x0304
	switch {
	case n.version != tls13:
		return reason.New("wire-version", fmt.Sprintf("%#04x", n.version))
	case n.group != uint16(s.Group):
		return reason.New("wire-group", n.group, uint16(s.Group))
	case n.suite != suite:
		return reason.New("wire-suite", fmt.Sprintf("%#04x", n.suite), fmt.Sprintf("%#04x", suite))
	case n.preShared && !s.Resumed:
		return reason.New("wire-resumed")
	case !n.preShared && s.Resumed:
		return reason.New("wire-full")
	}
	return nil
}
