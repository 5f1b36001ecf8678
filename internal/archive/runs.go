package archive

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

const runColumns = `r.id, r.sha256, r.whole, r.second_of, r.started, r.filed, r.suite, r.title, r.note, m.key, m.label, k.kernel, k.go, k.tool,
	r.confidence, r.partial, r.wrong, r.measured, r.seconds, r.bytes
	FROM runs r JOIN machines m ON m.id = r.machine JOIN conditions k ON k.id = r.condition`

func scanRun(rows *sql.Rows) (r Run, err error) {
	var whole, partial, started, filed int64
	err = rows.Scan(&r.number, &r.ID, &whole, &r.SecondOf, &started, &filed, &r.Suite, &r.Title, &r.Note, &r.Machine, &r.Label, &r.Kernel, &r.Go, &r.Tool,
		&r.Confidence, &partial, &r.Wrong, &r.Rows, &r.Seconds, &r.Bytes)
	r.Open, r.Partial, r.Started, r.Filed = whole == 0, partial != 0, micro(started), micro(filed)
	return r, err
}

func runsWhere(ctx context.Context, q querier, condition string, args ...any) (runs []Run, err error) {
	err = each(ctx, q, func(rows *sql.Rows) error {
		r, err := scanRun(rows)
		runs = append(runs, r)
		return err
	}, "SELECT "+runColumns+" WHERE "+condition, args...)
	return runs, err
}

// where are the conditions of a list, but for where its page begins.
func (q *RunQuery) where() (w where) {
	w.add("r.second_of = ?", q.SecondOf)
	if q.Machine != "" {
		w.add("m.key = ?", q.Machine)
	}
	if q.Suite != "" {
		w.add("r.suite = ?", q.Suite)
	}
	if q.Text != "" {
		text := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(q.Text)) + "%"
		w.add(`(lower(r.title) LIKE ? ESCAPE '\' OR lower(r.note) LIKE ? ESCAPE '\' OR lower(r.suite) LIKE ? ESCAPE '\')`, text, text, text)
	}
	if q.WrongOnly {
		w.add("r.wrong > 0")
	}
	if q.PartialOnly {
		w.add("(r.partial = 1 OR r.whole = 0)")
	}
	if q.Confidence != "" {
		w.add("r.confidence = ?", q.Confidence)
	}
	w.between("r.started", q.Since, q.Until)
	return w
}

// Runs lists runs, the newest first, and says how many the query has in all, on this page and on others.
// The next page begins after the last of this one: see [RunQuery].
func (a *Archive) Runs(ctx context.Context, q RunQuery) (runs []Run, total int, err error) {
	w := q.where()
	err = a.db.QueryRowContext(ctx, "SELECT count(*) FROM runs r JOIN machines m ON m.id = r.machine WHERE "+w.String(), w.args...).Scan(&total)
	if err != nil {
		return nil, 0, a.failed(err)
	}
	if q.After != nil {
		at := q.After.Started.UnixMicro()
		w.add("(r.started < ? OR r.started = ? AND r.id < ?)", at, at, q.After.number)
	}
	order := " ORDER BY r.started DESC, r.id DESC"
	if q.Limit > 0 {
		order += fmt.Sprintf(" LIMIT %d", q.Limit)
	}
	runs, err = runsWhere(ctx, a.db, w.String()+order, w.args...)
	return runs, total, a.failed(err)
}

// leastID is how many characters of an ID name a run.
const leastID = 6

