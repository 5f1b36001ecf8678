package judge

import (
	"cmp"
	"errors"
	"math/big"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// scheme is a key exchange under the reference, over bytes of fixed lengths.
type scheme struct {
	private, reply, secret int
	public                 func(private []byte) ([]byte, error)
	encapsulate            func(public, random []byte) (secret, reply []byte, err error)
	decapsulate            func(private, reply []byte) (secret []byte, err error)
	random                 int // bytes that an encapsulation draws
	hash                   func([]byte) []byte
	static                 [2][]byte // the long-term keys of SM2's
}

func (j *Judge) exchangeOf(name string) scheme {
	switch name {
	case algorithm.X25519:
		return montgomeryExchange()
	case algorithm.MLKEM768:
		return kemExchange(reference.MLKEM768())
	case algorithm.MLKEM1024:
		return kemExchange(reference.MLKEM1024())
	case algorithm.X25519MLKEM768:
		return hybrid(kemExchange(reference.MLKEM768()), montgomeryExchange())
	case algorithm.SM2Exchange:
		return j.sm2Exchange()
	}
	curve, _ := curveOf(name)
	return curveExchange(curve)
}

// curveExchange is Diffie-Hellman on a curve with points uncompressed.
func curveExchange(c *reference.Curve) scheme {
	size := c.FieldSize()
	agree := onPoint(func(d, x, y *big.Int) ([]byte, error) { return reference.ECDH(c, d, x, y) })
	return diffieHellman(scheme{private: size, reply: 1 + 2*size, secret: size, public: curvePublic(c)}, agree)
}

// curvePublic gives the public point of a private number, uncompressed.
func curvePublic(c *reference.Curve) func(private []byte) ([]byte, error) {
	return func(private []byte) ([]byte, error) {
		d := new(big.Int).SetBytes(private)
		if d.Sign() == 0 || d.Cmp(c.N) >= 0 {
			return nil, reason.New("scalar")
		}
		x, y := c.ScalarBaseMult(d)
		return uncompressed(c, x, y), nil
	}
}

// onPoint reads the private number and the other party's point, uncompressed, for an agreement on them.
func onPoint(agree func(private, x, y *big.Int) ([]byte, error)) func(private, point []byte) ([]byte, error) {
	return func(private, point []byte) ([]byte, error) {
		if len(point) < 3 || len(point)%2 == 0 || point[0] != 4 {
			return nil, reason.New("uncompressed")
		}
		half := len(point) / 2
		x, y := new(big.Int).SetBytes(point[1:1+half]), new(big.Int).SetBytes(point[1+half:])
		return agree(new(big.Int).SetBytes(private), x, y)
	}
}

// diffieHellman completes a scheme whose reply is another public key.
func diffieHellman(s scheme, agree func(private, public []byte) ([]byte, error)) scheme {
	s.random, s.hash = s.private, reference.SHA256
	s.decapsulate = agree
	s.encapsulate = func(public, random []byte) (secret, reply []byte, err error) {
		if reply, err = s.public(random); err != nil {
			return nil, nil, err
		}
		secret, err = agree(random, public)
		return secret, reply, err
	}
	return s
}

func montgomeryExchange() scheme {
	return diffieHellman(scheme{private: 32, reply: 32, secret: 32, public: x25519Public}, reference.X25519)
}

func x25519Public(private []byte) ([]byte, error) {
	return reference.X25519(private, append([]byte{9}, make([]byte, 31)...))
}

func kemExchange(m reference.MLKEM) scheme {
	return scheme{private: 64, reply: m.CiphertextSize(), secret: 32, random: 32, hash: reference.SHA256,
		public:      func(seed []byte) ([]byte, error) { return m.Public(seed), nil },
		encapsulate: m.Encapsulate, decapsulate: m.Decapsulate}
}

// hybrid is two exchanges at once, everything of the first before that of the second
// (draft-ietf-tls-ecdhe-mlkem: X25519MLKEM768 has ML-KEM's first).
func hybrid(a, b scheme) scheme {
	return scheme{private: a.private + b.private, reply: a.reply + b.reply, secret: a.secret + b.secret,
		random: a.random + b.random, hash: a.hash,
		public: func(private []byte) ([]byte, error) {
			x, err1 := a.public(private[:a.private])
			y, err2 := b.public(private[a.private:])
			return slices.Concat(x, y), errors.Join(err1, err2)
		},
		encapsulate: func(public, random []byte) (secret, reply []byte, err error) {
			cut := len(public) - b.reply // of Diffie-Hellman a public key is as long as a reply
			s1, r1, err1 := a.encapsulate(public[:cut], random[:a.random])
			s2, r2, err2 := b.encapsulate(public[cut:], random[a.random:])
			return slices.Concat(s1, s2), slices.Concat(r1, r2), errors.Join(err1, err2)
		},
		decapsulate: func(private, reply []byte) ([]byte, error) {
			x, err1 := a.decapsulate(private[:a.private], reply[:a.reply])
			y, err2 := b.decapsulate(private[a.private:], reply[a.reply:])
			return slices.Concat(x, y), errors.Join(err1, err2)
		}}
}

// sm2Exchange is SM2's, where both parties have long-term keys and identities, known
// beforehand; the ephemeral points are what is sent.
func (j *Judge) sm2Exchange() scheme {
	c := reference.SM2Curve()
	s := curveExchange(c)
	var parties [2]reference.SM2Party
	for i, who := range []string{"first", "second"} {
		d := j.scalar("key/SM2-exchange/"+who, c)
		s.static[i] = d.FillBytes(make([]byte, s.private))
		parties[i] = reference.SM2Party{ID: sm2Identity, D: d, Starting: i == 0}
		parties[i].X, parties[i].Y = c.ScalarBaseMult(d)
	}
	shared := func(own int) func(private, point []byte) ([]byte, error) {
		return onPoint(func(d, x, y *big.Int) ([]byte, error) {
			mine, theirs := parties[own], parties[1-own]
			mine.R = d
			mine.RX, mine.RY = c.ScalarBaseMult(d)
			theirs.RX, theirs.RY = x, y
			return reference.SM2Exchange(mine, theirs, s.secret)
		})
	}
	s = diffieHellman(s, shared(1))
	s.decapsulate, s.hash = shared(0), reference.SM3
	return s
}

func (j *Judge) exchangeVector(c result.Case) (*provider.Vector, error) {
	label := "case/" + c.Algorithm + "/" + c.Operation
	s := j.exchangeOf(c.Algorithm)
	v := &provider.Vector{Static: s.static}
	switch c.Operation {
	case algorithm.Generate:
		v.Accept = acceptPair(s.private, s.public)
		return v, nil
	case algorithm.Session:
		v.Accept = s.acceptSession
		return v, nil
	}
	var err error
	v.Key = j.exchangeKey(c.Algorithm, label+"/key", s.private)
	if v.Peer, err = s.public(v.Key); err != nil {
		return nil, err
	}
	drawn := j.exchangeKey(c.Algorithm, label+"/reply", s.random)
	if v.Secret, v.Ciphertext, err = s.encapsulate(v.Peer, drawn); err != nil {
		return nil, err
	}
	if c.Operation == algorithm.SessionKey {
		want := s.derive(v.Secret)
		v.Accept = func(got []byte) error { return compared(got, want, reason.New("session-key")) }
		return v, nil
	}
	v.Accept = func(got []byte) error {
		if len(got) != s.secret+s.reply {
			return reason.New("exchange-length", len(got), s.secret+s.reply)
		}
		secret, err := s.decapsulate(v.Key, got[s.secret:])
		if err != nil {
			return reason.New("bad-reply", err)
		}
		return compared(got[:s.secret], secret, reason.New("reply-secret"))
	}
	return v, nil
}

// exchangeKey draws a private key, or what an encapsulation draws, which for curves
// is one.
func (j *Judge) exchangeKey(name, label string, n int) []byte {
	if curve, _ := curveOf(name); curve != nil {
		return j.scalar(label, curve).FillBytes(make([]byte, n))
	}
	return j.bytes(label, n)
}

func (s scheme) derive(secret []byte) []byte {
	return reference.HKDF(s.hash, reference.HashBlockSize, secret, nil,
		[]byte(provider.SessionInfo), provider.SessionBytes)
}

// acceptSession judges private‖reply‖key‖key.
func (s scheme) acceptSession(got []byte) error {
	if want := s.private + s.reply + 2*provider.SessionBytes; len(got) != want {
		return reason.New("session-length", len(got), want)
	}
	private, rest := got[:s.private], got[s.private:]
	reply, both := rest[:s.reply], rest[s.reply:]
	first, second := both[:provider.SessionBytes], both[provider.SessionBytes:]
	secret, err := s.decapsulate(private, reply)
	if err != nil {
		return reason.New("bad-reply", err)
	}
	return cmp.Or(compared(first, second, reason.New("session-keys")),
		compared(first, s.derive(secret), reason.New("session-key")))
}
