package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cryptogauge/cryptogauge/internal/command/scripts"
)

// httpserver is a command for the scripts: it starts a server on 127.0.0.1 that ends with the script. PLAIN
// and SECURE are its URLs; ca.pem is the root of its certificate, me.pem and me.key are a client's of it.
//
//	/            a page of 1,000 bytes
//	/missing     404
//	/wrong       another page, but the first time
//	/hangs       never ends, but the first time
//	/asks        the page, to a client with a certificate
//	/counts      the page; once it was asked for 20 times, the file counted holds a line
func httpserver(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 0, "httpserver")
	pair, roots := scriptCertificates(ts)
	secured := &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: roots,
		NextProtos: []string{"h2", "http/1.1"}}
	for _, tlsConfig := range []*tls.Config{nil, secured} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		ts.Check(err)
		s := &http.Server{Handler: scriptPages(filepath.Join(ts.MkAbs("."), "counted")), ErrorLog: log.New(io.Discard, "", 0)}
		name, url := "PLAIN", "http://"+l.Addr().String()
		if tlsConfig != nil {
			name, url, l = "SECURE", "https://"+l.Addr().String(), tls.NewListener(l, tlsConfig)
		}
		ts.Setenv(name, url)
		go s.Serve(l)
		ts.Defer(func() { s.Close() })
	}
}

func scriptPages(counted string) http.Handler {
	page, pages := fmt.Sprintf("%01000d", 7), http.NewServeMux()
	once := func(first func(w http.ResponseWriter), then http.HandlerFunc) http.HandlerFunc {
		turn := make(chan struct{}, 1)
		turn <- struct{}{}
		return func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-turn:
				first(w)
			default:
				then(w, r)
			}
		}
	}
	right := func(w http.ResponseWriter) { fmt.Fprint(w, page) }
	pages.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { right(w) })
	pages.HandleFunc("/wrong", once(right, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "another") }))
	pages.HandleFunc("/hangs", once(right, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	pages.HandleFunc("/asks", func(w http.ResponseWriter, r *http.Request) {
		if r.TLS == nil || len(r.TLS.VerifiedChains) == 0 {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		right(w)
	})
	var n atomic.Int64
	pages.HandleFunc("/counts", func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 20 {
			_ = os.WriteFile(counted, []byte("20 times\n"), 0o600)
		}
		right(w)
	})
	return pages
}

// scriptCertificates are the server's, and the roots that it trusts.
func scriptCertificates(ts *testscript.TestScript) (tls.Certificate, *x509.CertPool) {
	made := func(of, by *x509.Certificate, key, signer *ecdsa.PrivateKey) *x509.Certificate {
		der, err := x509.CreateCertificate(rand.Reader, of, by, &key.PublicKey, signer)
		ts.Check(err)
		certificate, err := x509.ParseCertificate(der)
		ts.Check(err)
		return certificate
	}
	write := func(name, kind string, der []byte) {
		ts.Check(os.WriteFile(filepath.Join(ts.MkAbs("."), name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
	}
	var keys [3]*ecdsa.PrivateKey
	for i := range keys {
		var err error
		keys[i], err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		ts.Check(err)
	}
	ends := time.Now().Add(time.Hour)
	rootOf := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "root"}, NotAfter: ends, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	root := made(rootOf, rootOf, keys[0], keys[0])
	leaf := func(n int64, use x509.ExtKeyUsage, key *ecdsa.PrivateKey) *x509.Certificate {
		return made(&x509.Certificate{SerialNumber: big.NewInt(n), NotAfter: ends, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{use}}, root, key, keys[0])
	}
	write("ca.pem", "CERTIFICATE", root.Raw)
	write("me.pem", "CERTIFICATE", leaf(2, x509.ExtKeyUsageClientAuth, keys[1]).Raw)
	private, err := x509.MarshalPKCS8PrivateKey(keys[1])
	ts.Check(err)
	write("me.key", "PRIVATE KEY", private)
	roots := x509.NewCertPool()
	roots.AddCert(root)
	return tls.Certificate{Certificate: [][]byte{leaf(3, x509.ExtKeyUsageServerAuth, keys[2]).Raw}, PrivateKey: keys[2]}, roots
}
