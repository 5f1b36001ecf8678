package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/version"
	"github.com/cryptogauge/cryptogauge/internal/web/access"
)

//go:embed assets
var assets embed.FS

// Policies of pages, besides a report's own.
const (
	policyPlain = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'"
	policyLive  = policyPlain + "; script-src 'self'; connect-src 'self'"
)

// policy is a policy of a page that no other site puts in a frame.
func policy(of string) string { return of + "; frame-ancestors 'none'" }

var stylesheet = sync.OnceValue(func() []byte { return append([]byte(render.Stylesheet()), embedded("web.css")...) })

var script = sync.OnceValue(func() []byte { return embedded("live.js") })

func embedded(name string) []byte {
	b, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return b
}

// Paths of assets have their digest, so that browsers may keep them for good.
var (
	stylePath  = sync.OnceValue(func() string { return "/assets/" + digestOf(stylesheet()) + ".css" })
	scriptPath = sync.OnceValue(func() string { return "/assets/" + digestOf(script()) + ".js" })
)

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func asset(content []byte, kind string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		_, _ = w.Write(content)
	}
}

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").ParseFS(assets, "assets/*.html.tmpl"))
})

// visit is a request for a page.
type visit struct {
	*Server
	w    http.ResponseWriter
	r    *http.Request
	lang language.Lang
	keep string // the tag under which the page is kept; empty where it is not
}

// frame is what every page has around it; templates ask it for words.
type frame struct {
	Title  language.Text
	Lang   language.Lang
	Part   string // of the navigation
	Script string // path; empty without
	query  url.Values
	path   string
	Store  string
	Plain  bool // nobody is let in yet: there is nothing to go to
}

func (f frame) Say(en, zh string) string  { return language.Text{EN: en, ZH: zh}.In(f.Lang) }
func (f frame) In(t language.Text) string { return render.Clean(t.In(f.Lang)) }
func (f frame) Clean(text string) string  { return render.Clean(text) }
func (f frame) Style() string             { return stylePath() }
func (f frame) Tag() string {
	return map[language.Lang]string{language.Chinese: "zh-Hans", language.English: "en"}[f.Lang]
}
func (f frame) Parts() []render.Link { return parts(f.Part) }
func (f frame) Other() language.Lang {
	return map[language.Lang]language.Lang{language.Chinese: language.English, language.English: language.Chinese}[f.Lang]
}
func (f frame) Day(t time.Time) string         { return t.UTC().Format(time.DateOnly) }
func (f frame) Minute(t time.Time) string      { return t.UTC().Format("2006-01-02 15:04") }
func (f frame) Machine(t time.Time) string     { return t.UTC().Format(time.RFC3339) }
func (f frame) HrefIn(lang string) string      { return f.with("lang", lang) }
func (f frame) with(name, value string) string { return withQuery(f.path, f.query, name, value) }

// withQuery is a path with its query, in which one value is another; an empty one is left out.
func withQuery(path string, query url.Values, name, value string) string {
	changed := url.Values{}
	for key, values := range query {
		changed[key] = values
	}
	delete(changed, "lang")
	changed.Del(name)
	if value != "" {
		changed.Set(name, value)
	}
	if len(changed) == 0 {
		return path
	}
	return path + "?" + changed.Encode()
}

// Parts of the navigation.
const (
	partRuns     = "runs"
	partHistory  = "history"
	partMachines = "machines"
	partPlans    = "plans"
	partLive     = "live"
)

func parts(here string) (links []render.Link) {
	for _, p := range []struct {
		name, href string
		text       language.Text
	}{
		{partRuns, "/", language.Text{EN: "Runs", ZH: "运行"}},
		{partHistory, "/history", language.Text{EN: "History", ZH: "历史"}},
		{partMachines, "/machines", language.Text{EN: "Machines", ZH: "机器"}},
		{partPlans, "/plans", language.Text{EN: "Plans", ZH: "计划"}},
		{partLive, "/live", language.Text{EN: "Live", ZH: "进行中"}},
	} {
		links = append(links, render.Link{Text: p.text, Href: p.href, Here: p.name == here})
	}
	return links
}

// languageCookie keeps the language that was chosen.
const languageCookie = "cryptogauge_lang"

// languageOf is what the address asks for, else what was chosen before, else the first of the browser's that there is.
func languageOf(w http.ResponseWriter, r *http.Request) language.Lang {
	if asked, ok := known(r.URL.Query().Get("lang")); ok {
		const year = 365 * 24 * 60 * 60
		http.SetCookie(w, &http.Cookie{Name: languageCookie, Value: string(asked), Path: "/", MaxAge: year, HttpOnly: true,
			SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil})
		return asked
	}
	if c, err := r.Cookie(languageCookie); err == nil {
		if chosen, ok := known(c.Value); ok {
			return chosen
		}
	}
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		main, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if lang, ok := known(main); ok {
			return lang
		}
	}
	return language.English
}

func known(text string) (language.Lang, bool) {
	lang := language.Lang(text)
	return lang, lang == language.English || lang == language.Chinese
}

func (s *Server) visit(w http.ResponseWriter, r *http.Request) *visit {
	w.Header().Add("Vary", "Cookie, Accept-Language")
	return &visit{Server: s, w: w, r: r, lang: languageOf(w, r)}
}

// page makes a handler of what writes a page; an error of it is a page too.
func (s *Server) page(write func(*visit) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, stop := context.WithTimeout(r.Context(), askTime)
		defer stop()
		v := s.visit(w, r.WithContext(ctx))
		if err := write(v); err != nil && r.Context().Err() == nil {
			_ = v.failed(err) // there is nobody left to tell
		}
	}
}

// kept makes of what writes a page of the store one that is made once for as long as nothing else is filed.
func (s *Server) kept(write func(*visit, *archive.Archive) error) func(*visit) error {
	return func(v *visit) error {
		a, err := s.store.get(v.r.Context())
		if err != nil {
			return err
		}
		stamp, err := a.Stamp(v.r.Context())
		if err != nil {
			return err
		}
		tag := tagOf(version.Tool(), stylePath(), string(v.lang), v.r.URL.RequestURI(), stamp)
		if matches(v.r.Header.Get("If-None-Match"), tag) {
			v.w.Header().Set("ETag", tag)
			v.w.WriteHeader(http.StatusNotModified)
			return nil
		}
		if page := s.pages.get(tag); page != nil {
			v.w.Header().Set("ETag", tag)
			return v.sendZipped(page)
		}
		v.keep = tag
		err = write(v, a)
		v.keep = ""
		return err
	}
}

// frame is that of a page of some part.
func (v *visit) frame(part string, title language.Text) frame {
	return frame{Title: title, Lang: v.lang, Part: part, query: v.r.URL.Query(), path: v.r.URL.EscapedPath(), Store: v.At.String()}
}

// show draws a page whole and sends it.
func (v *visit) show(status int, name string, page any) error {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name+".html.tmpl", page); err != nil {
		return err
	}
	if v.keep != "" && status == http.StatusOK {
		packed, err := packed(b.Bytes())
		if err != nil {
			return err
		}
		v.pages.put(v.keep, packed)
		v.w.Header().Set("ETag", v.keep)
		return v.sendZipped(packed)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	if status != http.StatusOK {
		v.w.WriteHeader(status)
	}
	_, _ = v.w.Write(b.Bytes()) // a reader that has gone away is nobody's fault
	return nil
}

// message is a page of one sentence.
type message struct {
	frame
	Line    language.Text
	Command []string
}

func (v *visit) refuse(status int, line language.Text) error {
	return v.show(status, "message", message{frame: v.frame("", language.Same(strconv.Itoa(status))), Line: line})
}

// failed says why a page can't be shown: nothing is filed yet, the store is away, or there is no such run.
func (v *visit) failed(err error) error {
	switch {
	case empty(err):
		f := v.frame("", language.Text{EN: "No run was filed here yet", ZH: "尚未存入任何运行"})
		return v.show(http.StatusOK, "message", message{frame: f, Line: language.Say("The store %s holds nothing. These commands fill it; this page shows what they file.",
			"存储 %s 为空。以下命令可存入运行，存入后本页即会显示。", v.At), Command: filling(v.At)})
	case errors.Is(err, archive.ErrUnknown):
		return v.refuse(http.StatusNotFound, language.Of(err))
	case errors.Is(err, context.DeadlineExceeded):
		err = language.Errorf("the store %s did not answer within %s", "存储 %s 在 %s 内没有响应", v.At, askTime)
	}
	v.w.Header().Set("Retry-After", "5")
	f := v.frame("", language.Text{EN: "The store can't be read now", ZH: "现在无法读取存储"})
	return v.show(http.StatusServiceUnavailable, "message", message{frame: f, Line: language.Of(err)})
}

// filling are commands that file runs in a store.
func filling(at archive.Location) (commands []string) {
	flag := " --store " + document.Typed(at.String())
	if usual, err := archive.Default(); err == nil && usual == at {
		flag = " --store sqlite"
	}
	return []string{"cryptogauge run" + flag, "cryptogauge store import cryptogauge-results" + flag}
}

// login is the page on which a token is typed.
type login struct {
	frame
	Next    string
	Refused language.Text
}

var refusals = map[access.Refusal]language.Text{
	access.NeedsToken: {EN: "A token is needed: send it as Authorization: Bearer.", ZH: "需要令牌：请以 Authorization: Bearer 发送。"},
	access.WrongToken: {EN: "That is not the token.", ZH: "令牌不正确。"},
	access.TooMany: {EN: "Too many wrong tokens came from this address; wait a little and try again.",
		ZH: "来自该地址的错误令牌过多；请稍候再试。"},
	access.WrongHost: {EN: "The address names another machine: open this one as 127.0.0.1 or localhost.",
		ZH: "地址中的主机名不是本机：请以 127.0.0.1 或 localhost 访问。"},
	access.WrongSite: {EN: "Another site sent this.", ZH: "该请求来自其他网站。"},
}

// Login is for [access.Pages].
func (s *Server) Login(w http.ResponseWriter, r *http.Request, next string, refused access.Refusal) {
	v := s.visit(w, r)
	page := login{frame: v.frame("", language.Text{EN: "Token", ZH: "令牌"}), Next: next, Refused: refusals[refused]}
	page.Plain, page.Store = true, ""
	status := http.StatusOK
	if refused != 0 {
		status = refused.Status()
	}
	_ = v.show(status, "login", page)
}

// Refused is for [access.Pages].
func (s *Server) Refused(w http.ResponseWriter, r *http.Request, why access.Refusal) {
	v := s.visit(w, r)
	page := message{frame: v.frame("", language.Same(strconv.Itoa(why.Status()))), Line: refusals[why]}
	page.Plain, page.Store = true, ""
	_ = v.show(why.Status(), "message", page)
}
