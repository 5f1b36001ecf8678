package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

// CheckFile is the report that a check leaves beside the last of its runs. A run file holds samples, and what a check
// finds it finds in several runs and a baseline: so the report is filed with the run that it lies beside.
const CheckFile = "check.json"

// report is what is read of a check's report, the schema of which is package check's.
type report struct {
	Schema  string         `json:"schema"`
	Tool    string         `json:"tool"`
	Suite   string         `json:"suite"`
	Started time.Time      `json:"started"`
	Machine result.Machine `json:"machine"`
	Verdict string         `json:"verdict"`
	Rounds  []struct {
		Folders []string `json:"folders"`
		Trials  []struct {
			Verdict string `json:"verdict"`
		} `json:"trials"`
	} `json:"rounds"`
}

const (
	checkSchema = "cryptogauge.check/1"
	mostReport  = 64 << 20
)

// Verdicts of a check and of its trials that a severity goes by.
const (
	verdictFine      = "fine"
	verdictWrong     = "wrong"
	verdictFailed    = "failed"
	verdictSlower    = "slower"
	verdictAllocates = "allocates"
	verdictUnsteady  = "unsteady"
	verdictGone      = "gone"
)

// severityOf says how bad a verdict is: a wrong output wakes somebody, what is slower or gone waits for the morning,
// and what could not be decided is a note.
func severityOf(verdict string) Severity {
	switch verdict {
	case verdictFine:
		return SeverityNone
	case verdictWrong:
		return SeverityPage
	case verdictFailed:
		return SeverityTicket
	}
	return SeverityNote
}

// fileCheck files the report of the check beside a run that was filed; where there is none it does nothing.
func (a *Archive) fileCheck(ctx context.Context, path string) error {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		path = filepath.Dir(path)
	}
	text, err := readReport(filepath.Join(path, CheckFile))
	if text == nil || err != nil {
		return err
	}
	var r report
	if err := json.Unmarshal(text, &r); err != nil || r.Schema != checkSchema {
		return language.Errorf("%s is no report of a check; the run beside it was filed", "%s 不是 check 的报告；同目录的运行已存入", filepath.Join(path, CheckFile))
	}
	c := Check{Started: r.Started.UTC().Truncate(time.Microsecond), Suite: clean(r.Suite), Tool: clean(r.Tool), Verdict: clean(r.Verdict), Severity: severityOf(r.Verdict)}
	sum := sha256.Sum256(text)
	c.ID = hexOf(sum[:])
	for i, round := range r.Rounds {
		if i == len(r.Rounds)-1 { // it has the verdict
			c.count(round.Trials)
		}
		for _, folder := range round.Folders {
			if id := idOf(filepath.Join(filepath.Dir(path), filepath.Base(folder))); id != "" && !slices.Contains(c.Runs, id) {
				c.Runs = append(c.Runs, id)
			}
		}
	}
	return a.failed(a.addCheck(ctx, c, machineOf(r.Machine), text))
}

func readReport(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > mostReport:
		return nil, language.Errorf("%s is no report of a check; the run beside it was filed", "%s 不是 check 的报告；同目录的运行已存入", path)
	}
	return os.ReadFile(path)
}

func (c *Check) count(trials []struct {
	Verdict string `json:"verdict"`
}) {
	c.Trials = len(trials)
	for _, t := range trials {
		switch t.Verdict {
		case verdictWrong:
			c.Wrong++
		case verdictSlower:
			c.Slower++
		case verdictAllocates, verdictUnsteady, verdictGone:
			c.Failed++
		}
	}
}

