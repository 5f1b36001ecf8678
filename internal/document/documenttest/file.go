package documenttest

import (
	"io"

	"github.com/cryptogauge/cryptogauge/result"
)

// Write writes a run as a run file. One without an end is one that goes on.
func Write(w io.Writer, run *result.Run) error {
	out, err := result.NewWriter(w, run.Header)
	if err != nil {
		return err
	}
	for _, t := range run.Trials {
		out.Trial(t)
	}
	for _, g := range run.Groups {
		out.Group(g)
	}
	for _, o := range run.Opened {
		out.Opened(o)
	}
	for _, s := range run.Samples {
		out.Sample(s)
	}
	for _, c := range run.Closed {
		out.Closed(c)
	}
	for _, s := range run.Statuses {
		out.Status(s)
	}
	for _, r := range run.Records {
		out.Record(r)
	}
	if run.End != nil {
		return out.End(*run.End)
	}
	return out.Err()
}
