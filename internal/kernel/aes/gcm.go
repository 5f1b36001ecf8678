package aes

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

// A Table is H⁹⁶ … H¹ times x, for the products of POLYVAL (RFC 8452, appendix A), and behind them the sum of
// the halves of each, in both halves.
type Table struct {
	//lint:ignore U1000 the kernels write and read it
	power, middle [tablePowers][blockSize]byte
	end           [48]byte // a load of four powers may reach it
}

// few is a table of eight powers, which is what a short message needs.
type few struct {
	power, middle [fewPowers][blockSize]byte
	end           [48]byte
}

const (
	tablePowers = 96
	fewPowers   = 8
	// bulkBytes is one turn of the kernel that hashes while it encrypts: 64 blocks.
	bulkBytes = 64 * blockSize
)

// A Last is what the kernel that ends a message is given beside the text, and the tag that it leaves.
type Last struct {
	mask       [blockSize]byte // the block whose image is added to the hash
	counter    [blockSize]byte // of the first block of the text
	hash       [blockSize]byte // of what came before, byte-swapped
	bits       [2]uint64       // of the whole text, and of the additional data
	Tag        [blockSize]byte
	additional *byte // those that are not in hash
	length     int
}

// A GCM is GCM with one key. Many may use it at once, once Init has been called.
type GCM struct {
	keys   *Keys
	few    few
	hashed atomic.Uint32         // bytes, while there is no whole table
	whole  atomic.Pointer[Table] // made when it pays
}

// Init makes g GCM with the keys.
func (g *GCM) Init(k *Keys) {
	g.keys = k
	wideFewPowers(&g.few.power[0][0], &k.enc)
}

// InitOnce is Init for one message of n bytes with its additional data. Where a table is worth it, it is made in t.
func (g *GCM) InitOnce(k *Keys, t *Table, n int) {
	g.Init(k)
	if n >= worthTable {
		widePowers(&t.power[0][0], &g.few.power[fewPowers-1])
		g.whole.Store(t)
	}
}

// Forget makes g what it was before InitOnce.
func (g *GCM) Forget() {
	g.keys, g.few = nil, few{}
	g.hashed.Store(0)
	g.whole.Store(nil)
}

// worthTable is how many bytes are hashed by few powers before the whole table is made: it takes as long as they
// save.
const worthTable = 8 << 10

// table is the whole table, or nil if so many bytes more aren't worth it.
func (g *GCM) table(n int) *Table {
	if t := g.whole.Load(); t != nil {
		return t
	}
	if n < worthTable && g.hashed.Add(uint32(n)) < worthTable {
		return nil
	}
	return g.makeTable()
}

// makeTable makes the table. Two may make it at once, and either is good.
func (g *GCM) makeTable() *Table {
	t := new(Table)
	widePowers(&t.power[0][0], &g.few.power[fewPowers-1])
	g.whole.Store(t)
	return t
}

// A Once is GCM with a key for one message, for which Short says that it is short.
type Once struct {
	enc Schedule
	few few
}

// Init makes o GCM with a key of 16, 24 or 32 bytes.
func (o *Once) Init(key []byte) {
	o.enc.expand(key)
	wideFewPowers(&o.few.power[0][0], &o.enc)
}

// Short says whether a message is taken by a Once.
func Short(text, additional int) bool { return blocks(text)+blocks(additional) < fewPowers }

// Seal is SealWhole of GCM.
func (o *Once) Seal(dst *byte, nonce []byte, src *byte, n int, additional *byte, length int) {
	var j0 [blockSize]byte
	standardJ0(nonce).store(&j0)
	wideSealWhole(&o.enc, &o.few.middle[0][0], &o.few.end[0], &j0, additional, length, dst, src, n)
}

// Open is OpenWhole of GCM.
func (o *Once) Open(dst *byte, nonce []byte, src *byte, n int, additional *byte, length int) bool {
	var j0 [blockSize]byte
	standardJ0(nonce).store(&j0)
	return wideOpenWhole(&o.enc, &o.few.middle[0][0], &o.few.end[0], &j0, additional, length, dst, src, n)
}

// tableBehind are the ends of the powers and of their sums for a message that the few powers don't take, and nil where
// one call doesn't take it.
func (g *GCM) tableBehind(text, additional int) (power, middle *byte) {
	if blocks(text)+blocks(additional) >= tablePowers {
		return nil, nil
	}
	t := g.table(text + additional)
	if t == nil {
		return nil, nil
	}
	return &t.middle[0][0], &t.end[0]
}

// SealWhole encrypts n bytes at src from J₀ on to dst, and stores the tag of 16 bytes behind
// them. length is that of the additional data. It returns false and has done nothing where one call doesn't take
// the message.
func (g *GCM) SealWhole(dst *byte, j0 Counter, src *byte, n int, additional *byte, length int) bool {
	power, middle := &g.few.middle[0][0], &g.few.end[0]
	if !Short(n, length) {
		power, middle = g.tableBehind(n, length)
	}
	if power == nil || j0.wraps(tablePowers+1) {
		return false
	}
	var block [blockSize]byte
	j0.store(&block) // and no copy: a load of what two stores left would wait for them
	wideSealWhole(&g.keys.enc, power, middle, &block, additional, length, dst, src, n)
	return true
}

// OpenWhole decrypts n bytes at src to dst if the tag behind them is theirs. taken is as SealWhole's result.
func (g *GCM) OpenWhole(dst *byte, j0 Counter, src *byte, n int, additional *byte, length int) (authentic, taken bool) {
	power, middle := &g.few.middle[0][0], &g.few.end[0]
	if !Short(n, length) {
		power, middle = g.tableBehind(n, length)
	}
	if power == nil || j0.wraps(tablePowers+1) {
		return false, false
	}
	var block [blockSize]byte
	j0.store(&block) // and no copy: a load of what two stores left would wait for them
	return wideOpenWhole(&g.keys.enc, power, middle, &block, additional, length, dst, src, n), true
}

