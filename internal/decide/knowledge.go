package decide

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Requirement is what a candidate must have beside speed.
type Requirement string

// The requirements.
const (
	StandardGB   Requirement = "standard:gb"
	StandardNIST Requirement = "standard:nist"
	ConstantTime Requirement = "constant-time"
	Integrity    Requirement = "integrity"
	PostQuantum  Requirement = "post-quantum"
	Established  Requirement = "established"
	Maintained   Requirement = "maintained"
	FIPS         Requirement = "fips"
)

// rule is a requirement, on what its judgement rests, and the judgement: of a case, of a
// library, or of a row; what none of them refuses is met.
type rule struct {
	name      Requirement
	lacks     language.Text // what a candidate is told that does not meet it
	basis     language.Text
	ofCase    func(result.Case) bool
	ofLibrary func(library string) bool
	ofRow     func(*document.Row) bool
}

var rules = []rule{
	{name: StandardGB, lacks: language.Text{EN: "no GB/T standard", ZH: "没有 GB/T 标准"},
		basis: language.Text{EN: "the standard that the candidate's row names (field standard) is a GB/T or a GM/T",
			ZH: "结果行所列标准（standard 字段）为 GB/T 或 GM/T"},
		ofCase: func(c result.Case) bool { return standardNames(c, "GB/T", "GM/T") }},
	{name: StandardNIST, lacks: language.Text{EN: "no NIST standard", ZH: "没有 NIST 标准"},
		basis:  language.Text{EN: "the standard that the candidate's row names (field standard) is a FIPS or a NIST Special Publication", ZH: "结果行所列标准（standard 字段）为 FIPS 或 NIST SP"},
		ofCase: func(c result.Case) bool { return standardNames(c, "FIPS", "NIST", "SP 800") }},
	{name: ConstantTime, lacks: language.Text{EN: "not known to run in constant time", ZH: "无法确认是常数时间实现"},
		basis: language.Text{EN: "the library's documentation or code says so of the implementation that ran; the row's constant_time.basis names the source",
			ZH: "密码库的文档或代码说明所运行的实现为常数时间；出处见结果行的 constant_time.basis"},
		ofRow: func(r *document.Row) bool { return r.ConstantTime.Value == "yes" }},
	{name: Integrity, lacks: language.Text{EN: "no integrity", ZH: "没有完整性保护"},
		basis: language.Text{EN: "a changed message is refused: an authenticated mode, a MAC, a signature, or a protocol with one of them",
			ZH: "拒绝被篡改的消息：认证加密模式、MAC、签名，或含有它们的协议"},
		ofCase: authentic},
	{name: PostQuantum, lacks: language.Text{EN: "a quantum computer breaks it", ZH: "不抗量子计算机攻击"},
		basis: language.Text{EN: "ML-KEM and ML-DSA (FIPS 203, FIPS 204) and hybrids with them; ciphers, hashes and MACs count as safe; of a handshake the key exchange is judged, not the certificate",
			ZH: "ML-KEM 与 ML-DSA（FIPS 203、FIPS 204）及其混合方案；对称密码、杂凑与 MAC 视为安全；握手只看密钥交换，不看证书"},
		ofCase: postQuantum},
	{name: Established, lacks: language.Text{EN: "new: not yet reviewed by others", ZH: "新实现：尚未经外部审查"},
		basis:     language.Text{EN: "every library except this project's own engine, which is marked new", ZH: "本项目自己的引擎（标为新）以外的所有密码库"},
		ofLibrary: func(library string) bool { return library != subject.Engine }},
	{name: Maintained, lacks: language.Text{EN: "no longer maintained", ZH: "已停止维护"},
		basis:     language.Text{EN: "the table of libraries below", ZH: "见下方密码库表"},
		ofLibrary: func(library string) bool { return knownOf(library).Maintained }},
	{name: FIPS, lacks: language.Text{EN: "not of a FIPS 140-3 module", ZH: "不属于 FIPS 140-3 模块"},
		basis: language.Text{EN: "an algorithm with a NIST standard, in a library that has a FIPS 140-3 module (table below)",
			ZH: "有 NIST 标准的算法，且密码库有 FIPS 140-3 模块（见下表）"},
		ofCase:    func(c result.Case) bool { return standardNames(c, "FIPS", "NIST", "SP 800") },
		ofLibrary: func(library string) bool { return knownOf(library).FIPS }},
}

// Known is what is known of a library beside what its rows show.
type Known struct {
	Library    string        `json:"library"`
	Maintained bool          `json:"maintained"`
	FIPS       bool          `json:"fips"`
	Basis      language.Text `json:"basis"`
}

