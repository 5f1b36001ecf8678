package decide

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Need is what a step needs done, whoever does it.
type Need string

// The needs.
const (
	Seal      Need = "seal"
	Open      Need = "open"
	Sign      Need = "sign"
	Verify    Need = "verify"
	Hash      Need = "hash"
	MAC       Need = "mac"
	Exchange  Need = "exchange"
	Envelope  Need = "envelope"
	Handshake Need = "handshake"
)

// Needs lists them in reading order.
var Needs = []Need{Seal, Open, Sign, Verify, Hash, MAC, Exchange, Envelope, Handshake}

// namesOf are needs or requirements as they are typed.
func namesOf[S ~string](all []S) []string {
	return document.Mapped(all, func(one S) string { return string(one) })
}

// Sized says whether a need is of messages that have a size. Signatures are of a digest,
// however long the message was.
func (n Need) Sized() bool { return n != Exchange && n != Handshake }

// perMessage says whether the size changes what is measured.
func (n Need) perMessage() bool { return n.Sized() && n != Sign && n != Verify }

// Text names a need in the middle of a sentence.
func (n Need) Text() language.Text {
	return map[Need]language.Text{
		Seal: {EN: "sealing", ZH: "加密"}, Open: {EN: "opening", ZH: "解密"},
		Sign: {EN: "signing", ZH: "签名"}, Verify: {EN: "verifying", ZH: "验签"},
		Hash: {EN: "hashing", ZH: "杂凑"}, MAC: {EN: "authenticating", ZH: "计算 MAC"},
		Exchange: {EN: "the key exchange", ZH: "密钥交换"}, Envelope: {EN: "the envelope", ZH: "数字信封"},
		Handshake: {EN: "the handshake", ZH: "握手"},
	}[n]
}

// ofDigest says whether a step works on a digest, however long the message was.
func (s *Step) ofDigest() bool { return s.Need == Sign || s.Need == Verify }

// task names a step's need with what it is done to.
func (s *Step) task() language.Text {
	what := s.Need.Text()
	switch {
	case s.ofDigest():
		return language.Say("%s a digest of 32 bytes", "对 32 字节摘要的%s", what)
	case len(s.Sizes) == 0:
		return what
	case len(s.Sizes) == 1:
		return language.Say("%s %s", "%s %s", what, language.FormatSize(s.Sizes[0].Bytes))
	}
	var sum, weights float64
	least, most := s.Sizes[0].Bytes, s.Sizes[0].Bytes
	for _, x := range s.Sizes {
		sum, weights = sum+float64(x.Bytes)*x.Weight, weights+x.Weight
		least, most = min(least, x.Bytes), max(most, x.Bytes)
	}
	return language.Say("%s %s to %s, %s bytes on average", "%s %s 至 %s，平均 %s 字节", what, language.FormatSize(least), language.FormatSize(most),
		formatBytes(sum/weights))
}

// usualBytes is a message's size where a step gives none.
const usualBytes = 1 << 10

// variant is one way to meet a need: what is done, in parts of which each counts so many
// times. Its first part names it.
type variant struct{ parts []part }

type part struct {
	result.Case
	times float64
}

func (v variant) main() result.Case { return v.parts[0].Case }

// name is how people call it.
func (v variant) name() string {
	c := v.main()
	switch {
	case c.Algorithm == algorithm.TLS13:
		return c.Mode
	case c.Algorithm == algorithm.Envelope:
		return c.Mode
	case algorithm.RSABits(c.Algorithm) > 0:
		return c.Algorithm + " " + algorithm.Padding(c.Mode)
	}
	return c.Name()
}

// envelopeKey is the algorithm of the key that an envelope is for.
func envelopeKey(mode string) string {
	return map[string]string{algorithm.RSA2048Envelope: algorithm.RSA2048, algorithm.RSA4096Envelope: algorithm.RSA4096,
		algorithm.X25519Envelope: algorithm.X25519, algorithm.MLKEM768Envelope: algorithm.MLKEM768, algorithm.HybridEnvelope: algorithm.X25519MLKEM768,
		algorithm.SM2Envelope: algorithm.SM2}[mode]
}

// Strength is in bits, that of the weakest of its parts; 0 where that is not known.
func (v variant) Strength() (bits int) {
	c := v.main()
	names := []string{c.Algorithm}
	if e, ok := algorithm.EnvelopeOf(c.Mode); ok && c.Algorithm == algorithm.Envelope {
		names = []string{envelopeKey(c.Mode), e.Cipher}
	} else if c.Algorithm == algorithm.TLS13 {
		exchange, certificate := algorithm.HandshakeParts(c.Mode)
		if exchange == algorithm.P256 {
			exchange = algorithm.ECDH256
		}
		names = []string{exchange, certificate}
	}
	for i, name := range names {
		if s := algorithm.Of(name).Strength; i == 0 || s < bits {
			bits = s
		}
	}
	return bits
}

