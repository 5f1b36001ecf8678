package deploy_test

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
)

// cluster is a Slurm cluster of this machine alone, on the loopback interface, which ends with the test.
type cluster struct {
	t       *testing.T
	dir     string
	env     []string
	daemons []*daemon // in the order in which they were started
}

// daemon is a child of the test.
type daemon struct {
	*exec.Cmd
	name  string
	ended chan struct{}
}

const slurmPackages = "Debian: slurm-wlm munge"

// feature is what the cluster's node has, by which a job asks for its type.
const feature = "thisone"

func startCluster(t *testing.T) *cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("a cluster takes half a minute")
	}
	for _, name := range []string{"sbatch", "squeue", "sinfo", "scontrol", "scancel"} {
		need(t, name, slurmPackages)
	}
	dir, err := os.MkdirTemp("", "slurm") // short: a socket's path has 107 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, dir: dir, env: append(os.Environ(), "SLURM_CONF="+dir+"/slurm.conf", "PATH="+programs(t)+":"+os.Getenv("PATH"),
		"XDG_STATE_HOME="+dir+"/home", "XDG_DATA_HOME="+dir+"/home", "XDG_CACHE_HOME="+dir+"/home")}
	t.Cleanup(c.end)
	if err := os.Chmod(dir, 0o755); err != nil { // munged serves everyone, and refuses where not everyone comes
		t.Fatal(err)
	}
	for _, folder := range []string{"run", "state", "spool", "home", "jobs"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	key := make([]byte, 128)
	rand.Read(key)
	c.write("munge.key", key)
	c.write("slurm.conf", []byte(c.config()))
	c.start("munged", "--foreground", "--key-file="+dir+"/munge.key", "--socket="+dir+"/run/munge.socket", "--pid-file="+dir+"/run/munged.pid",
		"--log-file="+dir+"/munged.log", "--seed-file="+dir+"/munge.seed", "--num-threads=2")
	c.until("munged listens", func() bool { return exists(dir + "/run/munge.socket") })
	c.start("slurmctld", "-D", "-i", "-f", dir+"/slurm.conf")
	c.start("slurmd", "-D", "-f", dir+"/slurm.conf")
	c.until("the node is idle", func() bool {
		out, err := c.command("sinfo", "-h", "-o", "%T").Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	})
	return c
}

// config is that of a cluster that needs no service manager, no control groups and no root, and whose daemons listen on
// loopback alone.
func (c *cluster) config() string {
	me, err := user.Current()
	if err != nil {
		c.t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		c.t.Fatal(err)
	}
	ports := freePorts(c.t, 2)
	lines := []string{
		"ClusterName=test", "SlurmctldHost=localhost(127.0.0.1)", "SlurmUser=" + me.Username, "SlurmdUser=" + me.Username,
		"AuthType=auth/munge", "CredType=cred/munge", "AuthInfo=socket=" + c.dir + "/run/munge.socket",
		fmt.Sprintf("SlurmctldPort=%d", ports[0]), fmt.Sprintf("SlurmdPort=%d", ports[1]), "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny",
		"StateSaveLocation=" + c.dir + "/state", "SlurmdSpoolDir=" + c.dir + "/spool",
		"SlurmctldPidFile=" + c.dir + "/run/slurmctld.pid", "SlurmdPidFile=" + c.dir + "/run/slurmd.pid",
		"SlurmctldLogFile=" + c.dir + "/slurmctld.log", "SlurmdLogFile=" + c.dir + "/slurmd.log",
		"ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SwitchType=switch/none", "MpiDefault=none",
		"JobAcctGatherType=jobacct_gather/none", "AccountingStorageType=accounting_storage/none", "JobCompType=jobcomp/none",
		"SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU", "ReturnToService=2", "MinJobAge=3600",
		"SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=10000", "KillWait=1",
		"SlurmdParameters=config_overrides", // there are fewer CPUs
		fmt.Sprintf("NodeName=localhost NodeHostname=%s NodeAddr=127.0.0.1 CPUs=8 RealMemory=500 Features=%s", host, feature),
		"PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP",
	}
	return strings.Join(lines, "\n") + "\n"
}