// blocks is the number of blocks that n bytes take.
func blocks(n int) int { return (n + blockSize - 1) / blockSize }

// J0 is the first counter for a nonce: SP 800-38D, section 7.1.
func (g *GCM) J0(nonce []byte) Counter {
	if len(nonce) == 12 {
		return standardJ0(nonce)
	}
	return g.hashedJ0(nonce)
}

// standardJ0 is J0 for a nonce of 12 bytes.
func standardJ0(nonce []byte) Counter {
	return Counter{binary.BigEndian.Uint64(nonce), uint64(binary.BigEndian.Uint32(nonce[8:]))<<32 | 1}
}

// hashedJ0 is J0 for any other nonce.
func (g *GCM) hashedJ0(nonce []byte) Counter {
	if blocks(len(nonce)) < fewPowers {
		var j0 [blockSize]byte
		wideHashedCounter(&j0, &g.few, &nonce[0], len(nonce))
		return LoadCounter(&j0)
	}
	// GHASH of the nonce, padded with zeros, and of a block with its length.
	var padded [5 * blockSize]byte
	whole := max(len(nonce)-1, 0) &^ (4*blockSize - 1)
	rest := padded[:blockSize*(blocks(len(nonce)-whole)+1)]
	copy(rest, nonce[whole:])
	binary.BigEndian.PutUint64(rest[len(rest)-8:], uint64(len(nonce))*8)
	var hash [blockSize]byte
	g.update(&hash, nonce[:whole], g.whole.Load())
	g.update(&hash, rest, nil)
	return Counter{binary.LittleEndian.Uint64(hash[8:]), binary.LittleEndian.Uint64(hash[:])}
}

// update adds data to the hash, its last block padded with zeros, by the table if there is one.
func (g *GCM) update(hash *[blockSize]byte, data []byte, t *Table) {
	for len(data) > 0 {
		n := min(len(data), callBytes)
		if t == nil {
			n = min(n, fewBytes)
			wideFewGHASH(hash, &g.few, &data[0], n)
		} else {
			wideGHASH(hash, t, &data[0], n)
		}
		data = data[n:]
	}
}

// fewBytes bounds a call that hashes by few powers: 2 µs.
const fewBytes = 16 << 10

// begin fills in l for a text and additional data, and hashes the latter unless the last call can.
func (g *GCM) begin(l *Last, j0 Counter, t *Table, text int, additional []byte) {
	j0.store(&l.mask)
	j0.plus32(1).store(&l.counter)
	l.bits = [2]uint64{uint64(text) * 8, uint64(len(additional)) * 8}
	if len(additional) == 0 {
		return
	}
	if t == nil || text >= bulkBytes || blocks(len(additional))+blocks(text)+1 > tablePowers {
		g.update(&l.hash, additional, t)
		return
	}
	l.additional, l.length = unsafe.SliceData(additional), len(additional)
}

// powers are those from that of the first block on, where so many blocks are left with additional data and
// lengths.
func (g *GCM) powers(l *Last, t *Table, text int) (power, middle *byte) {
	n := blocks(l.length) + blocks(text) + 1
	if n <= fewPowers {
		return &g.few.power[fewPowers-n][0], &g.few.middle[fewPowers-n][0]
	}
	return &t.power[tablePowers-n][0], &t.middle[tablePowers-n][0]
}

// Seal encrypts src into dst and leaves the tag in l, which is zero before.
func (g *GCM) Seal(l *Last, j0 Counter, dst, src, additional []byte) {
	t := g.table(len(src) + len(additional))
	g.begin(l, j0, t, len(src), additional)
	k := g.keys
	c := j0.plus32(1)
	if t == nil || j0.wraps(uint64(blocks(len(src)))+2) {
		k.ctr32(dst, src, c)
		g.authenticate(l, t, dst[:len(src)])
		return
	}
	for len(src) >= bulkBytes {
		n := min(len(src)&^(bulkBytes-1), callBytes)
		wideSealBulk(&k.enc, t, &l.hash, &dst[0], &src[0], &l.counter, n)
		c = c.plus32(uint32(n / blockSize))
		c.store(&l.counter)
		dst, src = dst[n:], src[n:]
	}
	power, middle := g.powers(l, t, len(src))
	wideSealLast(&k.enc, power, middle, l, unsafe.SliceData(dst), unsafe.SliceData(src), len(src))
}

// Authenticate leaves in l, which is zero before, the tag of a text that is encrypted.
func (g *GCM) Authenticate(l *Last, j0 Counter, text, additional []byte) {
	t := g.table(len(text) + len(additional))
	g.begin(l, j0, t, len(text), additional)
	g.authenticate(l, t, text)
}

// authenticate hashes what the last call can't, and makes it.
func (g *GCM) authenticate(l *Last, t *Table, text []byte) {
	whole := len(text)
	if t != nil {
		whole &^= bulkBytes - 1
	}
	g.update(&l.hash, text[:whole], t)
	text = text[whole:]
	power, middle := g.powers(l, t, len(text))
	wideAuthenticate(&g.keys.enc, power, middle, l, unsafe.SliceData(text), len(text))
}

// Decrypt decrypts what has been found authentic.
func (g *GCM) Decrypt(j0 Counter, dst, src []byte) { g.keys.ctr32(dst, src, j0.plus32(1)) }
