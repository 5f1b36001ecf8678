package engine

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/sm4"
)

// texts encrypts many messages by SM4 in lanes, under ciphers that are kept and under raw keys. That is the
// fastest kernel's.
func texts() gobinding.Offer {
	o := gobinding.Texts(algorithm.SM4, gobinding.Approved, map[algorithm.Mode]map[parameter.Manner]batch.TextMaker{
		algorithm.GCM: {parameter.Lanes: sealKept, parameter.LanesNew: sealRaw},
		algorithm.CBC: {parameter.Lanes: chainKept, parameter.LanesNew: chainRaw},
	})
	o.Timing = gobinding.Always(reason.Timing("yes", "gfni"))
	return o
}

func sealKept(t batch.Texts) (func(), error) {
	ciphers, err := sm4.NewCiphers(t.Keys)
	if err != nil {
		return nil, err
	}
	messages := make([]sm4.GCMMessage, len(t.Messages))
	for i := range messages {
		messages[i] = sm4.GCMMessage{Cipher: ciphers[t.Key(i)], Nonce: t.Nonces[i], Dst: t.Out[i], Src: t.Messages[i]}
	}
	return func() { sm4.SealMany(messages) }, nil
}

func sealRaw(t batch.Texts) (func(), error) {
	messages := make([]sm4.GCMMessage, len(t.Messages))
	for i := range messages {
		messages[i] = sm4.GCMMessage{Key: t.Keys[t.Key(i)], Nonce: t.Nonces[i], Dst: t.Out[i], Src: t.Messages[i]}
	}
	return func() { sm4.SealMany(messages) }, nil
}

func chainKept(t batch.Texts) (func(), error) {
	ciphers, err := sm4.NewCiphers(t.Keys)
	if err != nil {
		return nil, err
	}
	streams := make([]sm4.CBCStream, len(t.Messages))
	for i := range streams {
		streams[i] = sm4.CBCStream{Cipher: ciphers[t.Key(i)], IV: t.Nonces[i], Dst: t.Out[i], Src: t.Messages[i]}
	}
	return func() { sm4.EncryptCBC(streams) }, nil
}

func chainRaw(t batch.Texts) (func(), error) {
	streams := make([]sm4.CBCKeyStream, len(t.Messages))
	for i := range streams {
		streams[i] = sm4.CBCKeyStream{Key: t.Keys[t.Key(i)], IV: t.Nonces[i], Dst: t.Out[i], Src: t.Messages[i]}
	}
	return func() { sm4.EncryptCBCKeys(streams) }, nil
}
