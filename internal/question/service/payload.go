package service

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// sealing names how an answer is sealed and signed.
func sealing(mode algorithm.Mode) layout.Text {
	return layout.Same(strings.Replace(mode, "+", " + ", 1))
}

// payload says what sealing takes of a request's CPU, and sealing and signing.
func (v *serviceView) payload() *layout.Answer {
	var alone, signed answer.Clauses
	at := v.usual()
	sealed := v.Select(func(r *document.Row) bool { return r.Bytes == at && of(r).sealed() && follows(r) })
	for _, r := range sealed {
		c := v.Compare(v.find(served{algorithm.Cleartext, parameter.KeptOnes}, at), r)
		if c == nil {
			continue
		}
		said := &alone
		if _, signer, _ := algorithm.PayloadParts(r.Mode); signer != "" {
			said = &signed
		}
		said.Tell(layout.Say("%s (%s) %s", "%s（%s）%s", sealing(r.Mode), answer.Label(r.Who()), share(c)), c)
	}
	parts := answer.Clauses{Evidence: append(alone.Evidence, signed.Evidence...)}
	if len(alone.Parts) > 0 {
		parts.Add(layout.Say("on sealing: %s", "仅加密：%s", alone.Join()))
	}
	if len(signed.Parts) > 0 {
		parts.Add(layout.Say("on sealing and signing: %s", "加密并签名：%s", signed.Join()))
	}
	return parts.Sentence(answer.MarkOf(append(alone.Found, signed.Found...)...),
		"Where the application seals answers of %s (no TLS), it spends this share of the request's CPU %s.",
		"响应（%s）由应用加密而不用 TLS 时，占请求 CPU 的比例——%s。", answer.SizeText(at), answer.Semicolons(parts.Parts))
}

// signing says what a signature adds to an answer that is sealed.
func (v *serviceView) signing() *layout.Answer {
	var said answer.Clauses
	at := v.usual()
	for _, s := range services() {
		_, signer, _ := algorithm.PayloadParts(s.mode)
		if signer == "" {
			continue
		}
		if c := v.Compare(v.find(s.unsigned(), at), v.find(s, at)); c != nil {
			said.Tell(layout.Say("%s %s", "%s：%s", signer, adds(c)), c)
		}
	}
	return said.Sentence(answer.MarkOf(said.Found...), "A signature beside the seal, CPU of the server per request: %s.",
		"在加密之外再签名，服务器每个请求的 CPU：%s。", answer.Semicolons(said.Parts))
}
