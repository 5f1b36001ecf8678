package traffic

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/userfile"
)

// Options are what a user says of a target, as text.
type Options struct {
	Method, BodyFile           string
	Headers                    []string // Name: value
	HeaderFile                 string   // a line each
	Certificate, Key, CA       string   // files of PEM
	HTTP, Connect              string
	ExpectBodyFile, ExpectHash string
	Status                     int
	Timeout                    time.Duration
}

// Target is one at a URL, ready to be sent to.
func (o Options) Target(ctx context.Context, text string) (*Target, error) {
	t := &Target{Protocol: Protocol(o.HTTP), Connect: Connect(o.Connect), Timeout: o.Timeout, Idle: MostIdle, Status: o.Status}
	if !slices.Contains([]Protocol{HTTP1, HTTP2}, t.Protocol) {
		return nil, language.Errorf("--http %q: there are 1.1 and 2", "--http %q：只有 1.1 与 2", o.HTTP)
	}
	if !slices.Contains([]Connect{Kept, New, Resumed}, t.Connect) {
		return nil, language.Errorf("--connect %q: there are kept, new and resumed", "--connect %q：只有 kept、new 与 resumed", o.Connect)
	}
	var err error
	if t.URL, err = readURL(text); err != nil {
		return nil, err
	}
	if t.Connect == Resumed && t.URL.Scheme != "https" {
		return nil, language.Errorf("--connect resumed: %s has no sessions to resume; that takes https", "--connect resumed：%s 没有可恢复的会话；须用 https", t.Name())
	}
	for _, read := range []func(context.Context, *Target) error{o.message, o.headers, o.right, o.secure} {
		if err := read(ctx, t); err != nil {
			return nil, err
		}
	}
	if err := t.Prepare(); err != nil {
		return nil, language.Errorf("%s: %w", "%s：%s", t.Name(), err)
	}
	return t, nil
}

// Targets are those at some URLs. A certificate is for those of https among them.
func (o Options) Targets(ctx context.Context, urls []string) (all []*Target, err error) {
	secure := o.Certificate == "" && o.Key == "" && o.CA == ""
	for _, url := range urls {
		t, err := o.Target(ctx, url)
		if err != nil {
			return nil, err
		}
		secure = secure || t.TLS != nil
		all = append(all, t)
	}
	switch {
	case !secure && len(all) > 1:
		return nil, language.Error("--cert, --key and --ca: neither server speaks TLS; give a URL of https",
			"--cert、--key 与 --ca：两个服务器均不使用 TLS；请给出 https 网址")
	case !secure:
		return nil, language.Errorf("--cert, --key and --ca: %s speaks no TLS; that takes https", "--cert、--key 与 --ca：%s 不使用 TLS；须用 https", all[0].Name())
	}
	return all, nil
}

// readURL takes one of a server. What is wrong is said without the text, which may hold a password.
func readURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Opaque != "":
		return nil, language.Error("that is no URL; give one such as https://127.0.0.1:8443/path", "网址无效；请写成 https://127.0.0.1:8443/path")
	case u.User != nil:
		return nil, language.Error("a password in a URL can be read by everybody on this machine; send it as a header by --header-file",
			"网址中的口令对本机所有用户可见；请用 --header-file 以请求头发送")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, language.Errorf("%q: give a URL that begins with http:// or https://", "%q：网址须以 http:// 或 https:// 开头", text)
	case u.Hostname() == "":
		return nil, language.Errorf("%q: the URL names no server", "%q：网址未指明服务器", text)
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, language.Errorf("%q: a port is from 1 to 65535", "%q：端口须在 1 至 65535 之间", u.Host)
		}
	}
	u.Fragment = ""
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

// MostBody is the longest body that is sent or expected.
const MostBody = 64 << 20

