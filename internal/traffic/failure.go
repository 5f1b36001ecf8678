package traffic

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Failure is a kind of what goes wrong with a request.
type Failure string

const (
	Refused     Failure = "refused"
	Reset       Failure = "reset"
	Timeout     Failure = "timeout"
	NotSent     Failure = "not_sent"
	Status      Failure = "status"
	WrongBody   Failure = "wrong_body"
	CutShort    Failure = "cut_short"
	Untrusted   Failure = "tls"
	NoName      Failure = "name"
	Descriptors Failure = "descriptors"
	Ports       Failure = "ports"
	NoHTTP2     Failure = "http2"
	LongHeader  Failure = "long_header"
	Other       Failure = "other"
)

// Failures are all kinds, in the order in which they are reported.
var Failures = []Failure{Refused, Reset, Timeout, NotSent, Status, WrongBody, CutShort, Untrusted, NoName, Descriptors, Ports, NoHTTP2, LongHeader, Other}

// Text says what went wrong.
func (f Failure) Text() language.Text {
	if f == LongHeader {
		return language.Say("the answer's header is longer than %s", "响应头超过 %s", language.FormatSize(MostHeader))
	}
	return cmp.Or(map[Failure]language.Text{
		Refused:     {EN: "connection refused", ZH: "连接被拒绝"},
		Reset:       {EN: "connection reset or closed before the answer", ZH: "响应之前连接被重置或关闭"},
		Timeout:     {EN: "no whole answer in time", ZH: "超时未收到完整响应"},
		NotSent:     {EN: "not sent: no connection was free in time", ZH: "未发出：超时仍无空闲连接"},
		Status:      {EN: "wrong status", ZH: "状态码不符"},
		WrongBody:   {EN: "wrong body", ZH: "响应正文不符"},
		CutShort:    {EN: "answer ended too early", ZH: "响应不完整"},
		Untrusted:   {EN: "TLS handshake failed", ZH: "TLS 握手失败"},
		NoName:      {EN: "name not found", ZH: "域名解析失败"},
		Descriptors: {EN: "this program has no file descriptor left (ulimit -n)", ZH: "本程序文件描述符已用尽（ulimit -n）"},
		Ports:       {EN: "no local port is free", ZH: "本机端口已用尽"},
		NoHTTP2:     {EN: "the server speaks no HTTP/2", ZH: "服务器不支持 HTTP/2"},
	}[f], language.Text{EN: "other", ZH: "其他"})
}

// failure is an error whose kind is known where it arises.
type failure struct {
	kind Failure
	error
}

func (f *failure) Unwrap() error { return f.error }

// KindOf says what kind of failure an error is.
func KindOf(err error) Failure {
	var known *failure
	var timeout interface{ Timeout() bool }
	var name *net.DNSError
	switch {
	case errors.As(err, &known):
		return known.kind
	case errors.Is(err, syscall.ECONNREFUSED):
		return Refused
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return Descriptors
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return Ports
	case errors.As(err, &name):
		return NoName
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded),
		errors.As(err, &timeout) && timeout.Timeout():
		return Timeout
	case ofTLS(err):
		return Untrusted
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF):
		return Reset
	case errors.Is(err, io.ErrUnexpectedEOF):
		return CutShort
	}
	return Other
}

// Plain is what an error says beyond its kind, with nothing in it that a terminal obeys. Words of the library that
// have no Chinese are quoted there.
func Plain(err error) language.Text {
	var verification *tls.CertificateVerificationError
	var operation *net.OpError
	var known *failure
	switch kind := KindOf(err); {
	case errors.As(err, &known):
		err = known.error
	case errors.As(err, &verification): // before it stand words of package tls
		err = verification.Err
	case kind == Refused && errors.As(err, &operation) && operation.Addr != nil:
		return language.Same(operation.Addr.String())
	}
	text := language.Of(err)
	if text.ZH == text.EN && known == nil {
		return language.Text{EN: printable(text.EN), ZH: "“" + printable(text.ZH) + "”"}
	}
	return language.Text{EN: printable(text.EN), ZH: printable(text.ZH)}
}

// Say says what went wrong with a request, and what helps.
func (t *Target) Say(err error) language.Text {
	kind := KindOf(err)
	var unknown x509.UnknownAuthorityError
	switch {
	case kind == NoHTTP2 && t.TLS == nil:
		return language.Text{EN: "the server speaks no HTTP/2 without TLS", ZH: "服务器不支持不带 TLS 的 HTTP/2"}
	case kind == NoHTTP2, kind == LongHeader:
		return kind.Text()
	case t.withheld.Load() && (kind == Untrusted || kind == Reset):
		return language.Text{EN: "the server accepts no certificate of the issuer of --cert, so none was sent",
			ZH: "服务器不接受 --cert 证书的签发者，因此未发送客户端证书"}
	case t.asked.Load() && (kind == Untrusted && !refusedByUs(err) || kind == Reset):
		return language.Say("%s: %s; the server asks for a client's certificate: give --cert and --key",
			"%s：%s；服务器要求客户端证书：请用 --cert 与 --key 给出", kind.Text(), Plain(err))
	case kind == Other:
		return Plain(err)
	case errors.As(err, &unknown) && t.TLS.RootCAs == nil:
		return language.Say("%s: %s; give the certificate of its authority with --ca FILE", "%s：%s；请用 --ca FILE 给出其签发机构的证书", kind.Text(), Plain(err))
	}
	return language.Say("%s: %s", "%s：%s", kind.Text(), Plain(err))
}

// refusedByUs says whether it is the server's certificate that was refused.
func refusedByUs(err error) bool {
	_, ours := errors.AsType[*tls.CertificateVerificationError](err)
	return ours
}

// ofTLS says whether a handshake failed by what one side holds against the other.
func ofTLS(err error) bool {
	var alert *net.OpError // of which crypto/tls makes one when the other side objects
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	return errors.As(err, &alert) && alert.Op == "remote error" || errors.As(err, &verification) || errors.As(err, &record) ||
		errors.As(err, &unknown) || errors.As(err, &invalid) || errors.As(err, &host)
}