// variants are the ways to meet a step's need, and what it does today.
func (s *Step) variants() (all []variant) {
	for _, c := range s.Need.cases() {
		if s.Need == Handshake {
			all = append(all, s.meeting(c))
			continue
		}
		all = append(all, s.over(c))
	}
	if s.Use != nil {
		today := s.over(s.Use.of())
		if !slices.ContainsFunc(all, func(v variant) bool { return v.main() == today.main() }) {
			all = append(all, today)
		}
	}
	return all
}

// over is a case at the sizes of a step.
func (s *Step) over(c result.Case) (v variant) {
	if !s.Need.perMessage() {
		return variant{[]part{{c, 1}}}
	}
	block := int64(algorithm.Of(c.Algorithm).Block)
	for _, size := range representative(s.Sizes) {
		c.Bytes = size.Bytes
		if algorithm.WholeBlocks(c.Mode) && block > 0 { // the caller pads
			c.Bytes = (c.Bytes + block - 1) / block * block
		}
		v.parts = append(v.parts, part{c, size.Weight})
	}
	return v
}

// meeting is a handshake, full and resumed by their shares. Where the client proves itself
// too, the server verifies its certificate and its signature.
func (s *Step) meeting(c result.Case) (v variant) {
	exchange, certificate := algorithm.HandshakeParts(c.Mode)
	add := func(c result.Case, times float64) {
		if times > 0 {
			v.parts = append(v.parts, part{c, times})
		}
	}
	add(c, 1-s.Resumed)
	again := plan.Of(algorithm.TLS13, algorithm.HandshakeMode(exchange, algorithm.ECDSA256), algorithm.Handshake)
	again.Parameters = meetingParameters(parameter.Yes)
	add(again, s.Resumed)
	if s.ClientAuth {
		mode := ""
		if algorithm.RSABits(certificate) > 0 {
			mode = algorithm.PSS
		}
		add(plan.Of(certificate, mode, algorithm.Verify), 2*(1-s.Resumed))
	}
	return v
}

func meetingParameters(resumed parameter.Answer) string {
	return parameter.Join(parameter.Resumed.Is(resumed), parameter.Transport.Is(parameter.InMemory))
}

// cases are what meets a need, without sizes.
func (n Need) cases() []result.Case {
	switch n {
	case Seal:
		return sealing(algorithm.Encrypt)
	case Open:
		return sealing(algorithm.Decrypt)
	case Sign, Verify:
		op := map[Need]string{Sign: algorithm.Sign, Verify: algorithm.Verify}[n]
		return slices.Concat(plan.Each([]string{algorithm.RSA2048, algorithm.RSA3072, algorithm.RSA4096}, []string{algorithm.PSS}, []string{op}),
			plan.Each([]string{algorithm.ECDSA256, algorithm.ECDSA384, algorithm.Ed25519, algorithm.SM2, algorithm.MLDSA44, algorithm.MLDSA65},
				plan.Modeless, []string{op}))
	case Hash:
		return plan.Each([]string{algorithm.SHA256, algorithm.SHA512, algorithm.SHA3of256, algorithm.SM3, algorithm.BLAKE2b512, algorithm.BLAKE3,
			algorithm.SHA1, algorithm.MD5}, plan.Modeless, []string{algorithm.Hash})
	case MAC:
		return plan.Each([]string{algorithm.HMACSHA256, algorithm.HMACSM3}, plan.Modeless, []string{algorithm.MAC})
	case Exchange:
		return plan.Each([]string{algorithm.X25519, algorithm.ECDH256, algorithm.ECDH384, algorithm.SM2Exchange, algorithm.MLKEM768,
			algorithm.MLKEM1024, algorithm.X25519MLKEM768}, plan.Modeless, []string{algorithm.Session})
	}
	return n.composed()
}

// composed are what is made of several algorithms.
func (n Need) composed() (cases []result.Case) {
	switch n {
	case Envelope:
		for _, e := range algorithm.Envelopes() {
			if e.Wrapped > 0 {
				cases = append(cases, plan.Of(algorithm.Envelope, e.Mode, algorithm.Seal))
			}
		}
	case Handshake:
		for _, exchange := range algorithm.Exchanges() {
			for _, certificate := range algorithm.Certificates() {
				c := plan.Of(algorithm.TLS13, algorithm.HandshakeMode(exchange, certificate), algorithm.Handshake)
				c.Parameters = meetingParameters(parameter.No)
				cases = append(cases, c)
			}
		}
	}
	return cases
}

func sealing(op string) (cases []result.Case) {
	for _, name := range []string{algorithm.AES128, algorithm.AES256, algorithm.SM4} {
		cases = append(cases, plan.Of(name, algorithm.GCM, op))
	}
	padded := plan.Of(algorithm.SM4, algorithm.CBCHMACSM3, op)
	padded.Parameters = parameter.PKCS7Padding
	return append(cases, plan.Of(algorithm.ChaCha20Poly1305, "", op), padded)
}

// mostSizes is how many sizes stand for a histogram.
const mostSizes = 3

