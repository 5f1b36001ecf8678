// Package abnormal holds inputs that no benchmark times and every service meets: nothing at all, one byte, a byte more or
// less than a block, texts that a mode does not take, and texts that were changed on their way. Each has what a library
// must do with it: give the right output, or refuse.
//
// What must be done is the standards': ECB and CBC take whole blocks and nothing else (NIST SP 800-38A §5.2), of which
// none are a number; the other modes, hashes and MACs take any length (SP 800-38A §6.3–6.5, SP 800-38D §5.2.1.1, RFC
// 8439 §2.8, FIPS 180-4 §5.1); an authenticated mode gives no plaintext for what was not sealed (SP 800-38D §7.2,
// SP 800-38C §6.2, RFC 8439 §4). How a refusal looks is the caller's contract: an error, but for Go's cipher.Block and
// cipher.BlockMode, which have none and panic (package crypto/cipher).
package abnormal

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Change is what happened to a text on its way.
type Change string

const (
	Unchanged Change = ""
	WrongTag  Change = "wrong-tag" // a bit of the tag is flipped
	CutText   Change = "cut-text"  // the last byte before the tag is missing
	CutEnd    Change = "cut-end"   // the last byte is missing
	NoTag     Change = "no-tag"    // there are fewer bytes than a tag has
)

// Input is an abnormal input of a case: its bytes are those of the text, before anything happened to it.
type Input struct {
	result.Case
	Change Change
}

// block is that of AES and SM4.
const block = 16

// changedBytes is how long texts are that are changed; longer than a block.
const changedBytes = 64

// Inputs are those of a case and of who does it, of whatever size the case is; none where it is not asked.
func Inputs(c result.Case, who result.Subject) (all []Input) {
	if c.Parameters != "" && c.Mode != algorithm.Composite(c.Algorithm) || who.Environment != "" {
		return nil
	}
	unit, asked := unitOf(c)
	if !asked {
		return nil
	}
	for _, n := range []int64{0, 1, unit - 1, unit + 1} {
		all = append(all, sized(c, n))
	}
	if algorithm.WholeBlocks(c.Mode) {
		all = append(all, sized(c, 100))
	}
	if c.Operation != algorithm.Decrypt || !algorithm.Authenticates(c.Algorithm, c.Mode) {
		return all
	}
	changes := []Change{WrongTag, CutText}
	if !subject.Crosses(who.CallPath) { // a caller in C tells text and tag apart
		changes = append(changes, CutEnd, NoTag)
	}
	for _, change := range changes {
		all = append(all, Input{sized(c, changedBytes).Case, change})
	}
	return all
}

func sized(c result.Case, n int64) Input {
	c.Bytes = n
	return Input{Case: c}
}

// unitOf is the block around which lengths are tried.
func unitOf(c result.Case) (bytes int64, asked bool) {
	switch kind := algorithm.Of(c.Algorithm).Kind; {
	case kind == algorithm.BlockCipher && (c.Mode == algorithm.OneBlock || c.Mode == ""):
		return 0, false
	case kind == algorithm.BlockCipher, kind == algorithm.KeyStream, kind == algorithm.AEAD:
		return block, c.Operation == algorithm.Encrypt || c.Operation == algorithm.Decrypt
	case kind == algorithm.HashFunction || kind == algorithm.KeyedHash:
		return hashBlock(c.Algorithm), c.Operation == algorithm.Hash || c.Operation == algorithm.MAC
	}
	return 0, false
}

// hashBlock is how many bytes a hash takes at once: FIPS 180-4 §1, FIPS 202 table 3, RFC 7693 §2.1, GB/T 32905-2016.
func hashBlock(name algorithm.Name) int64 {
	switch name {
	case algorithm.SHA384, algorithm.SHA512, algorithm.BLAKE2b512:
		return 128
	case algorithm.SHA3of256:
		return 136
	case algorithm.SHA3of512:
		return 72
	}
	return 64
}

// Refused says whether an input must be refused.
func (i Input) Refused() bool {
	return i.Change != Unchanged || algorithm.WholeBlocks(i.Mode) && i.Bytes%block != 0
}

// Outcome is what a library did with an input.
type Outcome string

const (
	Accepted Outcome = "accepted" // with the right output; of what must be refused, with any
	Refused  Outcome = "refused"  // by an error
	Panicked Outcome = "panicked"
	Wrong    Outcome = "wrong"   // with another output than the right one
	Crashed  Outcome = "crashed" // with its process
)

// Judgement is whether that was as it must be.
type Judgement string

const (
	Right     Judgement = "right"
	TooMuch   Judgement = "too-much"   // it accepts what it must refuse
	TooLittle Judgement = "too-little" // it refuses what it must accept
	Rough     Judgement = "rough"      // it panics or crashes where it should say no, or do it
	Bad       Judgement = "wrong"      // its output is wrong
)

// Judge judges what a library did.
func (i Input) Judge(o Outcome, who result.Subject) Judgement {
	switch {
	case o == Wrong:
		return Bad
	case o == Crashed:
		return Rough
	case o == Panicked && !(i.Refused() && algorithm.WholeBlocks(i.Mode) && !subject.Crosses(who.CallPath)):
		return Rough
	case o == Accepted && i.Refused():
		return TooMuch
	case o == Refused && !i.Refused():
		return TooLittle
	}
	return Right
}

// Decided are the outcomes that count, in the order in which they are told.
func Decided() []Outcome { return []Outcome{Accepted, Refused, Panicked, Wrong, Crashed} }

// Known says whether a worker in another program answered with one of them.
func (o Outcome) Known() bool { return slices.Contains(Decided(), o) }
