package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Run is a run file in memory.
type Run struct {
	Header    Header
	Trials    []TrialInfo
	Groups    []Group
	Opened    []Opened
	Closed    []Closed
	Samples   []Sample // in the order of time
	Statuses  []StatusChange
	Records   []Record
	Artifacts []Artifact
	End       *End // nil where the file was cut short
}

// Partial says whether the run ended before its plan did.
func (r *Run) Partial() bool { return r.End == nil || r.End.Partial }

// Errors that Read wraps. Each is one line that says what is wrong with the file.
var (
	ErrNotRunFile = errors.New("not a cryptogauge run file")
	ErrNewer      = errors.New("written by a newer cryptogauge; update to read it")
	ErrDamaged    = errors.New("damaged")
)

// Read reads a run file. A file without its end, or with a last line that was
// cut off, is a partial run and no error; anything else that does not parse is.
func Read(src io.Reader) (*Run, error) {
	rd := reader{src: bufio.NewReaderSize(src, 1<<16), run: &Run{}}
	if err := rd.recognise(); err != nil {
		return nil, err
	}
	line, err := rd.next()
	for ; err == nil; line, err = rd.next() {
		if err := rd.take(line); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	if rd.number == 0 {
		return nil, fmt.Errorf("%w: it holds no header", ErrNotRunFile)
	}
	return rd.run, nil
}

type reader struct {
	src    *bufio.Reader
	run    *Run
	number int    // of the line last read
	crc    uint32 // of the lines before it
}

var headerPrefix = []byte(`{"header":`)

// recognise refuses a foreign file by its first bytes: it may be large and have
// no lines. A file cut off within them passes, and then holds no header.
func (rd *reader) recognise() error {
	head, err := rd.src.Peek(len(headerPrefix))
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading the run file: %w", err)
	}
	if !bytes.HasPrefix(headerPrefix, head) {
		return ErrNotRunFile
	}
	return nil
}

// next returns the next whole line. A last line without its newline was cut off
// in the middle of a write and is left out.
func (rd *reader) next() ([]byte, error) {
	line, err := rd.src.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		begun := slices.Clone(line) // which the next read overwrites
		line, err = rd.src.ReadBytes('\n')
		line = append(begun, line...)
	}
	switch {
	case err == io.EOF:
		return nil, io.EOF
	case err != nil:
		return nil, fmt.Errorf("reading the run file: %w", err)
	}
	rd.number++
	return line, nil
}

func (rd *reader) take(line []byte) (err error) {
	switch {
	case rd.number == 1:
		err = rd.header(line)
	case rd.run.End != nil:
		err = rd.damaged("there are lines after its end", "结束记录之后还有内容")
	default:
		err = rd.body(line)
	}
	rd.crc = crc32.Update(rd.crc, crc32.IEEETable, line)
	return err
}

func (rd *reader) damaged(en, zh string) error { return &damage{rd.number, en, zh} }

// damage is why a line can't be what was written, in English and, for programs that speak it, in Chinese.
type damage struct {
	line   int
	en, zh string
}

func (d *damage) Error() string   { return fmt.Sprintf("%v at line %d: %s", ErrDamaged, d.line, d.en) }
func (d *damage) Chinese() string { return fmt.Sprintf("第 %d 行已损坏：%s", d.line, d.zh) }
func (d *damage) Unwrap() error   { return ErrDamaged }

// unparsed says what is wrong with a line that is not the JSON of a run file, in words that need no knowledge of Go.
func (rd *reader) unparsed(err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := strings.ToLower(wrong.Field) // all names are, but package json gives some as Go has them
		return rd.damaged(fmt.Sprintf("the field %s can't hold %s", field, held(wrong.Value)), fmt.Sprintf("字段 %s 的值类型或范围有误", field))
	}
	if wrong, ok := errors.AsType[*time.ParseError](err); ok {
		return rd.damaged(fmt.Sprintf("%q is no time such as 2026-03-18T02:00:00Z", wrong.Value), fmt.Sprintf("%q 不是形如 2026-03-18T02:00:00Z 的时间", wrong.Value))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return rd.damaged("it has an unknown field "+name, "含未知字段 "+name)
	}
	return rd.damaged("it is not JSON", "不是有效的 JSON")
}

// held is a value as package json tells of one, with the article that English wants.
func held(value string) string {
	kind, number, isNumber := strings.Cut(value, " ")
	switch {
	case isNumber:
		return number
	case kind == "bool":
		return "true or false"
	case kind == "object" || kind == "array":
		return "an " + kind
	}
	return "a " + kind
}

func (rd *reader) header(line []byte) error {
	var schema struct{ Header struct{ Schema string } }
	if json.Unmarshal(line, &schema) == nil && schema.Header.Schema != SchemaRun {
		if strings.HasPrefix(schema.Header.Schema, "cryptogauge.run/") {
			return fmt.Errorf("%w (its schema is %q, this program reads %q)", ErrNewer, schema.Header.Schema, SchemaRun)
		}
		return fmt.Errorf("%w: its schema is %q", ErrNotRunFile, schema.Header.Schema)
	}
	if err := json.Unmarshal(line, &struct{ Header *Header }{&rd.run.Header}); err != nil {
		return rd.unparsed(err)
	}
	return nil
}

