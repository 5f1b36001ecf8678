package result_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/cryptogauge/cryptogauge/result"
)

// A case is comparable: it can be the key of a map, and its parameters have one form.
func ExampleParameters() {
	c := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: 1024,
		Parameters: result.Parameters{"holding": "own", "goroutines": "8"}.String()}
	fmt.Println(c.Parameters, c.Parameter("goroutines"))

	times := map[result.Case]int64{c: 900}
	c.Parameters = "goroutines=8,holding=own"
	fmt.Println(times[c], "ns")
	// Output:
	// goroutines=8,holding=own 8
	// 900 ns
}

// A run is written sample by sample, and closed by an end line, without which it is partial.
func ExampleWriter() {
	var file bytes.Buffer
	w, err := result.NewWriter(&file, result.Header{Suite: "modes", Seed: 7})
	if err != nil {
		log.Fatal(err)
	}
	subject := result.Subject{Library: "gmsm", Version: "v0.44.0", CallPath: "go"}
	c := result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Bytes: 1024}
	w.Trial(result.TrialInfo{Trial: result.Trial{Subject: subject, Case: c}})
	w.Opened(result.Opened{Calls: 240})
	for range 3 {
		w.Sample(result.Sample{Calls: 240, Thread: 1_998_123, Process: 1_999_001, Wall: 2_000_456, Cycles: -1})
	}
	if err := w.End(result.End{}); err != nil {
		log.Fatal(err)
	}
	run, err := result.Read(&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Trials[0].Trial.ID(), len(run.Samples), "samples; partial:", run.Partial())
	// Output: SM4-CBC/encrypt/1024/gmsm@v0.44.0/go 3 samples; partial: false
}