// message is what is sent.
func (o Options) message(ctx context.Context, t *Target) (err error) {
	t.Method = o.Method
	if o.BodyFile != "" {
		if t.Body, err = readFile(ctx, "--body-file", o.BodyFile); err != nil {
			return err
		}
		if t.Method == "" {
			t.Method = http.MethodPost
		}
	}
	if t.Method == "" {
		t.Method = http.MethodGet
	}
	if !isToken(t.Method) {
		return language.Errorf("--method %q: give one such as GET or POST", "--method %q：请给出 GET、POST 等方法", o.Method)
	}
	t.Method = strings.ToUpper(t.Method)
	return nil
}

func readFile(ctx context.Context, flag, name string) ([]byte, error) {
	content, err := userfile.Read(ctx, name, MostBody)
	switch {
	case errors.Is(err, userfile.ErrTooLong):
		return nil, language.Errorf("%s %s: more than 64 MiB", "%s %s：超过 64 MiB", flag, name)
	case err != nil:
		return nil, language.Errorf("%s: %w", "%s：%s", flag, err)
	}
	return content, nil
}

// isToken says whether a text may be a method or the name of a header (RFC 9110 5.6.2).
func isToken(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return text != "" && strings.Trim(strings.ToLower(text), letters+"0123456789!#$%&'*+-.^_`|~") == ""
}

// secrets are headers that prove who somebody is.
var secrets = []string{"Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "X-Auth-Token"}

func (o Options) headers(ctx context.Context, t *Target) error {
	t.Header = http.Header{}
	for _, line := range o.Headers {
		name, err := t.header("--header", line)
		if err != nil {
			return err
		}
		if slices.Contains(secrets, name) {
			return language.Errorf("--header %[1]s: everybody on this machine can read a command line; write it into a file for --header-file",
				"--header %[1]s：命令行对本机所有用户可见；请写入文件并用 --header-file 给出", name)
		}
	}
	if o.HeaderFile != "" {
		content, err := readFile(ctx, "--header-file", o.HeaderFile)
		if err != nil {
			return err
		}
		for lines := bufio.NewScanner(bytes.NewReader(content)); lines.Scan(); {
			if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
				if _, err := t.header("--header-file "+o.HeaderFile, line); err != nil {
					return err
				}
			}
		}
	}
	if t.Header.Get("User-Agent") == "" {
		t.Header.Set("User-Agent", "cryptogauge-load")
	}
	return nil
}

// header adds one. What can't be read is not repeated: it may be a secret.
func (t *Target) header(where, line string) (string, error) {
	name, value, found := strings.Cut(line, ":")
	name, value = http.CanonicalHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
	if !found || !isToken(name) || strings.ContainsAny(value, "\r\n\x00") {
		return "", language.Errorf("%s: write a header as 'Name: value'", "%s：请把请求头写成 'Name: value'", where)
	}
	if slices.Contains([]string{"Content-Length", "Transfer-Encoding", "Connection"}, name) {
		return "", language.Errorf("%s: %s is set by the request itself; leave it out", "%s：%s 由请求自身决定；请去掉", where, name)
	}
	t.Header.Add(name, value)
	return name, nil
}

// right is what a right answer is.
func (o Options) right(ctx context.Context, t *Target) (err error) {
	if o.Status != 0 && (o.Status < 200 || o.Status > 599) {
		return language.Errorf("--status %d: give one from 200 to 599", "--status %d：请给出 200 至 599 之间的状态码", o.Status)
	}
	if o.ExpectBodyFile != "" {
		if t.Want, err = readFile(ctx, "--expect-body-file", o.ExpectBodyFile); err != nil {
			return err
		}
	}
	if o.ExpectHash != "" {
		if t.WantSum, err = hex.DecodeString(strings.TrimSpace(o.ExpectHash)); err != nil || len(t.WantSum) != 32 {
			return language.Errorf("--expect-sha256 %q: give 64 hexadecimal digits", "--expect-sha256 %q：请给出 64 位十六进制数", o.ExpectHash)
		}
	}
	return nil
}

