package parameter

import (
	"math"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
)

// most is the greatest number where a parameter has no bound of its own.
const most = math.MaxInt64

func number[N int | int64](text string, least, most N) Number[N] {
	return Number[N]{name{text, ","}, least, most}
}

func word[W ~string](text string, words ...W) Word[W] { return Word[W]{name{text, ","}, words} }

// Many goroutines that seal with one cipher, in requests of several calls.
var (
	Goroutines = number("goroutines", 1, MostGoroutines)
	Holding    = word("holding", Shared, Own, PerCall, Pooled)
	Request    = number[int64]("request", 1, MostGoroutines)
	Load       = number("load", 1, 100)         // percent of what servers can do at most
	Rate       = number("rate", 1, math.MaxInt) // requests a second
)

// MostGoroutines is more than anyone asks for: each takes some 40 kB beside its stack.
// Nor is a request of more calls.
const MostGoroutines = 1 << 16

type Hold string

const (
	Shared  Hold = "shared" // one for all
	Own     Hold = "own"    // one a goroutine
	PerCall Hold = "new"    // a new one a message
	Pooled  Hold = "pool"   // one a message from a sync.Pool, given back after it
)

// A call that replays a mix of message sizes takes so many messages.
var (
	Sizes    = word("sizes", Mix)
	Messages = number[int64]("messages", 1, MostMessages)
)

const MostMessages = 10_000_000

// Mix says that sizes are drawn from the run's histogram.
const Mix = "mix"

// How many messages are hashed (with Messages), and how one message is handed over to
// a library (with Call).
var (
	Way     = word("way", ways...)
	Workers = number("workers", 1, 1<<12) // goroutines, where the way has a number of them
	Batch   = number("batch", 1, 1<<16)   // messages an item of the channel; or in one crossing into C
	Call    = number[int64]("call", 1, most)
	Keys    = number[int64]("keys", 1, MostMessages) // that messages share among them
)

type Manner string

// The ways to hash, authenticate or encrypt many messages.
const (
	New        Manner = "new"         // New, Write, Sum(nil)
	Sum        Manner = "sum"         // md5.Sum and its like
	Pool       Manner = "pool"        // sync.Pool, Sum(nil)
	PoolBuffer Manner = "pool-buffer" // sync.Pool, Sum into a buffer
	StringCopy Manner = "string-copy" // of strings, copied into a slice
	StringView Manner = "string-view" // of strings, in place
	Spawn      Manner = "spawn"       // a goroutine each
	Channel    Manner = "channel"     // a worker pool, batch messages an item
	Counter    Manner = "counter"     // a worker pool that takes the next message from a counter
	Split      Manner = "split"       // a range each
	Lanes      Manner = "lanes"       // many at once on one core
	Kept       Manner = "kept"        // under keys that were made ready before, one message after the other
	LanesNew   Manner = "lanes-new"   // many at once on one core, under raw keys
)

// The ways to hand one message over.
const (
	Update  Manner = "update"  // in a stream of calls, as people use it
	Final   Manner = "final"   // so that every call is told to be the last
	Oneshot Manner = "oneshot" // all of it in the call that also ends it
	Blocks  Manner = "blocks"  // the block function, with the mode around it by the caller
)

var ways = []Manner{New, Sum, Pool, PoolBuffer, StringCopy, StringView, Spawn, Channel, Counter, Split, Lanes, Kept, LanesNew,
	Update, Final, Oneshot, Blocks}

// Big files: streams that are sealed in chunks, and files that are hashed.
var (
	Chunk    = number[int64]("chunk", 0, most) // MinChunk to MaxChunk: who opens a case refuses others
	IO       = word("io", Memory, File)
	Data     = word("data", Records, Text, Zeros, Random, Sampled)
	Compress = word("compress", Uncompressed, Zstd)
	Buffer   = word("buffer", OnStack, PerFile, FromPool, CopyLoop, MemoryMap)
)

// The least and the largest chunk, in bytes. Some buffers of package bulkhash take fewer sizes.
const (
	MinChunk = 1 << 10
	MaxChunk = 64 << 20
)

// End is where a stream comes from and goes to.
type End string

const (
	Memory End = "memory"
	File   End = "file"
)

type Kind string

const (
	Random  Kind = "random"
	Records Kind = "records" // rows of a table, 64 bytes each, like a database's pages
	Text    Kind = "text"    // English prose, ASCII
	Zeros   Kind = "zeros"
	Bitmap  Kind = "bitmap" // an uncompressed drawing, 4 bytes a pixel; of no stream
	Sampled Kind = "sample" // the user's, which nobody draws
)

// Compression is what a stream is compressed with before it is sealed.
type Compression string

