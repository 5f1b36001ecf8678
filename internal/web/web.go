// Package web is the pages of cryptogauge serve: what a store holds, to be read in a browser.
//
//	request ─▶ log ─▶ headers ─▶ access.Guard ─▶ methods ─▶ a page ─▶ gzip
//	                                                         │
//	                     store.go: the archive, opened when it is asked for and again when it was away
//
// Everything is read: the one form that is sent, that of the token, is access's. Pages are drawn whole before their first
// byte is sent, so what goes wrong is a page with a status of its own. Every text of a run file is escaped by
// html/template and cleaned of control characters; no page loads anything from elsewhere, and but for the one that
// follows a run, none of these pages runs a script. A report has the script and the style of report.html, which its
// policy names by their digests.
//
//	runs.go      the list of runs
//	report.go    a run's report, the same page as report.html, and its file
//	history.go   cases over time, by package history
//	machines.go  machines side by side
//	plans.go     what plan has decided
//	live.go      runs that go on
//	metrics      what Prometheus scrapes, a package of its own
//	frame.go     what all pages have around them
package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/live"
	"github.com/cryptogauge/cryptogauge/internal/web/access"
	"github.com/cryptogauge/cryptogauge/internal/web/metrics"
)

// Options are what a server needs.
type Options struct {
	At       archive.Location
	Password func(database string) (string, error) // asked once; nil asks nobody
	Access   *access.Request                       // checked
	Home     string                                // which reports write as ~
	Log      func(line string)                     // a line a request; nil: none
	// Live are the runs that go on.
	Live func(now time.Time) []live.State
	Now  func() time.Time
}

// Server serves pages of a store.
type Server struct {
	Options
	store  *source
	pages  *cache
	plans  *planned
	builds chan struct{} // who makes a report holds one: each takes memory
	ended  context.Context
	end    context.CancelFunc
	streams
}

const mostBuilds = 2

// New makes a server. It opens nothing.
func New(o Options) *Server {
	s := &Server{Options: o, pages: newCache(mostCached), plans: newPlanned(), builds: make(chan struct{}, mostBuilds)}
	s.store = &source{at: o.At, options: archive.Options{Access: archive.Read, Password: o.Password, Serving: true}, now: o.Now}
	s.ended, s.end = context.WithCancel(context.Background())
	return s
}

// Open opens the store, so that what is wrong with it is said before anything listens.
func (s *Server) Open(ctx context.Context) error {
	_, err := s.store.get(ctx)
	return err
}

// Close gives back what the server holds open.
func (s *Server) Close() { s.store.close() }

// Handler is all of it.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for path, page := range map[string]func(*visit, *archive.Archive) error{
		"/{$}": s.runs, "/history": s.history, "/machines": s.machines, "/plans": s.listPlans,
	} {
		mux.HandleFunc(path, s.page(s.kept(page)))
	}
	for path, page := range map[string]func(*visit) error{"/runs/{id}": s.report, "/runs/{id}/run.jsonl": s.file, "/live": s.live} {
		mux.HandleFunc(path, s.page(page))
	}
	mux.HandleFunc("/live/events", s.events)
	mux.HandleFunc("/healthz", s.health)
	mux.Handle("/metrics", metrics.Handler(metrics.Opening(s.store.get), metrics.Config{Now: s.Now}))
	mux.HandleFunc(stylePath(), asset(stylesheet(), "text/css; charset=utf-8"))
	mux.HandleFunc(scriptPath(), asset(script(), "text/javascript; charset=utf-8"))
	mux.HandleFunc("/", s.page(func(v *visit) error {
		return v.refuse(http.StatusNotFound, language.Text{EN: "There is no such page.", ZH: "没有该页面。"})
	}))
	// axe and readers alike want the style before a token is typed; that the server lives is no secret.
	open := func(path string) bool { return path == stylePath() || path == "/healthz" }
	return s.logged(headers(s.Access.Guard(s, open, s.Now, reading(zipped(mux)))))
}

// reading lets through what reads.
func reading(behind http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "cryptogauge serve is read-only: GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		behind.ServeHTTP(w, r)
	})
}

// headers are those of every answer.
func headers(behind http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy(policyPlain))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "private, no-cache")
		behind.ServeHTTP(w, r)
	})
}

// Limits of what a client may take.
const (
	headerTime = 5 * time.Second
	readTime   = 15 * time.Second
	writeTime  = time.Minute
	idleTime   = 2 * time.Minute
	endTime    = 10 * time.Second // that answers have when the server ends
	askTime    = 20 * time.Second // that the store has for a page
	mostHeader = 16 << 10         // bytes
)

// Serve serves until the context ends, and then lets the answers that are on their way come to their end.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime,
		IdleTimeout: idleTime, MaxHeaderBytes: mostHeader, ErrorLog: discarded()}
	server.RegisterOnShutdown(s.end)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return language.Errorf("serve: %w", "serve：%s", err)
	case <-ctx.Done():
	}
	last, stop := context.WithTimeout(context.Background(), endTime)
	defer stop()
	if err := server.Shutdown(last); err != nil {
		_ = server.Close()
		return language.Errorf("serve: an answer took longer than %s and was cut off", "serve：有响应超过 %s 仍未结束，已中断", endTime)
	}
	return nil
}

// health says that the server lives, and whether the store can be read; no more, since it needs no token.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	ctx, stop := context.WithTimeout(r.Context(), askTime)
	defer stop()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	a, err := s.store.get(ctx)
	if err == nil {
		_, err = a.Totals(ctx)
	}
	if err != nil && !empty(err) {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintln(w, "the store is away")
		return
	}
	fmt.Fprintln(w, "ok")
}