var samplePrefix = []byte(`{"s":[`)

func (rd *reader) body(line []byte) error {
	if bytes.HasPrefix(line, samplePrefix) {
		return rd.sample(line)
	}
	var l struct {
		Trial    *TrialInfo
		Group    *Group
		Opened   *Opened
		Closed   *Closed
		Status   *StatusChange
		Record   *Record
		Artifact *Artifact
		End      *End
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return rd.unparsed(err)
	}
	if rest := line[dec.InputOffset():]; string(rest) != "\n" {
		return rd.damaged("the line goes on after what it carries", "行内有多余内容")
	}
	run := rd.run
	switch {
	case l.Trial != nil:
		if l.Trial.Index != len(run.Trials) {
			return rd.damaged("trials are out of order", "试验顺序有误")
		}
		if long := l.Trial.longest(); long > mostName {
			return rd.damaged(fmt.Sprintf("a name of %d bytes", long), fmt.Sprintf("名称长达 %d 字节", long))
		}
		run.Trials = append(run.Trials, *l.Trial)
	case l.Group != nil:
		return rd.group(*l.Group)
	case l.Opened != nil:
		run.Opened = append(run.Opened, *l.Opened)
		return rd.known(l.Opened.Trial)
	case l.Closed != nil:
		run.Closed = append(run.Closed, *l.Closed)
		return rd.known(l.Closed.Trial)
	case l.Status != nil:
		run.Statuses = append(run.Statuses, *l.Status)
		return rd.known(l.Status.Trial)
	case l.Record != nil:
		run.Records = append(run.Records, *l.Record)
		return rd.known(l.Record.Trial)
	case l.Artifact != nil:
		run.Artifacts = append(run.Artifacts, *l.Artifact)
	case l.End != nil:
		return rd.end(*l.End, line)
	default:
		return rd.damaged("the line carries nothing known", "该行没有可识别的内容")
	}
	return nil
}

// mostName is longer than any name or list of parameters is. Reports draw them in tables.
const mostName = 1 << 10

// longest is the length of the longest name that identifies the trial.
func (t *TrialInfo) longest() int {
	s, c := &t.Subject, &t.Case
	return max(len(t.Experiment), len(s.Library), len(s.Version), len(s.Implementation), len(s.CallPath), len(s.Environment),
		len(c.Algorithm), len(c.Mode), len(c.Operation), len(c.Parameters))
}

func (rd *reader) known(trials ...int) error {
	for _, t := range trials {
		if t < 0 || t >= len(rd.run.Trials) {
			return rd.damaged(fmt.Sprintf("it names trial %d, which is not declared", t), fmt.Sprintf("引用了未声明的试验 %d", t))
		}
	}
	return nil
}

func (rd *reader) group(g Group) error {
	named := slices.Clone(g.Trials)
	for _, p := range g.Pairs {
		named = append(named, p.Base, p.Other)
	}
	rd.run.Groups = append(rd.run.Groups, g)
	return rd.known(named...)
}

func (rd *reader) end(e End, line []byte) error {
	if e.CRC32 != rd.crc || e.Samples != int64(len(rd.run.Samples)) {
		return rd.damaged("what stands before its end is not what was written", "此前的内容与写入时不同")
	}
	// Files of before have no sum of the line, which then holds nothing of the name.
	if i := bytes.LastIndex(line, []byte(lineSum[:len(`,"line_crc32"`)])); i >= 0 || e.LineCRC32 != 0 {
		if i < 0 || string(line[i:]) != fmt.Sprintf(lineSum, crc32.Update(rd.crc, crc32.IEEETable, line[:i])) {
			return rd.damaged("its end is not what was written", "结束记录与写入时不同")
		}
	}
	rd.run.End = &e
	return nil
}

// sample parses the array of integers of a sample line. A run holds up to
// millions of these, and encoding/json takes ten times as long for one.
func (rd *reader) sample(line []byte) error {
	var f [sampleFields]int64
	rest := line[len(samplePrefix):]
	for i := range f {
		v, n := parseInt(rest)
		if n == 0 || n >= len(rest) {
			return rd.damaged("a sample's field is not a number", "采样的字段不是数字")
		}
		f[i] = v
		if sep := rest[n]; (i < len(f)-1 && sep != ',') || (i == len(f)-1 && sep != ']') {
			return rd.damaged("a sample has the wrong number of fields", "采样的字段数有误")
		}
		rest = rest[n+1:]
	}
	if string(rest) != "}\n" {
		return rd.damaged("a sample does not end where it should", "采样未在应结束处结束")
	}
	s := sampleOf(f)
	if s.fields() != f {
		return rd.damaged("a sample's field is out of range", "采样的字段超出范围")
	}
	rd.run.Samples = append(rd.run.Samples, s)
	return rd.known(int(s.Trial))
}

// parseInt reads a decimal integer and returns it with the number of bytes it
// took; 0 bytes where there is none that fits.
func parseInt(b []byte) (v int64, n int) {
	for n < len(b) && (b[n] == '-' || '0' <= b[n] && b[n] <= '9') {
		n++
	}
	v, err := strconv.ParseInt(string(b[:n]), 10, 64)
	if err != nil {
		return 0, 0
	}
	return v, n
}