const (
	Uncompressed Compression = "none"
	Zstd         Compression = "zstd"
)

// Reading is where the buffer comes from that a file is read into.
type Reading string

// The ways to read a file.
const (
	OnStack   Reading = "stack"   // an array of the function that reads
	PerFile   Reading = "call"    // made for each file
	FromPool  Reading = "pool"    // out of a sync.Pool
	CopyLoop  Reading = "io.Copy" // io.Copy(hash, file), which makes one of 32 KiB
	MemoryMap Reading = "mmap"    // none: the file is mapped, and hashed where it lies
)

// What Go's garbage collector is asked.
var (
	Buffers = word("buffers", Reused, Fresh, Recycled)
	Heap    = number[int64]("heap", 0, most) // live bytes beside the operation
)

// Buffering is what a caller does about the buffers of an operation.
type Buffering string

const (
	Reused   Buffering = "reused" // made once
	Fresh    Buffering = "fresh"  // made for each call, and left to the collector
	Recycled Buffering = "pool"   // from a sync.Pool, and back
)

var (
	Resumed   = word("resumed", Yes, No)
	Transport = word("transport", InMemory, TCP)
)

type Answer string

const (
	Yes Answer = "yes"
	No  Answer = "no"
)

// Connection is what a handshake is spoken over.
type Connection string

const (
	InMemory Connection = "memory"
	TCP      Connection = "tcp"
)

// Connections says over which connections the requests of a service come.
var Connections = word("connections", KeptOnes, NewOnes, ResumedOnes)

// Suite is the cipher of TLS 1.3 that a connection has, where it has no choice.
var Suite = word("suite", algorithm.Suites()...)

type Reuse string

const (
	KeptOnes    Reuse = "kept"    // one after the other over the same
	NewOnes     Reuse = "new"     // each over its own
	ResumedOnes Reuse = "resumed" // each over its own, which resumes a session of TLS
)

// How keys are held, padded, drawn and used.
var (
	ContentKey  = word("key", KeyReused)    // of an envelope: wrapped once, before the first message
	Padding     = word("padding", PKCS7)    // of CBC in a composite
	CRT         = word("crt", No)           // RSA's private key has no primes
	Precomputed = word("precomputed", No)   // nor what is computed from them
	ZA          = word("za", Beforehand)    // the digest of an SM2 signer's identity
	Draws       = number("draws", 1, 1<<20) // RSA keys in a block
	Message     = number("message", 0, MostMessage)
	Busy        = number("busy", 1, 1<<12) // CPUs that do the same at once
	Sessions    = number("sessions", 1, MostSessions)
)

// MostSessions is how many callers may do the same at once, each in a session of its own with a token, and wait for it.
const MostSessions = 1 << 10

// MostMessage is more bytes than any key pair here can encrypt.
const MostMessage = 1 << 16

const (
	KeyReused  = "reused"
	PKCS7      = "pkcs7"
	Beforehand = "precomputed"
)

// How much work a password hash is, by the letters of its standard.
var (
	Cost       = number("cost", 4, 31)                   // of bcrypt: 2^cost expansions of the key
	Iterations = number[int64]("iterations", 1, 1<<32-1) // of PBKDF2
	N          = number[int64]("n", 2, 1<<30)            // of scrypt, a power of two
	R          = number("r", 1, 1<<10)                   // of scrypt: the block, in 128 bytes
	P          = number("p", 1, 1<<24-1)                 // of scrypt, and of Argon2id: lanes
	M          = number[int64]("m", 8, 1<<32-1)          // of Argon2id: memory, in KiB
	T          = number[int64]("t", 1, 1<<32-1)          // of Argon2id: passes over it
)

// A configuration of secrets: how many, of how many bytes, and when each is opened.
var (
	Secrets = number[int64]("secrets", 1, 1_000_000)
	Each    = number[int64]("each", 1, 1<<20)
	Opened  = word("opened", Never, AtStart, OnUse, OnFirst)
)

type Opening string

const (
	Never   Opening = "never" // they are plain
	AtStart Opening = "start"
	OnUse   Opening = "use"   // each time
	OnFirst Opening = "first" // on first use, and kept
)

// The whole parameters of cases that have but one of those.
var (
	ReusedKey     = ContentKey.Is(KeyReused)
	PKCS7Padding  = Padding.Is(PKCS7)
	WithoutCRT    = CRT.Is(No)
	NotComputed   = Precomputed.Is(No)
	PrecomputedZA = ZA.Is(Beforehand)
)

// What the laboratory measures of itself and of Go.
var (
	Count = number[int64]("count", 1, MostMessages) // goroutines started at once
	Steps = number[int64]("steps", 1, most)
	Calls = number("calls", 1, 1<<20) // made for every one that is asked for
)