// secure is what TLS takes.
func (o Options) secure(ctx context.Context, t *Target) error {
	if t.URL.Scheme != "https" {
		return nil
	}
	t.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CA != "" {
		content, err := readFile(ctx, "--ca", o.CA)
		if err != nil {
			return err
		}
		t.TLS.RootCAs = x509.NewCertPool()
		if !t.TLS.RootCAs.AppendCertsFromPEM(content) {
			return unreadable(o.CA, content)
		}
	}
	if (o.Certificate == "") != (o.Key == "") {
		return language.Error("--cert and --key belong together: give both", "--cert 与 --key 须同时给出")
	}
	if o.Certificate != "" {
		certificate, err := readPair(ctx, o.Certificate, o.Key)
		if err != nil {
			return err
		}
		t.TLS.GetClientCertificate = t.offer(certificate)
		return nil
	}
	t.TLS.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		t.asked.Store(true)
		return new(tls.Certificate), nil
	}
	return nil
}

// ofGuomi is the curve of SM2 (1.2.156.10197.1.301) in DER, which keys and certificates name.
var ofGuomi = []byte{0x06, 0x08, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d}

// isGuomi says whether something in PEM is of it.
func isGuomi(content []byte) bool {
	for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
		if bytes.Contains(block.Bytes, ofGuomi) {
			return true
		}
	}
	return false
}

func notTLCP(where string) error {
	return language.Errorf("%s: a certificate of SM2, which is for TLCP: load speaks TLS alone", "%s：是用于 TLCP 的 SM2 证书；load 只支持 TLS", where)
}

// unreadable says why there is no certificate for crypto/tls in a file.
func unreadable(file string, content []byte) error {
	where := "--ca " + file
	if isGuomi(content) {
		return notTLCP(where)
	}
	if block, _ := pem.Decode(content); block != nil && block.Type == "CERTIFICATE" {
		return language.Errorf("%s: the certificate in it can't be read", "%s：其中的证书无法读取", where)
	}
	return language.Errorf("%s: there is no certificate in PEM in it", "%s：其中没有 PEM 格式的证书", where)
}

// offer sends a certificate to a server that accepts its issuer, and notes it where the server doesn't.
func (t *Target) offer(certificate tls.Certificate) func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	return func(asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
		if asked.SupportsCertificate(&certificate) == nil {
			return &certificate, nil
		}
		ofAny := *asked
		ofAny.AcceptableCAs = nil
		if ofAny.SupportsCertificate(&certificate) == nil {
			t.withheld.Store(true)
		}
		return new(tls.Certificate), nil
	}
}

// readPair reads a certificate and its key. What crypto/tls says of a key is replaced: users need another word.
func readPair(ctx context.Context, certificate, key string) (pair tls.Certificate, err error) {
	chain, err := readFile(ctx, "--cert", certificate)
	if err != nil {
		return pair, err
	}
	private, err := readFile(ctx, "--key", key)
	if err != nil {
		return pair, err
	}
	if bytes.Contains(private, []byte("ENCRYPTED")) {
		return pair, language.Errorf("--key %s: the key is encrypted; decrypt it into a file that only you can read (chmod 600)",
			"--key %s：密钥已加密；请解密到仅本人可读的文件（chmod 600）", key)
	}
	if isGuomi(chain) || isGuomi(private) {
		return pair, notTLCP("--cert " + certificate)
	}
	if pair, err = tls.X509KeyPair(chain, private); err != nil {
		return pair, language.Errorf("--cert %s and --key %s: not a certificate and its private key in PEM",
			"--cert %s 与 --key %s：不是一对 PEM 格式的证书与私钥", certificate, key)
	}
	return pair, timely(certificate, pair.Leaf)
}

// timely refuses a certificate that no server takes now.
func timely(file string, leaf *x509.Certificate) error {
	switch now := time.Now(); {
	case now.After(leaf.NotAfter):
		return language.Errorf("--cert %s: the certificate expired at %s", "--cert %s：证书已于 %s 过期", file, leaf.NotAfter.UTC().Format(time.RFC3339))
	case now.Before(leaf.NotBefore):
		return language.Errorf("--cert %s: the certificate is not valid before %s", "--cert %s：证书在 %s 之前尚未生效",
			file, leaf.NotBefore.UTC().Format(time.RFC3339))
	}
	return nil
}
