package aes

import (
	"encoding/binary"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
)

const (
	// leastGCM and leastCTR are how many messages under raw keys are faster in lanes than by themselves, laneGCM and
	// laneCTR up to which length.
	leastGCM, laneGCM = 4, 2 << 10
	leastCTR, laneCTR = 8, 256
)

// A likeness is what messages have in common: the lengths of their texts and keys, and no additional data.
type likeness struct {
	text, key int // of the first
	differ    int // not 0 if another has others
}

func likenessOf(messages []GCMMessage) likeness {
	if len(messages) == 0 {
		return likeness{}
	}
	return likeness{len(messages[0].Src), len(messages[0].Key), 0}
}

// from is not 0 if m has not what the first has.
func (l likeness) from(m *GCMMessage) int {
	return len(m.Src) ^ l.text | len(m.Key) ^ l.key | len(m.AdditionalData)
}

// short says whether the kernels for short messages take those whose text is longer than its plaintext by so many bytes.
// Those with a cipher have no key.
func (l likeness) short(longer int) bool {
	return l.differ == 0 && l.key > 0 && uint(l.text-longer) <= kernel.ShortBytes
}

// inLanes says whether a message of n bytes is done in lanes, if there are enough.
func (m *GCMMessage) inLanes(n int) bool {
	return m.Key != nil && n <= laneGCM && len(m.AdditionalData) <= kernel.MaxMore
}

// takeGCM is take without a message that would have a register of lanes for itself.
func takeGCM(jobs []job) int {
	n := take(jobs)
	if n > leastGCM && n%4 == 1 {
		n--
	}
	return n
}

// walk calls step on the lines of messages in lanes, as many at once as all of the active ones have, and with no lines
// for what is left of one, after which at least one has ended. ended is called before lanes that have ended are used
// for others' sake.
func (b *bench) walk(jobs []job, step func(active, lines int), ended func(from, to int)) {
	done, active := 0, len(jobs)
	shrink := func() {
		before := active
		for active > 0 && jobs[active-1].bytes <= done {
			active--
		}
		if active > 0 && active < before {
			ended(active, before)
		}
	}
	for shrink(); active > 0; shrink() {
		lines := min((jobs[active-1].bytes-done)/lineSize, kernel.MaxLines)
		if lines == 0 {
			for i, j := range jobs[:active] {
				b.lanes.Left(i, min(j.bytes-done, lineSize))
			}
		}
		step(active, lines)
		at := active
		if done += max(lines, 1) * lineSize; jobs[at-1].bytes <= done {
			for at > 0 && jobs[at-1].bytes <= done {
				at--
			}
		}
		b.lanes.Advance(at, max(lines, 1)*lineSize/BlockSize)
	}
}

// begin puts messages into lanes and starts them.
func (b *bench) begin(messages []GCMMessage, jobs []job) {
	b.begun = max(b.begun, len(jobs))
	additional := false
	for i, j := range jobs {
		m := &messages[j.index]
		b.lanes.BeginGCM(i, unsafe.SliceData(m.Dst), unsafe.SliceData(m.Src), j.bytes, m.Nonce, m.AdditionalData)
		b.lanes.RawKey(i, &m.Key[0])
		additional = additional || len(m.AdditionalData) > 0
	}
	b.expand(len(jobs), len(messages[jobs[0].index].Key))
	b.lanes.StartGCM(jobs[0].rounds, len(jobs))
	if additional {
		b.lanes.HashMore(len(jobs))
	}
}

// tags makes the tags of messages whose text is hashed by step.
func (b *bench) tags(jobs []job, step func(active, lines int)) {
	whole := len(jobs)
	b.walk(jobs, step, func(from, to int) {
		for i := from; i < to; i++ {
			b.hashes[i] = *b.lanes.Hash(i)
		}
		whole = from
	})
	for i := whole; i < len(jobs); i++ {
		*b.lanes.Hash(i) = b.hashes[i]
	}
	b.lanes.Tags(len(jobs))
}

func (b *bench) seal(messages []GCMMessage, jobs []job) {
	b.begin(messages, jobs)
	b.tags(jobs, func(active, lines int) {
		b.lanes.CTR(jobs[0].rounds, active, lines)
		b.lanes.HashResult(active, lines)
	})
	for i, j := range jobs {
		copy(messages[j.index].Dst[j.bytes:j.bytes+BlockSize], b.lanes.Tag(i)[:])
	}
}

// open opens messages and sets the Err of those that are not authentic.
func (b *bench) open(messages []GCMMessage, jobs []job) (err error) {
	b.begin(messages, jobs)
	b.tags(jobs, b.lanes.HashSource)
	for i, j := range jobs {
		m := &messages[j.index]
		if !equal(b.lanes.Tag(i), (*[BlockSize]byte)(m.Src[j.bytes:])) {
			m.Err, err = errOpen, errOpen
		}
	}
	if err != nil {
		for _, j := range jobs {
			if m := &messages[j.index]; m.Err == nil {
				m.decrypt(j.bytes)
			}
		}
		return err
	}
	for i, j := range jobs {
		m := &messages[j.index]
		b.lanes.Point(i, unsafe.SliceData(m.Dst), unsafe.SliceData(m.Src))
	}
	b.walk(jobs, func(active, lines int) { b.lanes.CTR(jobs[0].rounds, active, lines) }, func(int, int) {})
	return nil
}

