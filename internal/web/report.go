package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/question/compare"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/version"
)

// report is a run's page, the same as report.html beside the run. A run file never changes, so neither does its page,
// but for what this program and second looks at the run make of it: these are in its tag.
func (s *Server) report(v *visit) error {
	a, err := s.store.get(v.r.Context())
	if err != nil {
		return err
	}
	run, err := a.Find(v.r.Context(), v.r.PathValue("id"))
	if err != nil {
		return err
	}
	beside, _, err := a.Runs(v.r.Context(), archive.RunQuery{SecondOf: run.ID})
	if err != nil {
		return err
	}
	tag := v.tag(run, beside)
	v.w.Header().Set("ETag", tag)
	v.w.Header().Set("Content-Security-Policy", policy(render.Policy()))
	if matches(v.r.Header.Get("If-None-Match"), tag) {
		v.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	page := s.pages.get(tag)
	if page == nil {
		if page, err = s.build(v, a, run, beside); err != nil {
			v.w.Header().Del("ETag")
			v.w.Header().Set("Content-Security-Policy", policy(policyPlain))
			return err
		}
		s.pages.put(tag, page)
	}
	return v.sendZipped(page)
}

// tag names what a report is made of.
func (v *visit) tag(run archive.Run, beside []archive.Run) string {
	of := []string{version.Tool(), render.Policy(), string(v.lang), run.ID}
	for _, r := range beside {
		of = append(of, r.ID)
	}
	return tagOf(of...)
}

// tagOf is the tag of what is made of these.
func tagOf(of ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(of, "\n")))
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// matches says whether a client has what a tag names. Proxies that compress make tags weak.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		if strings.TrimPrefix(strings.TrimSpace(part), "W/") == tag {
			return true
		}
	}
	return false
}

// build makes a report, compressed. Few are made at once, since a run takes memory.
func (s *Server) build(v *visit, a *archive.Archive, run archive.Run, beside []archive.Run) ([]byte, error) {
	ctx := v.r.Context()
	select {
	case s.builds <- struct{}{}:
		defer func() { <-s.builds }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	doc, err := s.document(ctx, a, run, beside)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	o := render.Options{Lang: v.lang, Repeat: []string{"--lang"}, Run: run.Short(), Title: run.Title, Note: run.Note, Links: v.reportLinks(run)}
	if err := render.WriteHTML(&b, []*document.Document{doc}, o); err != nil {
		return nil, err
	}
	return packed(b.Bytes())
}

// packed is a page compressed.
func packed(page []byte) ([]byte, error) {
	var b bytes.Buffer
	z := zippers.Get().(*gzip.Writer)
	defer zippers.Put(z)
	z.Reset(&b)
	if _, err := z.Write(page); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

// reportLinks lead from a report to the other pages, and to its run file.
func (v *visit) reportLinks(run archive.Run) []render.Link {
	here := partRuns
	if run.Suite == decide.ExperimentName {
		here = partPlans
	}
	return append(parts(here), render.Link{Text: language.Text{EN: "Run file", ZH: "运行文件"}, Href: "/runs/" + run.Short() + "/run.jsonl"})
}

// document reads a run back and answers its questions, as the verb report does.
func (s *Server) document(ctx context.Context, a *archive.Archive, run archive.Run, beside []archive.Run) (*document.Document, error) {
	doc, looks, err := s.documents(ctx, a, run, beside)
	if err != nil {
		return nil, err
	}
	switch doc.Suite {
	case compare.Name:
		for _, look := range looks {
			doc.Repeat(look)
		}
		question.Answer(doc)
	case decide.ExperimentName:
		question.Answer(doc)
		if d := decisionOf(doc, looks); d != nil {
			d.Lay(doc)
		}
	default:
		question.Answer(doc)
	}
	return doc, nil
}

// documents are those of a run and of the second looks at it that came to their end.
func (s *Server) documents(ctx context.Context, a *archive.Archive, run archive.Run, beside []archive.Run) (doc *document.Document, looks []*document.Document, err error) {
	if doc, err = s.built(ctx, a, run.ID); err != nil {
		return nil, nil, err
	}
	for _, r := range beside {
		if r.Partial || r.Open {
			continue
		}
		look, err := s.built(ctx, a, r.ID)
		if err != nil {
			return nil, nil, err
		}
		looks = append(looks, look)
	}
	return doc, looks, nil
}

func (s *Server) built(ctx context.Context, a *archive.Archive, id string) (*document.Document, error) {
	_, run, err := a.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	return document.Build(document.WithoutHome(run, s.Home)), nil
}

// decisionOf decides again what a plan's run was made for; nil where its run file does not say what that was.
func decisionOf(doc *document.Document, checks []*document.Document) *decide.Decision {
	w, err := decide.Kept(doc.Run.Header)
	if err != nil {
		return nil
	}
	var weights *decide.Weights
	for _, f := range document.TypedFlags(doc.Run.Header.Command, "weights") {
		if found, err := decide.ParseWeights(f.Value); err == nil {
			weights = found
		}
	}
	d := decide.Make(w, weights, doc)
	if _, why := d.Transaction(); why != nil {
		d.Unchecked = why
		return d
	}
	for _, check := range checks {
		d.TakeCheck(check)
	}
	if d.Check == nil {
		d.Unchecked = &layout.Text{EN: "no run of these steps together was filed with this one", ZH: "没有随本次运行存入各步骤合在一起的运行"}
	}
	return d
}

// sendZipped sends a compressed page, unpacked to who can't read that.
func (v *visit) sendZipped(page []byte) error {
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if takesGzip(v.r) {
		v.w.Header().Set("Content-Encoding", "gzip")
		v.w.Header().Set("Content-Length", strconv.Itoa(len(page)))
		_, _ = v.w.Write(page) // a reader that has gone away is nobody's fault
		return nil
	}
	plain, err := gzip.NewReader(bytes.NewReader(page))
	if err != nil {
		return err
	}
	_, _ = io.Copy(v.w, plain)
	return nil
}

// file is a run file, byte for byte as it was filed. Its digest is known when its last byte is read: where the store is
// damaged, the connection is cut, so that nobody takes it for whole.
func (s *Server) file(v *visit) error {
	a, err := s.store.get(v.r.Context())
	if err != nil {
		return err
	}
	run, err := a.Find(v.r.Context(), v.r.PathValue("id"))
	if err != nil {
		return err
	}
	tag := `"` + run.ID + `"`
	h := v.w.Header()
	h.Set("ETag", tag)
	if matches(v.r.Header.Get("If-None-Match"), tag) {
		v.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Type", "application/x-ndjson")
	h.Set("Content-Disposition", `attachment; filename="cryptogauge-`+run.Short()+`.jsonl"`)
	if v.r.Method == http.MethodHead {
		h.Set("Content-Length", strconv.FormatInt(run.Bytes, 10))
		return nil
	}
	first := &firstByte{ResponseWriter: v.w}
	err = a.Export(v.r.Context(), run.ID, first)
	if err != nil && first.sent {
		panic(http.ErrAbortHandler)
	}
	if err != nil {
		h.Del("Content-Disposition")
		h.Del("ETag")
	}
	return err
}

// firstByte remembers whether anything was sent.
type firstByte struct {
	http.ResponseWriter
	sent bool
}

func (f *firstByte) Write(b []byte) (int, error) {
	f.sent = true
	return f.ResponseWriter.Write(b)
}
