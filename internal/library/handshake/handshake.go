// Package handshake is the timed loop of TLS handshakes: a client and a server of
// crypto/tls in one process, which meet in memory or over the loopback interface.
//
//	shape.go   what a case asks for: key exchange, certificate, resumed or not, transport
//	pair.go    the certificates and configurations of both sides, made once
//	memory.go  both sides on one thread, taking turns, and a connection between them
//	tcp.go     the server on goroutines of its own behind a listener on 127.0.0.1
//	hello.go   what the first messages say, read off the wire
//	meeting.go connections one after the other, and what is recorded of them
//	operation.go the operation and its judgement
//	transcript.go the handshake replayed by the reference
//	empty.go   the same connections without TLS
//
// # What a call is
//
// One handshake, from making both tls.Conn to the moment at which the client has
// read one byte of application data that the server sent back, and with it the
// tickets before it. Certificates are verified by the client against a root that it
// trusts; the server asks for none. Nothing is closed with an alert.
//
// # In memory
//
// Client and server are coroutines of one thread. When the client reads and there
// is nothing to read, the server runs until it waits in turn, and back: as many
// switches as there are flights. No scheduler, no other thread and no second CPU
// has a part in it, neither side can wait for ever (where both wait, that is an
// error), and the thread's clock, read at each switch, tells what each side costs.
//
// # Clocks
//
// The headline is the process's CPU time, so that the collector's work on other
// threads counts, which handshakes give it plenty of, and over TCP the server's.
// What is divided by side is the thread's CPU time, without the collector. Latencies
// are wall time, of both sides together.
//
// Another library's TLS (RFC 8998, TLCP) joins with sides of its own: meetings do not
// know whose handshakes they time.
package handshake
