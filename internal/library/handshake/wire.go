package handshake

import (
	"bytes"
	"crypto"
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

	"golang.org/x/crypto/cryptobyte"

	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
)

// A handshake is replayed by the reference from what was on the wire and the
// server's handshake traffic secret, as the client logs it: the server's messages
// are decrypted, its signature and its Finished verified over the transcript
// (RFC 8446 §4.4, §5.2, §7.1). The key exchange itself is not replayed, since its
// private keys never leave the library; experiments with primitives judge it.

// Numbers of handshake messages, of records (RFC 8446 §4 and §5.1), and of the extensions of §4.2.
const (
	messageServer            = 2
	messageCertificate       = 11
	messageCertificateVerify = 15
	messageFinished          = 20
	recordHandshake          = 22
	recordApplication        = 23
	extensionTicket          = 41 // pre_shared_key
	extensionVersions        = 43
	extensionKeyShare        = 51
)

type transcript struct {
	wire      cryptobyte.String // what is left of what the server wrote
	open      func(nonce, sealed, aad []byte) ([]byte, error)
	iv        []byte
	sequence  uint64
	said      []byte            // all messages so far
	unread    cryptobyte.String // decrypted, and not read yet
	finishing []byte            // the key of Finished
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
	client := cryptobyte.String(toServer)
	for _, side := range []*cryptobyte.String{&client, &t.wire} {
		var kind uint8
		var hello cryptobyte.String
		if !readRecord(side, &kind, &hello) || kind != recordHandshake {
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

func (t *transcript) message() (kind byte, body cryptobyte.String, err error) {
	for {
		rest := t.unread
		if rest.ReadUint8(&kind) && rest.ReadUint24LengthPrefixed(&body) {
			t.said = append(t.said, t.unread[:len(t.unread)-len(rest)]...)
			t.unread = rest
			return kind, body, nil
		}
		if err := t.record(); err != nil {
			return 0, nil, err
		}
	}
}

// readRecord reads the type of a record and what it holds, past its version (RFC 8446 §5.1).
func readRecord(wire *cryptobyte.String, kind *uint8, content *cryptobyte.String) bool {
	return wire.ReadUint8(kind) && wire.Skip(2) && wire.ReadUint16LengthPrefixed(content)
}

// record decrypts one; that of ChangeCipherSpec, which means nothing, is passed over.
func (t *transcript) record() error {
	if len(t.wire) < 5 {
		return reason.New("messages-short")
	}
	head := t.wire[:5]
	var kind uint8
	var sealed cryptobyte.String
	if !readRecord(&t.wire, &kind, &sealed) {
		return reason.New("record-short")
	}
	if kind != recordApplication {
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

func verified(leaf *x509.Certificate, body cryptobyte.String, transcript []byte) error {
	var id uint16
	var signature cryptobyte.String
	if !body.ReadUint16(&id) || !body.ReadUint16LengthPrefixed(&signature) {
		return reason.New("cut-short")
	}
	signed := slices.Concat(bytes.Repeat([]byte{' '}, 64), []byte("TLS 1.3, server CertificateVerify\x00"), transcript)
	// rsa_pss_rsae_sha256, ecdsa_secp256r1_sha256 and ed25519 (RFC 8446 §4.2.3)
	schemes := map[x509.PublicKeyAlgorithm]uint16{x509.RSA: 0x0804, x509.ECDSA: 0x0403, x509.Ed25519: 0x0807}
	if id != schemes[leaf.PublicKeyAlgorithm] {
		return reason.New("scheme", fmt.Sprintf("%#04x", id), fmt.Sprintf("%T", leaf.PublicKey))
	}
	return Prove(leaf.PublicKey, signed, signature)
}

// Prove verifies by the reference what a key signed: by PSS with a salt as long as the digest, or on P-256, of a digest
// by SHA-256, or by Ed25519.
func Prove(public crypto.PublicKey, message, signature []byte) error {
	switch public := public.(type) {
	case *rsa.PublicKey:
		key := reference.RSAKey{N: public.N, E: big.NewInt(int64(public.E))}
		return reference.RSAVerifyPSS(key, reference.SHA256, 32, reference.SHA256(message), signature)
	case *ecdsa.PublicKey:
		point, err := public.Bytes()
		var pair struct{ R, S *big.Int }
		if rest, bad := asn1.Unmarshal(signature, &pair); err != nil || bad != nil || len(rest) > 0 {
			return reason.New("signature-der")
		}
		x, y := new(big.Int).SetBytes(point[1:33]), new(big.Int).SetBytes(point[33:])
		return reference.ECDSAVerify(reference.P256(), x, y, reference.SHA256(message), pair.R, pair.S)
	case ed25519.PublicKey:
		return reference.Ed25519Verify(public, message, signature)
	}
	return reason.New("no-keys", fmt.Sprintf("%T", public))
}

// negotiated is what a ServerHello says, read off the wire and not out of the
// library: what both sides agreed on in the clear.
type negotiated struct {
	version, suite, group uint16
	preShared             bool // a ticket was accepted
}

func readServerHello(wire cryptobyte.String) (n negotiated, err error) {
	var kind, message uint8
	var body, session, extensions cryptobyte.String
	if len(wire) < 5 || wire[0] != recordHandshake {
		return n, reason.New("wire-record")
	}
	if !readRecord(&wire, &kind, &body) || !body.ReadUint8(&message) || !body.Skip(3) || message != messageServer {
		return n, reason.New("wire-hello")
	}
	// Version as of TLS 1.2 and random; session id, echoed; the suite; compression.
	if !body.Skip(2+32) || !body.ReadUint8LengthPrefixed(&session) || !body.ReadUint16(&n.suite) || !body.Skip(1) ||
		!body.ReadUint16LengthPrefixed(&extensions) {
		return n, reason.New("hello-short")
	}
	for !extensions.Empty() {
		var kind uint16
		var value cryptobyte.String
		if !extensions.ReadUint16(&kind) || !extensions.ReadUint16LengthPrefixed(&value) {
			return n, reason.New("extension-short")
		}
		switch kind {
		case extensionTicket:
			n.preShared = true
		case extensionVersions:
			value.ReadUint16(&n.version)
		case extensionKeyShare:
			value.ReadUint16(&n.group)
		}
	}
	return n, nil
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