// Find finds a run by its ID or the beginning of one that no other run's has, of six characters at least.
func (a *Archive) Find(ctx context.Context, id string) (Run, error) {
	id = strings.ToLower(id)
	if len(id) < leastID || strings.Trim(id, "0123456789abcdef") != "" {
		return Run{}, language.Errorf("%w: %q; give the first %d characters of a run's ID at least, from cryptogauge store list",
			"%s：%q；请给出运行 ID 的至少前 %d 个字符，见 cryptogauge store list", ErrUnknown, id, leastID)
	}
	runs, err := runsWhere(ctx, a.db, "r.sha256 >= $1 AND r.sha256 < $2 LIMIT 2", id, id+"g")
	switch {
	case err != nil:
		return Run{}, a.failed(err)
	case len(runs) == 0:
		return Run{}, language.Errorf("%w: none is named %s; cryptogauge store list names them", "%s：没有名为 %s 的运行；可用 cryptogauge store list 列出", ErrUnknown, id)
	case len(runs) > 1:
		return Run{}, language.Errorf("%w: more than one begins with %s", "%s：不止一个以 %s 开头", ErrUnknown, id)
	}
	return runs[0], nil
}

// Machines lists the machines that runs are of, that of the newest run first.
func (a *Archive) Machines(ctx context.Context) (machines []Machine, err error) {
	err = each(ctx, a.db, func(rows *sql.Rows) error {
		var m Machine
		var first, last int64
		if err := rows.Scan(&m.Key, &m.Label, &m.Arch, &m.CPU, &m.CPUs, &m.Hypervisor, &m.Product, &m.Runs, &first, &last, &m.Kernel, &m.Go, &m.Tool); err != nil {
			return err
		}
		m.First, m.Last = micro(first), micro(last)
		machines = append(machines, m)
		return nil
	}, `SELECT m.key, m.label, m.arch, m.cpu, m.cpus, m.hypervisor, m.product, s.runs, s.first, s.last, k.kernel, k.go, k.tool
		FROM machines m
		JOIN (SELECT machine, count(*) FILTER (WHERE second_of = '') AS runs, min(started) AS first, max(started) AS last FROM runs GROUP BY machine) s ON s.machine = m.id
		JOIN runs r ON r.id = (SELECT l.id FROM runs l WHERE l.machine = m.id ORDER BY l.started DESC, l.id DESC LIMIT 1)
		JOIN conditions k ON k.id = r.condition
		ORDER BY s.last DESC, m.key`)
	return machines, a.failed(err)
}

// Suites are those that runs are of, in alphabetical order.
func (a *Archive) Suites(ctx context.Context) (suites []string, err error) {
	err = each(ctx, a.db, func(rows *sql.Rows) error {
		var suite string
		err := rows.Scan(&suite)
		suites = append(suites, suite)
		return err
	}, "SELECT DISTINCT suite FROM runs WHERE second_of = '' ORDER BY suite")
	return suites, a.failed(err)
}

// Libraries are those that runs have measured, in alphabetical order.
func (a *Archive) Libraries(ctx context.Context) (libraries []string, err error) {
	err = each(ctx, a.db, func(rows *sql.Rows) error {
		var library string
		err := rows.Scan(&library)
		libraries = append(libraries, library)
		return err
	}, "SELECT DISTINCT library FROM tracks WHERE library <> $1 ORDER BY library", subject.Harness)
	return libraries, a.failed(err)
}

// Stamp is another one whenever something else is filed: what was made of a store is as good as its stamp. Numbers of
// runs that are filed at once may be seen in any order, and one that replaces the newest may have its number.
func (a *Archive) Stamp(ctx context.Context) (string, error) {
	var runs, numbers, checks int64
	var newest string
	err := a.db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(id), 0), (SELECT count(*) FROM checks),
		coalesce((SELECT sha256 FROM runs ORDER BY id DESC LIMIT 1), '') FROM runs`).Scan(&runs, &numbers, &checks, &newest)
	return fmt.Sprint(runs, " ", numbers, " ", checks, " ", newest), a.failed(err)
}

// Totals are how much the store holds.
func (a *Archive) Totals(ctx context.Context) (t Totals, err error) {
	err = a.db.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE second_of = ''), coalesce(sum(cells), 0), coalesce(sum(bytes), 0),
		(SELECT count(*) FROM checks), (SELECT count(DISTINCT machine) FROM runs) FROM runs`).Scan(&t.Runs, &t.Cells, &t.Bytes, &t.Checks, &t.Machines)
	return t, a.failed(err)
}
