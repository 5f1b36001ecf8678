package access

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// CookieName is that of the cookie that stands for the token.
const CookieName = "cryptogauge_session"

// LoginPath is where a token is typed.
const LoginPath = "/login"

// Refusal is why a request was refused.
type Refusal int

const (
	NeedsToken Refusal = iota + 1 // it has no token
	WrongToken                    // it has one, which is wrong
	TooMany                       // its address has sent too many wrong ones
	WrongHost                     // it names a host that is not this machine
	WrongSite                     // another site had a browser send it
)

// Status is the HTTP status of a refusal.
func (r Refusal) Status() int {
	return map[Refusal]int{NeedsToken: http.StatusUnauthorized, WrongToken: http.StatusUnauthorized, TooMany: http.StatusTooManyRequests,
		WrongHost: http.StatusMisdirectedRequest, WrongSite: http.StatusForbidden}[r]
}

// Pages are what a guard shows; the header is written, but for the status.
type Pages interface {
	// Login shows the form in which a token is typed, which is sent to [LoginPath] with a field token and a field next.
	// Refused is 0 where nothing was.
	Login(w http.ResponseWriter, r *http.Request, next string, refused Refusal)
	// Refused says in a line why a request was refused.
	Refused(w http.ResponseWriter, r *http.Request, why Refusal)
}

// Guard lets through who may read.
type Guard struct {
	token    *Token // nil: whoever reaches loopback
	now      func() time.Time
	tries    *tries
	pages    Pages
	behind   http.Handler
	sameSite *http.CrossOriginProtection
	open     func(path string) bool
}

// Guard puts one before a handler. Open are the paths that need no token.
func (r *Request) Guard(pages Pages, open func(path string) bool, now func() time.Time, behind http.Handler) *Guard {
	return &Guard{token: r.token, now: now, tries: newTries(now), pages: pages, behind: behind, open: open, sameSite: http.NewCrossOriginProtection()}
}

func (g *Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case g.token == nil && !local(r.Host):
		g.pages.Refused(w, r, WrongHost)
	case g.token == nil && r.URL.Path == LoginPath:
		http.Redirect(w, r, "/", http.StatusSeeOther)
	case g.token == nil, g.open(r.URL.Path):
		g.behind.ServeHTTP(w, r)
	case r.URL.Path == LoginPath:
		g.login(w, r)
	default:
		g.checked(w, r)
	}
}

// checked looks at the token, or at the cookie that stands for it.
func (g *Guard) checked(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(CookieName); err == nil && g.token.good(c.Value, g.now()) {
		g.behind.ServeHTTP(w, r)
		return
	}
	sent, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer {
		g.ask(w, r)
		return
	}
	refused, wait := g.try(r, sent)
	if refused == 0 {
		g.behind.ServeHTTP(w, r)
		return
	}
	header(w, refused, wait)
	g.pages.Refused(w, r, refused)
}

// ask sends a browser to where a token is typed, and tells a program that it needs one.
func (g *Guard) ask(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Redirect(w, r, LoginPath+"?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		return
	}
	header(w, NeedsToken, 0)
	g.pages.Refused(w, r, NeedsToken)
}

// try judges a token; 0 where it is the right one. While an address waits, not even the right one is looked at.
func (g *Guard) try(r *http.Request, sent string) (why Refusal, wait time.Duration) {
	if wait = g.tries.take(r.RemoteAddr); wait > 0 {
		return TooMany, wait
	}
	if !g.token.is(sent) {
		return WrongToken, 0
	}
	g.tries.right(r.RemoteAddr)
	return 0, 0
}

func header(w http.ResponseWriter, why Refusal, wait time.Duration) {
	switch why {
	case NeedsToken, WrongToken:
		w.Header().Set("WWW-Authenticate", `Bearer realm="cryptogauge"`)
	case TooMany:
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
}

// mostForm is how long a typed token may be.
const mostForm = 8 << 10

// login shows the form, and takes what is typed in it. It is the one place that takes POST.
func (g *Guard) login(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		g.pages.Login(w, r, next(r.URL.Query().Get("next")), 0)
		return
	case http.MethodPost:
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	if g.sameSite.Check(r) != nil {
		g.pages.Refused(w, r, WrongSite)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, mostForm)
	to := next(r.PostFormValue("next"))
	if refused, wait := g.try(r, strings.TrimSpace(r.PostFormValue("token"))); refused != 0 {
		header(w, refused, wait)
		g.pages.Login(w, r, to, refused)
		return
	}
	until := g.now().Add(cookieTime)
	http.SetCookie(w, &http.Cookie{Name: CookieName, Value: g.token.cookie(until), Path: "/", MaxAge: int(cookieTime.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil})
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// next is where a browser goes from the form: a path of this server, whatever it was asked for.
func next(path string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") ||
		strings.Contains(path, `\`) || u.Path == LoginPath {
		return "/"
	}
	return (&url.URL{Path: u.Path, RawQuery: u.RawQuery}).String()
}

// local says whether a Host header names this machine, and so no page elsewhere.
func local(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	if strings.EqualFold(strings.TrimSuffix(name, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback()
}