func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (c *cluster) write(name string, content []byte) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), content, 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// start starts a daemon in the foreground, as a child of the test.
func (c *cluster) start(name string, args ...string) {
	c.t.Helper()
	d := exec.Command(need(c.t, name, slurmPackages), args...)
	d.Env, d.Dir = c.env, c.dir
	log, err := os.Create(filepath.Join(c.dir, name+".out"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer log.Close()
	d.Stdout, d.Stderr = log, log
	if err := d.Start(); err != nil {
		c.t.Fatal(err)
	}
	child := &daemon{d, name, make(chan struct{})}
	go func() {
		_ = d.Wait() // how it ended stands in its log
		close(child.ended)
	}()
	c.daemons = append(c.daemons, child)
}

// end ends what runs, and the daemons.
func (c *cluster) end() {
	if me, err := user.Current(); err == nil && len(c.daemons) == 3 {
		_ = c.command("scancel", "--user="+me.Username).Run() // there may be none
		_ = c.command("scancel", "--signal=KILL", "--user="+me.Username).Run()
	}
	for _, d := range slices.Backward(c.daemons) {
		_ = d.Process.Signal(syscall.SIGTERM)
		overdue := time.AfterFunc(time.Minute, func() { _ = d.Process.Kill() })
		<-d.ended
		overdue.Stop()
	}
	if c.t.Failed() {
		logs, _ := filepath.Glob(c.dir + "/*.log")
		for _, log := range logs {
			if text, err := os.ReadFile(log); err == nil {
				c.t.Logf("%s:\n%s", filepath.Base(log), text[max(0, len(text)-3000):])
			}
		}
	}
	os.RemoveAll(c.dir)
}

// command is one of Slurm's, or a script that starts some, as a user of the cluster types it.
func (c *cluster) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir = c.env, filepath.Join(c.dir, "jobs")
	return cmd
}

// do runs one, and gives what it prints.
func (c *cluster) do(env []string, name string, args ...string) string {
	c.t.Helper()
	cmd := c.command(name, args...)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// until waits for something to happen; how long that takes is the machine's.
func (c *cluster) until(what string, happened func() bool) {
	c.t.Helper()
	deadline := time.Now().Add(5 * time.Minute)
	for !happened() {
		for _, d := range c.daemons {
			select {
			case <-d.ended:
				c.t.Fatalf("%s ended before %s", d.name, what)
			default:
			}
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("never: %s", what)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// states are those of a job, or of each job of an array, by its number.
func (c *cluster) states(id string) map[string]string {
	c.t.Helper()
	states := map[string]string{}
	for line := range strings.Lines(c.do(nil, "scontrol", "show", "job", "-o", id)) {
		var job, task, state string
		for field := range strings.FieldsSeq(line) {
			name, value, _ := strings.Cut(field, "=")
			switch name {
			case "JobId":
				job = value
			case "ArrayTaskId":
				task = value
			case "JobState":
				state = value
			}
		}
		if task == "" {
			task = job
		}
		states[task] = state
	}
	return states
}

// ended waits for a job, and gives its state.
func (c *cluster) ended(id string) (state string) {
	c.t.Helper()
	c.until("job "+id+" ends", func() bool {
		for _, state = range c.states(id) {
			if slices.Contains([]string{"PENDING", "RUNNING", "COMPLETING", "CONFIGURING"}, state) {
				return false
			}
		}
		return true
	})
	return state
}

// log is what a job printed.
func (c *cluster) log(pattern string) string {
	c.t.Helper()
	files, _ := filepath.Glob(filepath.Join(c.dir, "jobs", pattern))
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			c.t.Fatal(err)
		}
		fmt.Fprintf(&all, "%s:\n%s", filepath.Base(file), text)
	}
	return all.String()
}

// script is one of the files here.
func script(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("slurm", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSlurmHash: an array over this machine, one of whose shards is killed, makes no manifest; the same command again
// makes that which one run makes.
func TestSlurmHash(t *testing.T) {
	c := startCluster(t)
	jobs := filepath.Join(c.dir, "jobs")
	tree(t, jobs+"/data")
	// A pipe that nobody writes to holds up the shard that it belongs to.
	if err := syscall.Mkfifo(jobs+"/late", 0o600); err != nil {
		t.Fatal(err)
	}
	submit := func() (array, merge string) {
		out := c.do(nil, script(t, "hash.sh"), "4", "all.sha256", "data", "late")
		if _, err := fmt.Sscanf(out, "shards are job %s", &array); err != nil {
			t.Fatal(out)
		}
		return strings.TrimSuffix(array, ","), out[strings.LastIndex(out, " ")+1:]
	}
	array, merge := submit()
	var held string
	c.until("three shards are done, and one waits", func() bool {
		var done int
		for task, state := range c.states(array) {
			switch state {
			case "COMPLETED":
				done++
			case "RUNNING":
				held = task
			}
		}
		return done == 3
	})
	c.do(nil, "scancel", "--signal=KILL", "--full", array+"_"+held)
	if state := c.ended(array + "_" + held); state == "COMPLETED" {
		t.Errorf("the shard that was killed is %s", state)
	}
	if state := c.ended(merge); state != "CANCELLED" || exists(jobs+"/all.sha256") {
		t.Errorf("with a shard missing the merge is %s:\n%s", state, c.log("*.log"))
	}

	const said = "said at last"
	feed := func() {
		pipe, err := os.OpenFile(jobs+"/late", os.O_WRONLY, 0)
		if err != nil {
			return
		}
		_, _ = pipe.WriteString(said)
		_ = pipe.Close()
	}
	go feed()
	array, merge = submit()
	if state := c.ended(merge); state != "COMPLETED" {
		t.Fatalf("shards %v, merge %s:\n%s", c.states(array), state, c.log("*.log"))
	}
	got, err := os.ReadFile(jobs + "/all.sha256")
	if err != nil {
		t.Fatal(err)
	}
	go feed()
	plain := c.do(nil, filepath.Join(programs(t), "cryptogauge"), "hash", "data", "late")
	if strings.TrimSpace(string(got)) != plain {
		t.Errorf("merged:\n%s\nwant:\n%s", got, plain)
	}
}

// TestSlurmUsage: what isn't a number of shards is answered by how the script is used, before anything is submitted.
func TestSlurmUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"4", "m"}, {"x", "m", "f"}, {"0", "m", "f"}, {"-1", "m", "f"}} {
		cmd := exec.Command(script(t, "hash.sh"), args...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 2 || !strings.HasPrefix(string(out), "usage: ") || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}

// TestScrontab: every entry's options are Slurm's, its time is one, and its command is a file here. Debian's Slurm comes
// without the program scrontab.
func TestScrontab(t *testing.T) {
	c := startCluster(t)
	text, err := os.ReadFile("slurm/check.scrontab")
	if err != nil {
		t.Fatal(err)
	}
	entries, options := 0, []string(nil)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if option, is := strings.CutPrefix(line, "#SCRON "); is {
			if strings.HasPrefix(option, "--constraint=") {
				option = "--constraint=" + feature // which this cluster has
			}
			options = append(options, option)
			continue
		}
		if strings.HasPrefix(line, "#") || line == "" {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) < 6 {
			t.Fatalf("%q is no entry", line)
		}
		for i, most := range []int{59, 23, 31, 12, 7} {
			if n, err := strconv.Atoi(fields[i]); fields[i] != "*" && (err != nil || n > most) {
				t.Errorf("%q: %q is no time", line, fields[i])
			}
		}
		name := filepath.Base(fields[len(fields)-1])
		if !strings.HasSuffix(line, "/deploy/slurm/"+name) || !exists(script(t, name)) || !slices.Contains(options, "--exclusive") {
			t.Errorf("%q with %q", line, options)
		}
		c.do(nil, "sbatch", append(append([]string{"--test-only"}, options...), script(t, name))...)
		entries, options = entries+1, nil
	}
	if entries < 2 {
		t.Errorf("%d entries", entries)
	}
}

// small is a run that takes a second.
var small = []string{"modes", "--algorithms", "SM4", "--modes", "CTR", "--operations", "encrypt", "--libraries", "gmsm", "--sizes", "1KiB"}

// TestSlurmRuns: jobs on a machine of a type file their runs in one PostgreSQL, of which the password stands in a file
// alone, and the fleet's report has them. A type that no node is of has no job, and nothing runs without a store.
func TestSlurmRuns(t *testing.T) {
	c := startCluster(t)
	server := archivetest.Own(t)
	server.SQL(t, "postgres", "CREATE DATABASE runs")
	url := server.URL(archivetest.Locked, "runs")
	c.write("home/pgpass", []byte("*:*:runs:"+archivetest.Locked+":"+archivetest.Password+"\n"))
	env := []string{"CRYPTOGAUGE_STORE=" + url, "PGPASSFILE=" + c.dir + "/home/pgpass"}

	if out, err := c.command("sbatch", "--constraint=other", script(t, "run.sbatch")).CombinedOutput(); err == nil {
		t.Errorf("a type that no node is of is taken: %s", out)
	}
	nowhere := c.do(nil, "sbatch", "--parsable", script(t, "run.sbatch"))
	if state := c.ended(nowhere); state != "FAILED" || !strings.Contains(c.log("cryptogauge-"+nowhere+".log"), "CRYPTOGAUGE_STORE: name the store of all runs") {
		t.Errorf("without a store the job is %s:\n%s", state, c.log("*.log"))
	}

	measured := func(args ...string) {
		t.Helper()
		id := c.do(env, "sbatch", append([]string{"--parsable", "--constraint=" + feature}, args...)...)
		if state := c.ended(id); state != "COMPLETED" {
			t.Fatalf("%v is %s:\n%s", args, state, c.log("*.log"))
		}
	}
	measured(append([]string{script(t, "run.sbatch"), "run", "--blocks", "12", "--rounds", "1"}, small...)...)
	measured(script(t, "run.sbatch"), "plan", "--sign", "--rate", "3000/s", "--libraries", "go", "--budget", "10s")

	prices := filepath.Join(c.dir, "prices.csv")
	runs := filed(t, server.URL(archivetest.Owner, "runs"))
	if len(runs) != 2 || runs[0].Suite != "plan" || runs[1].Suite != "modes" {
		t.Fatalf("%+v", runs)
	}
	machine := runs[0].Machine
	c.write("prices.csv", []byte("machine,vcpu_hour,currency\n"+machine+",0.05,USD\n"))
	for _, question := range [][]string{{"--algorithms", "SM4"}, {"--plan", runs[0].Short()}} {
		out := cryptogauge(t, env, append([]string{"report", "--fleet", url, "--price", prices, "--format", "json"}, question...)...)
		if !strings.Contains(out, `"cost_per_million": {`) || !strings.Contains(out, machine) || strings.Contains(out, archivetest.Password) {
			t.Errorf("%v: %s", question, out)
		}
	}
	if text := c.log("*.log"); strings.Contains(text, archivetest.Password) {
		t.Errorf("the password stands in a job's log:\n%s", text)
	}
}

// TestSlurmCheck: the first check of a type of machine makes its baseline, in the home that all nodes share, and the
// store has what it found.
func TestSlurmCheck(t *testing.T) {
	c := startCluster(t)
	url := archivetest.Database(t)
	id := c.do([]string{"CRYPTOGAUGE_STORE=" + url}, "sbatch", append([]string{"--parsable", "--constraint=" + feature, script(t, "check.sbatch")}, small...)...)
	state := c.ended(id)
	baselines, err := filepath.Glob(c.dir + "/home/cryptogauge/baselines/*.json")
	// On a busy machine there may be nothing that a baseline could guard, which is exit code 3.
	if log := c.log("cryptogauge-check-*.log"); err != nil || state != "COMPLETED" && !strings.Contains(log, "inconclusive") ||
		state == "COMPLETED" && len(baselines) != 1 {
		t.Errorf("the check is %s, with baselines %v:\n%s", state, baselines, log)
	}
	if runs := filed(t, url); len(runs) == 0 {
		t.Error("the store has no run of the check")
	}
}

// filed are the runs of a store, the newest first.
func filed(t *testing.T, url string) []archive.Run {
	t.Helper()
	at, err := archive.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	a, err := archive.Open(t.Context(), at, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	runs, _, err := a.Runs(t.Context(), archive.RunQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return runs
}