// decrypt decrypts what has been found authentic.
func (m *GCMMessage) decrypt(n int) {
	var keys kernel.Keys
	keys.ExpandForward(m.Key)
	keys.CTR(m.Dst[:n], m.Src[:n], kernel.GCMCounter(m.Nonce))
}

// asRead are messages as the kernels for short ones read them.
func asRead(messages []GCMMessage) []kernel.Message {
	return unsafe.Slice((*kernel.Message)(unsafe.Pointer(&messages[0])), len(messages))
}

// sealShort seals short messages that are alike, but for the last few, which it returns.
func (b *bench) sealShort(messages []GCMMessage) (rest []GCMMessage) {
	for len(messages) >= kernel.PerGroup {
		n := min(len(messages), kernel.ShortMessages) &^ (kernel.PerGroup - 1)
		b.lanes.SealShort(asRead(messages[:n]))
		messages = messages[n:]
	}
	return messages
}

// openShort is sealShort for messages to be opened. It sets the Err of those that are not authentic.
func (b *bench) openShort(messages []GCMMessage) (rest []GCMMessage, err error) {
	for len(messages) >= kernel.PerGroup {
		n := min(len(messages), kernel.ShortMessages) &^ (kernel.PerGroup - 1)
		b.lanes.OpenShort(asRead(messages[:n]))
		for i := range messages[:n] {
			m := &messages[i]
			text, tag := m.Src[:len(m.Src)-BlockSize], m.Src[len(m.Src)-BlockSize:]
			if !equal(b.lanes.Tag(i), (*[BlockSize]byte)(tag)) {
				m.Err, err = errOpen, errOpen
				continue
			}
			copy(m.Dst[:len(text)], b.lanes.Opened(i)[:])
		}
		b.lanes.ForgetOpened(n)
		messages = messages[n:]
	}
	return messages, err
}

// equal compares tags in a time that depends on neither.
func equal(a, b *[BlockSize]byte) bool {
	differ := binary.NativeEndian.Uint64(a[:8]) ^ binary.NativeEndian.Uint64(b[:8])
	differ |= binary.NativeEndian.Uint64(a[8:]) ^ binary.NativeEndian.Uint64(b[8:])
	return differ == 0
}

// sealBatch seals up to maxJobs messages.
func (b *bench) sealBatch(messages []GCMMessage) {
	b.n = 0
	for i := range messages {
		if m := &messages[i]; m.inLanes(len(m.Src)) {
			b.add(i, kernel.RoundsOf(len(m.Key)), len(m.Src))
		} else {
			m.seal(kernel.AVX512)
		}
	}
	for jobs := b.sorted(); len(jobs) > 0; {
		n := takeGCM(jobs)
		if n >= leastGCM {
			b.seal(messages, jobs[:n])
		} else {
			for _, j := range jobs[:n] {
				messages[j.index].seal(kernel.AVX512)
			}
		}
		jobs = jobs[n:]
	}
}

// openBatch opens up to maxJobs messages whose Err is nil.
func (b *bench) openBatch(messages []GCMMessage) (err error) {
	b.n = 0
	for i := range messages {
		m := &messages[i]
		switch {
		case m.refused():
			m.Err, err = errOpen, errOpen
		case m.inLanes(len(m.Src) - BlockSize):
			b.add(i, kernel.RoundsOf(len(m.Key)), len(m.Src)-BlockSize)
		case !m.open(kernel.AVX512):
			m.Err, err = errOpen, errOpen
		}
	}
	for jobs := b.sorted(); len(jobs) > 0; {
		n := takeGCM(jobs)
		if n >= leastGCM {
			if wrong := b.open(messages, jobs[:n]); wrong != nil {
				err = wrong
			}
		} else {
			for _, j := range jobs[:n] {
				if m := &messages[j.index]; !m.open(kernel.AVX512) {
					m.Err, err = errOpen, errOpen
				}
			}
		}
		jobs = jobs[n:]
	}
	return err
}

// xorBatch does up to maxJobs messages of CTR.
func (b *bench) xorBatch(messages []CTRMessage) {
	b.n = 0
	for i := range messages {
		m := &messages[i]
		at := kernel.LoadCounter((*[BlockSize]byte)(m.IV))
		switch {
		case len(m.Src) == 0:
		case m.Key != nil && len(m.Src) <= laneCTR && !at.Wraps(len(m.Src)+lineSize):
			b.add(i, kernel.RoundsOf(len(m.Key)), len(m.Src))
		default:
			m.xor(kernel.AVX512)
		}
	}
	for jobs := b.sorted(); len(jobs) > 0; {
		n := take(jobs)
		if n >= leastCTR {
			b.xor(messages, jobs[:n])
		} else {
			for _, j := range jobs[:n] {
				messages[j.index].xor(kernel.AVX512)
			}
		}
		jobs = jobs[n:]
	}
}

func (b *bench) xor(messages []CTRMessage, jobs []job) {
	b.begun = max(b.begun, len(jobs))
	for i, j := range jobs {
		m := &messages[j.index]
		b.lanes.BeginCTR(i, unsafe.SliceData(m.Dst), unsafe.SliceData(m.Src), (*[BlockSize]byte)(m.IV))
		b.lanes.RawKey(i, &m.Key[0])
	}
	b.expand(len(jobs), len(messages[jobs[0].index].Key))
	b.walk(jobs, func(active, lines int) { b.lanes.CTR(jobs[0].rounds, active, lines) }, func(int, int) {})
}
