package result

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
)

// SchemaRun names the run file's format. A file of another schema is refused.
const SchemaRun = "cryptogauge.run/1"

// Writer writes a run file, one line a call, each line in one write.
// Errors stick: after one, every call returns it.
type Writer struct {
	w       io.Writer
	crc     uint32
	samples int64
	buf     []byte
	err     error
}

// NewWriter writes the header and returns the writer for what follows.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Schema = SchemaRun
	rw := &Writer{w: w}
	rw.line("header", h)
	return rw, rw.err
}

// Err returns the first error of a write.
func (w *Writer) Err() error { return w.err }

// Trial declares a trial.
func (w *Writer) Trial(t TrialInfo) error { return w.line("trial", t) }

// Group declares a group.
func (w *Writer) Group(g Group) error { return w.line("group", g) }

// Opened records that a trial is ready in a block.
func (w *Writer) Opened(o Opened) error { return w.line("opened", o) }

// Closed records that a trial's output was right at the end of a block.
func (w *Writer) Closed(c Closed) error { return w.line("closed", c) }

// Status takes a trial out of the comparison.
func (w *Writer) Status(s StatusChange) error { return w.line("status", s) }

// Record writes a scenario's record, and its artifacts after it. Its samples are
// the caller's to write, who numbers them.
func (w *Writer) Record(r Record) error {
	w.line("record", r)
	for _, a := range r.Artifacts {
		w.line("artifact", a)
	}
	return w.err
}

// Sample writes one sample.
func (w *Writer) Sample(s Sample) error {
	w.samples++
	b := append(w.buf[:0], `{"s":[`...)
	for i, v := range s.fields() {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, v, 10)
	}
	w.buf = append(b, "]}\n"...)
	return w.write(w.buf)
}

// End writes the last line. The counts and the checksums are filled in.
func (w *Writer) End(e End) error {
	e.Samples, e.CRC32, e.LineCRC32 = w.samples, w.crc, 0
	if err := w.encode("end", e); err != nil {
		return err
	}
	open := w.buf[:len(w.buf)-len("}}\n")]
	w.buf = fmt.Appendf(open, lineSum, crc32.Update(w.crc, crc32.IEEETable, open))
	return w.write(w.buf)
}

// lineSum closes the end line: the checksum of the lines before it and of the line up to here.
const lineSum = `,"line_crc32":%d}}` + "\n"

func (w *Writer) line(kind string, v any) error {
	_ = w.encode(kind, v) // errors stick
	return w.write(w.buf)
}

// encode puts a line into the buffer.
func (w *Writer) encode(kind string, v any) error {
	if w.err != nil {
		return w.err
	}
	body, err := json.Marshal(v)
	if err != nil {
		w.err = fmt.Errorf("encoding %s: %w", kind, err)
		return w.err
	}
	w.buf = fmt.Appendf(w.buf[:0], "{%q:%s}\n", kind, body)
	return nil
}

func (w *Writer) write(b []byte) error {
	if w.err != nil {
		return w.err
	}
	if _, err := w.w.Write(b); err != nil {
		w.err = fmt.Errorf("writing the run file: %w", err)
		return w.err
	}
	w.crc = crc32.Update(w.crc, crc32.IEEETable, b)
	return nil
}

const sampleFields = 13

func (s Sample) fields() [sampleFields]int64 {
	return [sampleFields]int64{
		int64(s.Trial), int64(s.Block), int64(s.Round), s.Calls,
		s.Thread, s.Process, s.Wall, s.Cycles, s.SpinBefore, s.SpinAfter,
		int64(s.Collections), int64(s.Throttled), int64(s.Migrated),
	}
}

func sampleOf(f [sampleFields]int64) Sample {
	return Sample{
		Trial: int32(f[0]), Block: int32(f[1]), Round: int32(f[2]), Calls: f[3],
		Thread: f[4], Process: f[5], Wall: f[6], Cycles: f[7], SpinBefore: f[8], SpinAfter: f[9],
		Collections: int32(f[10]), Throttled: int32(f[11]), Migrated: int32(f[12]),
	}
}