// Libraries lists what is known, each with its basis. Dates of releases are those of the
// versions that this program was built with.
var Libraries = []Known{
	{subject.Go, true, true, language.Text{EN: "released every six months, security fixes in between (go.dev/doc/devel/release); " +
		"crypto/internal/fips140 is the Go Cryptographic Module, built in validated form by GOFIPS140",
		ZH: "每半年发布一次，其间有安全修复（go.dev/doc/devel/release）；crypto/internal/fips140 即 Go Cryptographic Module，用 GOFIPS140 构建时取经验证的版本"}},
	{subject.XCrypto, true, false, language.Text{EN: "golang.org/x/crypto, maintained by the Go team; outside of its FIPS 140-3 module",
		ZH: "golang.org/x/crypto，由 Go 团队维护；不在其 FIPS 140-3 模块内"}},
	{subject.Gmsm, true, false, language.Text{EN: "emmansun/gmsm v0.44.0 is of June 2026, with releases several times a year; no FIPS 140-3 module",
		ZH: "emmansun/gmsm v0.44.0 发布于 2026 年 6 月，每年多次发布；没有 FIPS 140-3 模块"}},
	{subject.Tjfoc, false, false, language.Text{EN: "the last release, v1.4.1, is of July 2021; faults found since are open, among them wrong tags of its own Sm4GCM",
		ZH: "最后版本 v1.4.1 发布于 2021 年 7 月；此后发现的缺陷未修复，包括自带 Sm4GCM 的认证标签错误"}},
	{subject.BLAKE3, true, false, language.Text{EN: "zeebo/blake3 v0.2.4 is of August 2024; no FIPS 140-3 module", ZH: "zeebo/blake3 v0.2.4 发布于 2024 年 8 月；没有 FIPS 140-3 模块"}},
	{subject.MD5SIMD, false, false, language.Text{EN: "the last release, v1.1.2, is of January 2021", ZH: "最后版本 v1.1.2 发布于 2021 年 1 月"}},
	{subject.OpenSSL, true, false, language.Text{EN: "maintained by the OpenSSL project, where your version is one that it supports; its FIPS provider is not what is measured here",
		ZH: "由 OpenSSL 项目维护（须为其仍支持的版本）；此处测量的不是其 FIPS provider"}},
	{subject.Botan, true, false, language.Text{EN: "maintained by its author, Botan 3; Botan 2 ended with 2024", ZH: "由作者维护的是 Botan 3；Botan 2 已于 2024 年底停止维护"}},
	{subject.Libgcrypt, true, false, language.Text{EN: "maintained by the GnuPG project", ZH: "由 GnuPG 项目维护"}},
	{subject.Engine, true, false, language.Text{EN: "our own, maintained here; new, and no FIPS 140-3 module", ZH: "本项目自有，在此维护；新实现，没有 FIPS 140-3 模块"}},
}

func knownOf(library string) Known {
	for _, k := range Libraries {
		if k.Library == library {
			return k
		}
	}
	return Known{Library: library}
}

// WriteKnowledge writes on what the judgement of requirements rests.
func WriteKnowledge(w io.Writer, lang language.Lang) error {
	out := bufio.NewWriter(w) // its first error sticks and is that of Flush
	for _, r := range rules {
		fmt.Fprintf(out, "%s\n    %s\n", r.name, r.basis.In(lang))
	}
	yes := map[bool]language.Text{true: {EN: "yes", ZH: "是"}, false: {EN: "no", ZH: "否"}}
	for _, k := range Libraries {
		said := language.Say("%s: maintained %s, FIPS 140-3 module %s", "%s：仍在维护 %s，有 FIPS 140-3 模块 %s", k.Library, yes[k.Maintained], yes[k.FIPS])
		fmt.Fprintf(out, "\n%s\n    %s\n", said.In(lang), k.Basis.In(lang))
	}
	return out.Flush()
}

// lackOf is what a candidate of a library is told that does not meet a rule.
func (r rule) lackOf(library string) language.Text {
	if known := knownOf(library); r.name == Maintained && known.Basis == (language.Text{}) {
		return language.Text{EN: "not known to be maintained", ZH: "无从得知是否仍在维护"}
	}
	return r.lacks
}

// ParseRequirement reads a requirement's name.
func ParseRequirement(text string) (Requirement, error) {
	var names []string
	for _, r := range rules {
		if string(r.name) == text {
			return r.name, nil
		}
		names = append(names, string(r.name))
	}
	return "", unknown(language.Text{EN: "requirement", ZH: "要求"}, text, names)
}

func ruleOf(name Requirement) rule {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.name == name })
	return rules[i]
}

// possible says whether a case can meet a requirement, whoever does it.
func (r Requirement) possible(c result.Case) bool {
	is := ruleOf(r).ofCase
	return is == nil || is(c)
}

// met says whether a row meets a requirement.
func (r Requirement) met(row *document.Row) bool {
	rule := ruleOf(r)
	return r.possible(row.Case()) && (rule.ofLibrary == nil || rule.ofLibrary(row.Library)) && (rule.ofRow == nil || rule.ofRow(row))
}

func standardNames(c result.Case, bodies ...string) bool {
	standard := algorithm.Standard(c.Algorithm, c.Mode, c.Operation)
	return slices.ContainsFunc(bodies, func(body string) bool { return strings.Contains(standard, body) })
}

// authentic: a hash alone protects nothing from who can change the message.
func authentic(c result.Case) bool {
	switch algorithm.Of(c.Algorithm).Kind {
	case algorithm.BlockCipher, algorithm.AEAD, algorithm.KeyStream:
		return algorithm.Authenticates(c.Algorithm, c.Mode)
	case algorithm.HashFunction:
		return false
	}
	return true
}

func postQuantum(c result.Case) bool {
	a := algorithm.Of(c.Algorithm)
	switch {
	case a.Kind == algorithm.Protocol:
		exchange, _ := algorithm.HandshakeParts(c.Mode)
		return algorithm.Of(exchange).PostQuantum
	case a.Kind == algorithm.Hybrid:
		return c.Mode == algorithm.MLKEM768Envelope || c.Mode == algorithm.HybridEnvelope
	}
	return a.PostQuantum || !a.KeyPair()
}