// representative are the sizes that stand for a histogram, with their shares: what a message
// costs is a fixed part and one by its length, so the mean of neighbouring sizes stands for
// them. Each group has about the same share of the cost.
func representative(sizes []result.SizeShare) (kept []result.SizeShare) {
	var weights, cost float64
	for _, s := range sizes {
		weights += s.Weight
		cost += s.Weight * (float64(s.Bytes) + usualBytes)
	}
	if len(sizes) <= mostSizes {
		for _, s := range sizes {
			kept = append(kept, result.SizeShare{Bytes: s.Bytes, Weight: s.Weight / weights})
		}
		return kept
	}
	var bytes, weight, before float64
	for i, s := range sizes {
		bytes, weight = bytes+s.Weight*float64(s.Bytes), weight+s.Weight
		before += s.Weight * (float64(s.Bytes) + usualBytes)
		if before >= cost*float64(len(kept)+1)/mostSizes-1e-9*cost || i == len(sizes)-1 {
			kept = append(kept, result.SizeShare{Bytes: int64(bytes/weight + 0.5), Weight: weight / weights})
			bytes, weight = 0, 0
		}
	}
	return kept
}

// of is the case that runs today.
func (u *Use) of() result.Case {
	c := plan.Of(u.Algorithm, u.Mode, u.Operation)
	if u.Mode == algorithm.Composite(u.Algorithm) {
		c.Parameters = parameter.PKCS7Padding
	}
	if u.Algorithm == algorithm.TLS13 {
		c.Parameters = meetingParameters(parameter.No)
	}
	return c
}

var needOf = map[string]Need{algorithm.Encrypt: Seal, algorithm.Decrypt: Open, algorithm.Sign: Sign, algorithm.Verify: Verify,
	algorithm.Hash: Hash, algorithm.MAC: MAC, algorithm.Session: Exchange, algorithm.Seal: Envelope, algorithm.Handshake: Handshake}

// libraries are those that code can be of: a token is none.
var libraries = slices.DeleteFunc(subject.Libraries(), func(name string) bool { return name == subject.PKCS11 })

// fill completes what is used today by what its names mean, and gives the step its need.
func (u *Use) fill(s *Step) (err error) {
	if u.Library, err = named(language.Text{EN: "library", ZH: "密码库"}, u.Library, libraries); err != nil {
		return err
	}
	var names, operations []string
	for _, a := range algorithm.All() {
		if a.Kind != algorithm.Laboratory {
			names = append(names, a.Name)
		}
	}
	for _, n := range Needs {
		for op, need := range needOf {
			if need == n {
				operations = append(operations, op)
			}
		}
	}
	if u.Algorithm, err = named(language.Text{EN: "algorithm", ZH: "算法"}, u.Algorithm, names); err != nil {
		return err
	}
	if u.Operation, err = named(language.Text{EN: "operation", ZH: "操作"}, u.Operation, operations); err != nil {
		return err
	}
	if err = u.fillMode(); err != nil {
		return err
	}
	s.Need = needOf[u.Operation]
	if s.Need.perMessage() {
		u.Bytes = cmp.Or(u.Bytes, usualBytes)
		s.Sizes = []result.SizeShare{{Bytes: u.Bytes, Weight: 1}}
	}
	return nil
}

// fillMode completes the mode: RSA's padding is known without its hash, too.
func (u *Use) fillMode() error {
	known := modesOf(algorithm.Of(u.Algorithm), u.Operation)
	for _, mode := range known {
		full := Use{Algorithm: u.Algorithm, Mode: mode, Operation: u.Operation}
		if mode == u.Mode || u.Mode != "" && slices.ContainsFunc(full.names(), func(name string) bool {
			return plan.Bare(name) == plan.Bare(u.Algorithm+u.Mode) || plan.Bare(name) == plan.Bare(u.Mode)
		}) {
			u.Mode = mode
			return nil
		}
	}
	switch {
	case len(known) == 0:
		return language.Errorf("%s has no operation %s", "%s 没有 %s 操作", u.Algorithm, u.Operation)
	case slices.Equal(known, plan.Modeless):
		return language.Errorf("%s has no modes; leave the mode %q out", "%s 没有模式；请去掉 mode %q", u.Algorithm, u.Mode)
	case u.Mode == "":
		return language.Errorf("use needs the mode of %s; there are: %s", "use 需要 %s 的 mode；可选的有：%s", u.Algorithm, strings.Join(known, ", "))
	}
	return unknown(language.Text{EN: "mode", ZH: "模式"}, u.Mode, known)
}

// named is the name that a word means, however it is written.
func named(what language.Text, word string, names []string) (string, error) {
	if word == "" {
		return "", language.Errorf("use needs library, algorithm and operation; the %s is missing", "use 需要 library、algorithm 与 operation；缺少%s", what)
	}
	for _, name := range names {
		if strings.EqualFold(plan.Bare(name), plan.Bare(word)) {
			return name, nil
		}
	}
	return "", unknown(what, word, names)
}
