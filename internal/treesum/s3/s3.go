// Package s3 speaks to stores of objects that have the interface of Amazon's S3.
package s3

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/objects"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// A Client is a store, as the environment has it for the tools of AWS.
type Client struct {
	core        *minio.Core
	credentials *credentials.Credentials
	getenv      func(string) string
}

// amazon is where the store is unless the environment says otherwise; the client finds a bucket's region from there.
const amazon = "s3.amazonaws.com"

// connections is how many are kept to be used again: no fewer than there are requests at once.
const connections = 256

// Open makes a client of what the environment says. It doesn't speak to the store yet.
func Open(getenv func(string) string) (*Client, error) {
	host, secure, err := endpoint(getenv)
	if err != nil {
		return nil, err
	}
	region := cmp.Or(getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION"))
	tries := 1 // package objects does it again
	switch {
	case region == "" && host == amazon:
		tries = 3 // to find the region of a bucket
	case region == "":
		region = "us-east-1" // what other stores take for theirs
	}
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, language.Errorf("making a client of the store: %w", "创建存储客户端：%s", err)
	}
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = connections, connections
	c := &Client{credentials: chain(getenv), getenv: getenv}
	c.core, err = minio.NewCore(host, &minio.Options{Creds: c.credentials, Secure: secure, Region: region, Transport: transport, MaxRetries: tries})
	if err != nil {
		return nil, language.Errorf("making a client of the store: %w", "创建存储客户端：%s", err)
	}
	return c, nil
}

// endpoint is the host of the store, and whether it is spoken to over TLS. What it refuses it doesn't repeat: there
// may be a password in it.
func endpoint(getenv func(string) string) (host string, secure bool, err error) {
	for _, name := range []string{"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"} {
		value := getenv(name)
		if value == "" {
			continue
		}
		scheme, host, ok := strings.Cut(strings.TrimSuffix(value, "/"), "://")
		if scheme = strings.ToLower(scheme); !ok || scheme != "http" && scheme != "https" || host == "" || strings.ContainsAny(host, "/@?# ") {
			return "", false, language.Errorf("%s: it must be http://host:port or https://host:port, and nothing else",
				"%s：只能是 http://host:port 或 https://host:port", name)
		}
		return host, scheme == "https", nil
	}
	return amazon, true, nil
}

// chain is where credentials come from: the environment, the shared file, and the role of the machine, in the order of
// the tools of AWS. The machine isn't asked where that is forbidden and no file or address says how.
func chain(getenv func(string) string) *credentials.Credentials {
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	role := strings.ToLower(getenv("AWS_EC2_METADATA_DISABLED")) != "true"
	for _, name := range []string{"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI"} {
		role = role || getenv(name) != ""
	}
	if role {
		providers = append(providers, &credentials.IAM{})
	}
	return credentials.NewChainCredentials(providers)
}

// List is objects.Client's.
func (c *Client) List(ctx context.Context, in objects.Range, found func(key string, s treehash.Stamp) error) error {
	owner := false
	options := minio.ListObjectsOptions{Prefix: in.Prefix, StartAfter: in.After, Recursive: true, FetchOwner: &owner}
	for o := range c.core.ListObjectsIter(ctx, in.Bucket, options) {
		if o.Err != nil {
			err := c.classify(ctx, o.Err)
			if err == objects.ErrDenied { // the credentials may be at fault, and not one object
				err = language.Errorf("%w; %s", "%s；%s", err, c.asks())
			}
			return err
		}
		if err := found(o.Key, stamp(o)); err != nil {
			return err
		}
	}
	return ctx.Err() // with which it ends, and says nothing
}

func stamp(o minio.ObjectInfo) treehash.Stamp {
	return treehash.Stamp{Size: o.Size, Modified: o.LastModified.UnixNano(), ETag: o.ETag, Version: o.VersionID}
}

var (
	errNoLength = language.Error("the store doesn't say how long it is", "存储未说明其长度")
	errOptions  = language.Error("the store names contents that can't be asked for", "存储给出的内容标识无法用于请求")
)

// Get is objects.Client's.
func (c *Client) Get(ctx context.Context, bucket, key string, span objects.Span, same treehash.Stamp) (objects.Body, treehash.Stamp, error) {
	options := minio.GetObjectOptions{VersionID: same.Version}
	if same.ETag != "" && options.SetMatchETag(same.ETag) != nil {
		return nil, treehash.Stamp{}, errOptions
	}
	if span != (objects.Span{}) && options.SetRange(span.From, max(0, span.To-1)) != nil {
		return nil, treehash.Stamp{}, errOptions
	}
	body, info, header, err := c.core.GetObject(ctx, bucket, key, options)
	if err != nil {
		return nil, treehash.Stamp{}, c.classify(ctx, err)
	}
	s := stamp(info)
	if sent := header.Get("Content-Range"); sent != "" {
		s.Size, err = total(sent)
	} else if err = skip(body, span.From); err != nil { // it was asked for a span, and sends all
		err = objects.Temporary(err)
	}
	if s.Size < 0 && same != (treehash.Stamp{}) {
		s.Size = same.Size
	}
	if err == nil && s.Size < 0 {
		err = errNoLength
	}
	if err != nil {
		body.Close()
		return nil, s, err
	}
	return upTo(body, span), s, nil
}

