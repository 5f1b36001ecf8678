package access

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"net"
	"os"
	"strconv"
	"syscall"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Request is what the user asks for.
type Request struct {
	Listen           string // HOST:PORT
	TokenFile        string
	Certificate, Key string // files of PEM
	Insecure         bool   // no TLS off loopback: something else encrypts

	// What Check has read.
	at         string
	loopback   bool
	checkedTLS *tls.Config
	token      *Token
}

// Check reads the token and the certificate, and refuses what would be open to others. Nothing listens yet.
func (r *Request) Check() (err error) {
	at, err := net.ResolveTCPAddr("tcp", r.Listen)
	if err != nil || r.Listen == "" {
		return language.Errorf("--listen %q: give an address and a port, such as 127.0.0.1:8473", "--listen %q：请给出地址与端口，例如 127.0.0.1:8473", r.Listen)
	}
	r.at, r.loopback = at.String(), at.IP.IsLoopback()
	if r.TokenFile != "" {
		if r.token, err = ReadToken(r.TokenFile); err != nil {
			return err
		}
	}
	if (r.Certificate == "") != (r.Key == "") {
		return language.Errorf("--tls-cert and --tls-key belong together: give both", "--tls-cert 与 --tls-key 须同时给出")
	}
	if r.Certificate != "" {
		pair, err := tls.LoadX509KeyPair(r.Certificate, r.Key)
		var unread *fs.PathError
		switch {
		case errors.As(err, &unread):
			return language.Errorf("--tls-cert, --tls-key: %w", "--tls-cert、--tls-key：%s", unread)
		case err != nil:
			return language.Errorf("--tls-cert %s, --tls-key %s: give a certificate and its private key, in PEM",
				"--tls-cert %s、--tls-key %s：请给出 PEM 格式的证书及其私钥", r.Certificate, r.Key)
		}
		r.checkedTLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	return r.open()
}

// open refuses an address that others reach without a token or without TLS.
func (r *Request) open() error {
	switch {
	case r.loopback:
		return nil
	case r.token == nil:
		return language.Errorf("--listen %s: others reach that address: give a file that holds a token with --token-file, or listen on 127.0.0.1",
			"--listen %s：该地址可被其他机器访问：请用 --token-file 指定存有令牌的文件，或改为监听 127.0.0.1", r.Listen)
	case r.checkedTLS == nil && !r.Insecure:
		return language.Errorf("--listen %s: without TLS the token is seen on the way: give --tls-cert and --tls-key, or --insecure where something else encrypts",
			"--listen %s：没有 TLS，令牌在传输途中可被看到：请给出 --tls-cert 与 --tls-key；若另有加密，可用 --insecure", r.Listen)
	}
	return nil
}

// Address is what a browser opens.
func (r *Request) Address(l net.Listener) string {
	scheme := "http"
	if r.checkedTLS != nil {
		scheme = "https"
	}
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return l.Addr().String()
	}
	if ip := net.ParseIP(host); ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/"
}

// Open listens. The listener speaks TLS where there is a certificate.
func (r *Request) Open() (net.Listener, error) {
	l, err := net.Listen("tcp", r.at)
	if err != nil {
		return nil, r.explain(err)
	}
	if r.checkedTLS != nil {
		l = tls.NewListener(l, r.checkedTLS)
	}
	return l, nil
}

func (r *Request) explain(err error) error {
	_, port, _ := net.SplitHostPort(r.at)
	number, _ := strconv.Atoi(port) // which ResolveTCPAddr has read
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return language.Errorf("--listen %s: another program listens there; give another port, such as --listen 127.0.0.1:%d",
			"--listen %s：已有其他程序监听该端口；请换一个，例如 --listen 127.0.0.1:%d", r.Listen, number%65535+1)
	case errors.Is(err, syscall.EACCES):
		return language.Errorf("--listen %s: ports below 1024 are for root; give another", "--listen %s：1024 以下的端口须 root 权限；请换一个", r.Listen)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return language.Errorf("--listen %s: this machine does not have that address", "--listen %s：本机没有该地址", r.Listen)
	}
	return language.Errorf("--listen %s: %w", "--listen %s：%s", r.Listen, errors.Unwrap(err))
}
