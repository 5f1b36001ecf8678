package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/live"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

const (
	look        = time.Second      // between two looks at the runs that go on
	beat        = 15 * time.Second // after which a stream that has nothing to say says that it lives
	streamTime  = 10 * time.Second // that a line of it may take to be read
	mostStreams = 64
)

// streams are those that are followed.
type streams struct {
	streamsMu sync.Mutex
	open      int
	looked    time.Time
	seen      []live.State
}

type livePage struct {
	frame
	Runs []liveRun
}

// liveRun is a run that goes on, in a language: a page draws it, and a stream sends it.
type liveRun struct {
	PID     int    `json:"pid"`
	Title   string `json:"title"`
	Percent int    `json:"percent"`
	Far     string `json:"far"` // how far it is, in words
	Doing   string `json:"doing"`
}

// going are the runs that go on. Looking costs those who measure, so all readers share a look.
func (s *Server) going() []live.State {
	s.streamsMu.Lock()
	defer s.streamsMu.Unlock()
	if now := s.Now(); now.Sub(s.looked) >= look || now.Before(s.looked) {
		s.looked, s.seen = now, s.Live(now)
	}
	return s.seen
}

func (s *Server) goingIn(l language.Lang) []liveRun {
	runs := []liveRun{}
	for _, state := range s.going() {
		runs = append(runs, liveOf(state, l, s.Now()))
	}
	return runs
}

func liveOf(s live.State, l language.Lang, now time.Time) liveRun {
	percent := int(100 * s.Done)
	far := language.Say("%d %%", "%d%%", percent)
	if left := s.Left(now); left >= 0 {
		far = language.Say("%s · %s left", "%s · 剩余 %s", far, left.Round(time.Second))
	}
	r := liveRun{PID: s.PID, Percent: percent, Far: far.In(l), Doing: render.Clean(s.Doing.In(l))}
	r.Title = render.Clean(language.Say("cryptogauge %s: %s", "cryptogauge %s：%s", s.Verb, suiteText(s.Suite)).In(l))
	return r
}

func (s *Server) live(v *visit) error {
	page := livePage{frame: v.frame(partLive, language.Text{EN: "Runs that go on", ZH: "正在进行的运行"}), Runs: s.goingIn(v.lang)}
	page.Script = scriptPath()
	v.w.Header().Set("Content-Security-Policy", policy(policyLive))
	v.w.Header().Set("Cache-Control", "no-store")
	return v.show(http.StatusOK, "live", page)
}

// enter takes a place among those who follow; false where there is none left.
func (s *Server) enter() bool {
	s.streamsMu.Lock()
	defer s.streamsMu.Unlock()
	if s.open >= mostStreams {
		return false
	}
	s.open++
	return true
}

func (s *Server) leave() {
	s.streamsMu.Lock()
	defer s.streamsMu.Unlock()
	s.open--
}

// events sends the runs that go on, whenever they have changed (server-sent events, WHATWG HTML 9.2).
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		w.Header().Set("Retry-After", "30")
		http.Error(w, "too many readers follow", http.StatusServiceUnavailable)
		return
	}
	defer s.leave()
	lang := languageOf(w, r)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // a proxy would keep lines back
	if r.Method == http.MethodHead {
		return
	}
	control := http.NewResponseController(w)
	tick := time.NewTicker(look)
	defer tick.Stop()
	var last string
	sent := s.Now()
	for {
		line := ": still there\n\n"
		text, err := json.Marshal(s.goingIn(lang))
		switch {
		case err != nil:
			return
		case string(text) != last:
			last, line = string(text), "data: "+string(text)+"\n\n"
		case s.Now().Sub(sent) < beat:
			line = ""
		}
		if line != "" {
			sent = s.Now()
			_ = control.SetWriteDeadline(time.Now().Add(streamTime)) // where that can't be set, the server's own holds
			if _, err := fmt.Fprint(w, line); err != nil || control.Flush() != nil {
				return
			}
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-s.ended.Done():
			return
		}
	}
}