func (a *Archive) addCheck(ctx context.Context, c Check, m Machine, text []byte) error {
	machines := newNames()
	machines.add(m.Key, m.Label, m.Arch, m.CPU, m.CPUs, m.Hypervisor, m.Product)
	if err := a.names(ctx, "machines", machineColumns, machines); err != nil {
		return err
	}
	packed, err := pack(text)
	if err != nil {
		return err
	}
	return a.write(ctx, func(_ *sql.Conn, tx *sql.Tx) error {
		var number int64
		err := tx.QueryRowContext(ctx, `INSERT INTO checks (sha256, started, filed, suite, machine, tool, verdict, severity, wrong, slower, failed, trials, report)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (sha256) DO NOTHING RETURNING id`,
			c.ID, c.Started.UnixMicro(), time.Now().UnixMicro(), c.Suite, a.numberOf("machines", m.Key), c.Tool, c.Verdict, string(c.Severity),
			c.Wrong, c.Slower, c.Failed, c.Trials, packed).Scan(&number)
		if errors.Is(err, sql.ErrNoRows) { // filed before
			return nil
		}
		for _, run := range c.Runs {
			if err != nil {
				return err
			}
			_, err = tx.ExecContext(ctx, "INSERT INTO check_runs (checked, run) VALUES ($1, $2)", number, run)
		}
		return err
	})
}

func pack(text []byte) ([]byte, error) {
	var kept bytes.Buffer
	w, err := zstd.NewWriter(&kept, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return kept.Bytes(), err
}

// Checks lists what checks found, the newest first.
func (a *Archive) Checks(ctx context.Context, q CheckQuery) ([]Check, error) {
	var w where
	if q.Machine != "" {
		w.add("m.key = ?", q.Machine)
	}
	if q.Suite != "" {
		w.add("c.suite = ?", q.Suite)
	}
	w.between("c.started", q.Since, time.Time{})
	order := " ORDER BY c.started DESC, c.id DESC"
	if q.Limit > 0 {
		order += fmt.Sprintf(" LIMIT %d", q.Limit)
	}
	return a.checks(ctx, w.String()+order, w.args...)
}

// LatestChecks gives the last check of each suite on each machine, the newest first.
func (a *Archive) LatestChecks(ctx context.Context) ([]Check, error) {
	return a.checks(ctx, `c.id = (SELECT l.id FROM checks l WHERE l.machine = c.machine AND l.suite = c.suite ORDER BY l.started DESC, l.id DESC LIMIT 1)
		ORDER BY c.started DESC, c.id DESC`)
}

func (a *Archive) checks(ctx context.Context, condition string, args ...any) ([]Check, error) {
	list, at := []Check{}, map[int64]int{}
	err := each(ctx, a.db, func(rows *sql.Rows) error {
		c := Check{Runs: []string{}}
		var number, started int64
		var severity string
		err := rows.Scan(&number, &c.ID, &started, &c.Suite, &c.Machine, &c.Label, &c.Tool, &c.Verdict, &severity, &c.Wrong, &c.Slower, &c.Failed, &c.Trials)
		c.Started, c.Severity = micro(started), Severity(severity)
		at[number] = len(list)
		list = append(list, c)
		return err
	}, `SELECT c.id, c.sha256, c.started, c.suite, m.key, m.label, c.tool, c.verdict, c.severity, c.wrong, c.slower, c.failed, c.trials
		FROM checks c JOIN machines m ON m.id = c.machine WHERE `+condition, args...)
	if err != nil {
		return nil, a.failed(err)
	}
	numbers := make([]int64, 0, len(at))
	for number := range at {
		numbers = append(numbers, number)
	}
	for chunk := range slices.Chunk(numbers, atOnce) {
		err := each(ctx, a.db, func(rows *sql.Rows) error {
			var number int64
			var run string
			err := rows.Scan(&number, &run)
			c := &list[at[number]]
			c.Runs = append(c.Runs, run)
			return err
		}, `SELECT k.checked, k.run FROM check_runs k JOIN runs r ON r.sha256 = k.run WHERE k.checked IN (`+listOf(chunk)+`) ORDER BY k.checked, r.started, r.id`)
		if err != nil {
			return nil, a.failed(err)
		}
	}
	return list, nil
}
