package reason

import (
	"slices"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

// legacy are sentences of run files of earlier versions that are worded otherwise now.
var legacy = []sentence{
	{code: "allocations", en: "fewer than no allocations"},
	{code: "walk", en: "the steps were not walked to their end"},
	{code: "update-bytes", en: "update of %s takes more than %s bytes at a time"},
	{code: "gogc-off", en: "without a collector (GOGC=off) nothing can be said about what it costs"},
	{code: "window-worker", en: "the collector's windows need a worker that times them"},
	{code: "bad-private", en: "the private key is none: %s"},
	{code: "bad-reply", en: "the reply is none: %s"},
	{code: "behind",
		en: "the generator of the requests was up to %s behind its schedule in %s of %s blocks, more than %s: what it says there is of itself"},
	{code: "goroutines-memory", en: "%s goroutines take about %s MiB, and %s MiB of memory are to be had"},
	{code: "heap-memory",
		en: "a live heap of %s grows to %s between collections at GOGC=%s, and %s of memory are to be had"},
	{code: "made-last", en: "with the context that was set up last: %s"},
	{code: "made-last", en: "with the handle made last: %s"},
	{code: "no-judge", en: "nobody judges %s"},
	{code: "no-judge", en: "nobody judges many digests of %s"},
	{code: "no-judge", en: "nobody judges streams of %s"},
	{code: "no-judge", en: "nobody judges the envelope %s"},
	{code: "no-judge-operation", en: "nobody judges the operation %q of %s"},
	{code: "no-keys", en: "nobody has keys for %s"},
	{code: "no-server", en: "it is no service"},
	{code: "rsa-equation", en: "of the key it does not hold that %s"},
	{code: "owner-unknown", en: "%s: its owner can't be told"},
	{code: "stat-fit-fixed",
		en: "the fixed cost can't be told from the residuals, even at %s bytes: smaller sizes would show it"},
	{code: "public-length", en: "what the other party sent is too short"},
	{code: "random-length", en: "%s random bytes were drawn, and %s were asked for"},
	{code: "random-same", en: "the bytes that were drawn are all zero, or those of the draw before"},
	{code: "service-connections", en: "there were %s connections for %s"},
	{code: "usual-rate", en: "%s; times are given at its usual rate, of which they follow %s"},
	{code: "goroutines-wrong", en: "of %s outputs of %s goroutines at once %s were wrong, the first so: %s"},
	{code: "blowfish-tables", en: "Blowfish looks up tables by what is derived of the password"},
	{code: "schedule-table", en: "the key schedule looks the S-box up in a table"},
	{code: "ghash-tables",
		en: "without carry-less multiplication its GHASH looks up tables that depend on the key"},
	{code: "aes-tables",
		en: "without AES instructions crypto/aes looks secrets up in tables, by its own documentation"},
	{code: "sm4-c-tables", en: "SM4 in C looks secrets up in tables (crypto/sm4/sm4.c)"},
	{code: "mask-tables",
		en: "the wide kernels look nothing up, but the tag's mask goes through the single-block path, which uses tables by gmsm's own documentation"},
	{code: "aes-ni-openssl",
		en: "AES instructions take the same time for all data, and OpenSSL's assembly around them looks nothing up by secrets"},
}

// legacyNotes are notes of run files of earlier versions, and how they are worded now.
var legacyNotes = [][2]string{
	{"Go puts EVP's parts together, framed by the laboratory",
		"Go puts EVP's parts together, in cryptogauge's own format"},
	{"a nonce of prefix, chunk number and last-chunk mark (the laboratory's framing)",
		"a nonce of prefix, chunk number and last-chunk mark (cryptogauge's own format)"},
	{"authenticates both parties by long-term keys known beforehand, with the digests of their identities, where the others agree with anybody",
		"authenticates both parties by long-term keys known beforehand, with the digests of their identities, where the other schemes authenticate nobody"},
	{"objects of Botan's, destroyed when Go's collector finds them dead",
		"objects of Botan's, destroyed when Go's garbage collector finds them dead"},
	{"framed by the laboratory, not as %s", "cryptogauge's own format, not %s"},
	{"put together of crypto/mlkem and crypto/ecdh as TLS 1.3 does",
		"built from crypto/mlkem and crypto/ecdh as in TLS 1.3"},
	{"source and sink in memory, one copy each a chunk, over 1 MiB or a chunk again and again",
		"source and sink in memory, each chunk copied once in and once out, both buffers 1 MiB (or one chunk, if longer) and reused"},
	{"the fastest of the workarounds at 4 KiB, by a look when it was opened",
		"the fastest of the workarounds at 4 KiB, by a short measurement beforehand"},
	{"the key came without its primes, so that nothing can be split by them",
		"the key came without its primes, so CRT can't be used"},
	{"what is sent is where they begin", "only the start index of each batch is sent"},
}

// Words are those of an English sentence that has no code beside it.
func Words(english string) language.Text { return Text(Parse(english)) }

// Parse is the reason that an English sentence gives, such as one of a run file that
// has no codes. The sentence with the most letters of its own is it; one that nobody
// here words is foreign.
func Parse(english string) result.Cause {
	if best, args := closest(patterns(), english); best != nil {
		return parsed(best.code, args)
	}
	if i := strings.LastIndex(english, and); i >= 0 {
		first, second := Parse(english[:i]), Parse(english[i+len(and):])
		if first.Code != foreign && second.Code != foreign {
			return Cause("and", first, second)
		}
	}
	return Foreign(english)
}

// and stands between two reasons in one sentence.
const and = ", and "

// closest is the pattern of a sentence that has the most letters of its own, and its arguments.
func closest(ps []pattern, english string) (best *pattern, args []string) {
	for i := range ps {
		if p := &ps[i]; best == nil || p.literal > best.literal {
			if kept, ok := p.match(english); ok {
				best, args = p, kept
			}
		}
	}
	return best, args
}

// parsed is a cause whose arguments were cut out of a sentence: those that are
// sentences themselves are parsed too.
func parsed(code string, args []string) result.Cause {
	c := result.Cause{Code: code, Args: make([]result.Argument, len(args))}
	for i, arg := range args {
		c.Args[i].Text = arg
		inner := Parse(arg)
		_, system := language.System(arg)
		if system || inner.Code != foreign || strings.Contains(arg, " ") {
			c.Args[i] = result.Argument{Cause: &inner}
		}
	}
	return c
}

// pattern is what stands between the arguments of a sentence.
type pattern struct {
	sentence
	pieces  []string
	literal int // letters that are the sentence's own
}

// Of how many letters of its own a sentence is known: one that begins with an argument
// could be many.
const leastLiteral, leastBehind = 8, 12

var patterns = sync.OnceValue(func() []pattern {
	var ps []pattern
	for _, s := range slices.Concat(table(), legacy) {
		p := patternOf(s)
		if pieces := p.pieces; len(pieces) == 1 || p.literal >= leastBehind || p.literal >= leastLiteral && pieces[0] != "" {
			ps = append(ps, p)
		}
	}
	return ps
})

func patternOf(s sentence) pattern {
	pieces := strings.Split(strings.NewReplacer("%q", `"%s"`, "%%", "%").Replace(s.en), "%s")
	return pattern{s, pieces, len(strings.Join(pieces, ""))}
}

// match cuts the arguments out of a sentence: each is as short as can be, and the last
// takes the rest.
func (p *pattern) match(text string) (args []string, ok bool) {
	last := len(p.pieces) - 1
	if last == 0 {
		return nil, text == p.pieces[0]
	}
	if text, ok = strings.CutPrefix(text, p.pieces[0]); !ok {
		return nil, false
	}
	for _, piece := range p.pieces[1:last] {
		arg, rest, found := strings.Cut(text, piece)
		if !found || arg == "" {
			return nil, false
		}
		args, text = append(args, arg), rest
	}
	text, ok = strings.CutSuffix(text, p.pieces[last])
	return append(args, text), ok && text != ""
}