// total is the size of an object of which bytes 0-9/10 were sent.
func total(sent string) (int64, error) {
	_, size, _ := strings.Cut(sent, "/")
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil || n < 0 {
		return -1, errNoLength
	}
	return n, nil
}

// upTo is a body to the end of a span, where a store sends more.
func upTo(body objects.Body, span objects.Span) objects.Body {
	if span.To == 0 {
		return body
	}
	return &limited{io.LimitReader(body, span.To-span.From), body}
}

type limited struct {
	io.Reader
	body objects.Body
}

func (l *limited) Close() error { return l.body.Close() }

// Put puts an object where there may be one.
func (c *Client) Put(ctx context.Context, bucket, key string, contents []byte) error {
	_, err := c.core.Client.PutObject(ctx, bucket, key, bytes.NewReader(contents), int64(len(contents)), minio.PutObjectOptions{})
	if err != nil {
		return c.classify(ctx, err)
	}
	return nil
}

// skip reads so many bytes.
func skip(body objects.Body, n int64) error {
	room := make([]byte, min(n, 32<<10))
	for n > 0 {
		m, err := body.Read(room[:min(n, int64(len(room)))])
		if n -= int64(m); err != nil && n > 0 {
			return err
		}
	}
	return nil
}

// classify takes an error of the client for what may be done about it. What a store says in words isn't repeated: it
// may say anything.
func (c *Client) classify(ctx context.Context, err error) error {
	var r minio.ErrorResponse
	if !errors.As(err, &r) {
		err, untrusted := withoutURL(err), new(tls.CertificateVerificationError)
		if ctx.Err() != nil || errors.As(err, &untrusted) {
			return err
		}
		return objects.Unreached(err)
	}
	switch {
	case r.Code == "NoSuchBucket":
		return errNoBucket
	case r.Code == "NoSuchKey" || r.Code == "NoSuchVersion" || r.StatusCode == 404 && (r.Code == "" || r.Code == "NotFound"):
		return objects.ErrGone
	case r.StatusCode == 404: // with another code: some stores answer unknown credentials so
		return language.Errorf("%w; %s", "%s；%s", says(r), c.asks())
	case r.StatusCode == 412 || r.StatusCode == 416:
		return objects.ErrChanged
	case r.StatusCode == 403 || r.StatusCode == 401:
		return c.denied(ctx, r)
	case r.StatusCode == 429 || r.StatusCode >= 500 || r.StatusCode == 408 || r.Code == "SlowDown":
		return objects.Temporary(says(r))
	}
	return says(r)
}

var errNoBucket = language.Error("there is no such bucket", "没有该存储桶")

// asks says where the credentials are from: names of variables and files, and never what is in them.
func (c *Client) asks() language.Text {
	if c.getenv("AWS_ACCESS_KEY_ID") != "" && c.getenv("AWS_SECRET_ACCESS_KEY") != "" {
		return language.Text{EN: "the credentials are those of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
			ZH: "所用凭据来自 AWS_ACCESS_KEY_ID 与 AWS_SECRET_ACCESS_KEY"}
	}
	return language.Say("the credentials are those of profile %s (AWS_PROFILE) in the shared files, or else of the machine's role",
		"所用凭据来自共享文件中的配置 %s（AWS_PROFILE），否则来自本机角色", cmp.Or(c.getenv("AWS_PROFILE"), "default"))
}

// denied says why, where that is that there are no credentials, or that nobody is known by them.
func (c *Client) denied(ctx context.Context, r minio.ErrorResponse) error {
	v, err := c.credentials.GetWithContext(nil)
	if ctx.Err() == nil && err == nil && v.SignerType.IsAnonymous() {
		return language.Errorf("%w: no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
			"%s：没有找到凭据；请设置 AWS_ACCESS_KEY_ID 与 AWS_SECRET_ACCESS_KEY，或 AWS_PROFILE", objects.ErrDenied)
	}
	if r.Code != "AccessDenied" {
		return language.Errorf("%w: %s; %s", "%s：%s；%s", objects.ErrDenied, says(r), c.asks())
	}
	return objects.ErrDenied
}

// says is what a store says by code and number.
func says(r minio.ErrorResponse) error {
	code := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			return c
		}
		return -1
	}, r.Code)
	return language.Errorf("the store says %s (%d)", "存储返回 %s（%d）", code[:min(len(code), 64)], r.StatusCode)
}

// withoutURL is an error of a connection without what was asked for, which whoever tells of it knows.
func withoutURL(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		if strings.Contains(err.Error(), "://") {
			err = inner
		}
	}
	return err
}
