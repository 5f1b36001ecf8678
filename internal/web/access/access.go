// Package access says who may read the pages of cryptogauge serve.
//
//	loopback        anybody on this machine, by a name of this machine: a page elsewhere that has its own name lead to
//	                127.0.0.1 (DNS rebinding) is refused by the Host header
//	other addresses whoever has the token, over TLS, unless the user says that something else encrypts
//
// The token comes from a file that others can't read, never from argv or the environment. Programs send it as
// Authorization: Bearer; a person types it once, and the browser keeps a cookie that says until when it is good, under
// a key that this process made and nobody else has. Tokens are compared by their SHA-256 in constant time. After a few
// wrong ones an address has to wait, whatever it sends.
//
// The address is that of the connection. What a proxy says of its clients (X-Forwarded-For) is not believed, since
// anybody can write it, so all clients of a proxy are one address here: behind one, let it limit logins.
//
//	listen.go   what may be listened on
//	tokens.go   tokens and cookies
//	tries.go    how many wrong tokens an address may send
//	guard.go    the handler before all others, and the page on which a token is typed
package access
