package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cryptogauge/cryptogauge/internal/command/scripts"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3/s3test"
)

// withObjects adds an object store to what scripts have:
//
//	objectstore N           a store with N objects in bucket planted, below data/, of which files of the same names and contents
//	                        lie in folder planted
//	breaks throttled TRIES  each request is refused so many times
//	breaks cut AFTER TRIES  the first bodies of each object end after so many bytes
//	breaks stuck READS      after so many objects it answers no more
//	breaks denied KEY       this object can't be read
//	breaks gone KEY         this object vanishes
//	breaks nothing          it is as before
func withObjects(commands map[string]func(*testscript.TestScript, bool, []string)) map[string]func(*testscript.TestScript, bool, []string) {
	commands["objectstore"], commands["breaks"] = objectStore, breaks
	return commands
}

const bucket = "planted"

// running are the servers of scripts, by their folders.
var running sync.Map

func objectStore(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) == 1, "objectstore N")
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	s, err := s3test.Start(bucket)
	ts.Check(err)
	ts.Defer(s.Close)
	for i := range n {
		key := fmt.Sprintf("data/%d/%04d", i%3, i)
		contents := bytes.Repeat([]byte(fmt.Sprint(i)), i*i%3000)
		ts.Check(s.Put(bucket, key, contents))
		path := ts.MkAbs(filepath.Join(bucket, key))
		ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
		ts.Check(os.WriteFile(path, contents, 0o644))
	}
	for _, pair := range s.Environment() {
		name, value, _ := strings.Cut(pair, "=")
		ts.Setenv(name, value)
	}
	running.Store(ts.Getenv("WORK"), s)
}

func breaks(ts *testscript.TestScript, neg bool, args []string) {
	scripts.Usage(ts, !neg && len(args) > 0, "breaks throttled|cut|stuck|denied|gone|nothing…")
	found, ok := running.Load(ts.Getenv("WORK"))
	if !ok {
		ts.Fatalf("there is no object store")
	}
	s := found.(*s3test.Server)
	number := func(i int) int {
		n, err := strconv.Atoi(args[i])
		ts.Check(err)
		return n
	}
	switch args[0] {
	case "throttled":
		s.Break(s3test.Throttled(number(1)))
	case "cut":
		s.Break(s3test.Cut(number(1), number(2)))
	case "stuck":
		s.Break(stuck(number(1)))
	case "denied":
		s.Break(func(w http.ResponseWriter, r *http.Request, store http.Handler) {
			if r.URL.Path == "/"+bucket+"/"+args[1] {
				s3test.Refuse(w, http.StatusForbidden, "AccessDenied")
				return
			}
			store.ServeHTTP(w, r)
		})
	case "gone":
		ts.Check(s.Remove(bucket, args[1]))
	default:
		s.Break(nil)
	}
}

func stuck(reads int) s3test.Front {
	var read atomic.Int64
	return func(w http.ResponseWriter, r *http.Request, store http.Handler) {
		if s3test.IsRead(r) && read.Add(1) > int64(reads) {
			<-r.Context().Done()
			return
		}
		store.ServeHTTP(w, r)
	}
}
