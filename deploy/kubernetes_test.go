package deploy_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// object is what these tests read of one of Kubernetes'.
type object struct {
	Kind     string `yaml:"kind"`
	Metadata struct {
		Name         string `yaml:"name"`
		GenerateName string `yaml:"generateName"`
		Namespace    string `yaml:"namespace"`
	} `yaml:"metadata"`
	Spec struct {
		Job         `yaml:",inline"`
		JobTemplate struct {
			Spec Job `yaml:"spec"`
		} `yaml:"jobTemplate"`
		Schedule string `yaml:"schedule"`
	} `yaml:"spec"`
	Data map[string]string `yaml:"data"`
}

type Job struct {
	CompletionMode string `yaml:"completionMode"`
	Completions    int    `yaml:"completions"`
	Template       struct {
		Spec pod `yaml:"spec"`
	} `yaml:"template"`
}

type pod struct {
	RestartPolicy string `yaml:"restartPolicy"`
	Token         *bool  `yaml:"automountServiceAccountToken"`
	Security      struct {
		NonRoot bool `yaml:"runAsNonRoot"`
		User    int  `yaml:"runAsUser"`
	} `yaml:"securityContext"`
	Containers []container `yaml:"containers"`
	Volumes    []struct {
		Name   string `yaml:"name"`
		Secret struct {
			Name string `yaml:"secretName"`
			Mode int    `yaml:"defaultMode"`
		} `yaml:"secret"`
	} `yaml:"volumes"`
}

type container struct {
	Args      []string   `yaml:"args"`
	Env       []variable `yaml:"env"`
	Resources struct {
		Requests map[string]string `yaml:"requests"`
		Limits   map[string]string `yaml:"limits"`
	} `yaml:"resources"`
	Security struct {
		Escalation *bool `yaml:"allowPrivilegeEscalation"`
		ReadOnly   bool  `yaml:"readOnlyRootFilesystem"`
		Dropped    struct {
			Drop []string `yaml:"drop"`
		} `yaml:"capabilities"`
	} `yaml:"securityContext"`
	Mounts []struct {
		Name     string `yaml:"name"`
		Path     string `yaml:"mountPath"`
		ReadOnly bool   `yaml:"readOnly"`
	} `yaml:"volumeMounts"`
}

type variable struct {
	Name string `yaml:"name"`
	From struct {
		Secret any `yaml:"secretKeyRef"`
	} `yaml:"valueFrom"`
}

// objects reads all files.
func objects(t *testing.T) map[string][]object {
	t.Helper()
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	all := map[string][]object{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		decoder := yaml.NewDecoder(bytes.NewReader(text))
		for {
			var o object
			if err := decoder.Decode(&o); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all[filepath.Base(file)] = append(all[filepath.Base(file)], o)
		}
	}
	return all
}

// jobOf is a job's, or that of a job on a schedule; nil of anything else.
func (o *object) jobOf() *Job {
	switch o.Kind {
	case "Job":
		return &o.Spec.Job
	case "CronJob":
		return &o.Spec.JobTemplate.Spec
	}
	return nil
}

// jobs calls see for every job of the files.
func jobs(t *testing.T, see func(file string, o *object, j *Job)) {
	t.Helper()
	n := 0
	for file, all := range objects(t) {
		for i := range all {
			if j := all[i].jobOf(); j != nil {
				see(file, &all[i], j)
				n++
			}
		}
	}
	if n < 5 {
		t.Fatalf("only %d jobs", n)
	}
}

// TestKubernetesSchemas holds the files to the schemas that Kubernetes publishes, and takes no field that they don't
// have.
func TestKubernetesSchemas(t *testing.T) {
	const validate = `import sys, yaml, kubernetes_validate
n = 0
for file in sys.argv[1:]:
    for o in yaml.safe_load_all(open(file)):
        for version in "1.31", "1.37":
            try:
                kubernetes_validate.validate(o, version, strict=True)
            except kubernetes_validate.ValidationError as e:
                sys.exit("%s: %s: %s: %s" % (file, version, "/".join(str(p) for p in e.path), e.message))
        n += 1
print(n)
`
	python := filepath.Join("..", "bin", "kubernetes", "bin", "python3")
	if _, err := os.Stat(python); err != nil {
		python = need(t, "python3", "Debian: python3")
		if exec.Command(python, "-c", "import kubernetes_validate").Run() != nil {
			const install = "python3 -m venv bin/kubernetes && bin/kubernetes/bin/pip install -r deploy/kubernetes/requirements.txt"
			if os.Getenv("CI") == "true" {
				t.Fatal("kubernetes-validate is not installed: " + install)
			}
			t.Skip("kubernetes-validate is not installed: " + install)
		}
	}
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	validated := func(files ...string) (string, error) {
		out, err := exec.Command(python, append([]string{"-c", validate}, files...)...).CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	out, err := validated(files...)
	if n, _ := strconv.Atoi(out); err != nil || n < len(files) {
		t.Errorf("%v\n%s", err, out)
	}
	// What is no field of a job is found, so that it can be believed that none is there.
	text, err := os.ReadFile("kubernetes/hash.yaml")
	if err != nil {
		t.Fatal(err)
	}
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	if err := os.WriteFile(wrong, bytes.Replace(text, []byte("completionMode:"), []byte("completionMood:"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := validated(wrong); err == nil || !strings.Contains(out, "completionMood") {
		t.Errorf("a wrong field is taken: %s", out)
	}
}

// TestKubernetesPods: nothing runs as root, writes into its image, or holds what it does not need; CPUs are whole, and
// all that is asked for is guaranteed.
func TestKubernetesPods(t *testing.T) {
	jobs(t, func(file string, o *object, j *Job) {
		p := j.Template.Spec
		if !p.Security.NonRoot || p.Security.User == 0 || p.Token == nil || *p.Token || p.RestartPolicy != "Never" || o.Metadata.Namespace != "cryptogauge" {
			t.Errorf("%s: %+v", file, p)
		}
		var volumes []string
		for _, v := range p.Volumes {
			volumes = append(volumes, v.Name)
			if v.Secret.Name != "" && v.Secret.Mode != 0o400 {
				t.Errorf("%s: the secret is open to others: %o", file, v.Secret.Mode)
			}
		}
		for _, c := range p.Containers {
			if c.Security.Escalation == nil || *c.Security.Escalation || !c.Security.ReadOnly || !slices.Equal(c.Security.Dropped.Drop, []string{"ALL"}) {
				t.Errorf("%s: %+v", file, c.Security)
			}
			if _, err := strconv.Atoi(c.Resources.Limits["cpu"]); err != nil || c.Resources.Limits["memory"] == "" ||
				fmt.Sprint(c.Resources.Limits) != fmt.Sprint(c.Resources.Requests) {
				t.Errorf("%s: not guaranteed, or not whole CPUs: %+v", file, c.Resources)
			}
			for _, m := range c.Mounts {
				if !slices.Contains(volumes, m.Name) {
					t.Errorf("%s mounts %s, which is no volume of it", file, m.Name)
				}
			}
			for _, e := range c.Env {
				if e.From.Secret != nil || regexp.MustCompile(`(?i)password|secret|token`).MatchString(e.Name) {
					t.Errorf("%s: a secret in a variable: %s", file, e.Name)
				}
			}
		}
	})
}

// TestKubernetesPlanIsRun: the two files differ in what is measured alone.
func TestKubernetesPlanIsRun(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile("kubernetes/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(line, "#")
			if line = strings.TrimRight(line, " \n"); line != "" && !strings.Contains(line, "args:") && !strings.Contains(line, "workload") {
				kept = append(kept, strings.ReplaceAll(line, "plan", "run"))
			}
		}
		return strings.Join(kept, "\n")
	}
	if run, plan := read("run.yaml"), read("plan.yaml"); run != plan {
		t.Errorf("run.yaml:\n%s\nplan.yaml:\n%s", run, plan)
	}
}

// reference is what Kubernetes puts a variable's value in the place of.
var reference = regexp.MustCompile(`\$\(([A-Z_]+)\)`)

// expanded are the arguments of a container as it is started with these values, its paths below a folder.
func (c *container) expanded(t *testing.T, values map[string]string, paths *strings.Replacer) (args []string) {
	t.Helper()
	for _, arg := range c.Args {
		arg = reference.ReplaceAllStringFunc(arg, func(r string) string {
			name := reference.FindStringSubmatch(r)[1]
			if !slices.ContainsFunc(c.Env, func(v variable) bool { return v.Name == name }) {
				t.Fatalf("%s is in no variable of the container", r)
			}
			return values[name]
		})
		args = append(args, paths.Replace(arg))
	}
	return args
}

// TestKubernetesCommands runs every command of the files: what measures as a dry run, what hashes in earnest.
func TestKubernetesCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, for programs that are built")
	}
	dir := t.TempDir()
	workload, err := filepath.Abs("../workloads/signing.yaml")
	if err != nil {
		t.Fatal(err)
	}
	paths := strings.NewReplacer("/etc/cryptogauge/workload/workload.yaml", workload, "/data", dir+"/data", "/manifests", dir+"/manifests",
		"/work/", dir+"/work/", "/baselines", dir+"/baselines")
	values := map[string]string{"CRYPTOGAUGE_STORE": "sqlite:" + dir + "/store.db"}
	verbs := map[string]bool{}
	jobs(t, func(file string, _ *object, j *Job) {
		for _, c := range j.Template.Spec.Containers {
			args := c.expanded(t, values, paths)
			verbs[args[0]] = true
			switch args[0] {
			case "run", "plan":
				if out := cryptogauge(t, nil, append(args, "--dry-run")...); !strings.Contains(out, "in all ") {
					t.Errorf("%s: %s", file, out)
				}
			case "check":
				// It has no dry run: what it is given is read, and refused for the one word that is wrong.
				out, err := exec.Command(filepath.Join(programs(t), "cryptogauge"), append(args, "--budget", "1s")...).CombinedOutput()
				if err == nil || !strings.HasPrefix(string(out), "cryptogauge: --budget 1s: ") {
					t.Errorf("%s: %s", file, out)
				}
			case "hash": // below
			default:
				t.Errorf("%s: the verb %s is of no test", file, args[0])
			}
		}
	})
	if len(verbs) != 4 {
		t.Errorf("verbs %v", verbs)
	}
}

// TestKubernetesHash: the shards of hash.yaml, merged by merge.yaml, are what one run makes.
func TestKubernetesHash(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, for programs that are built")
	}
	dir := t.TempDir()
	tree(t, dir+"/data")
	if err := os.Mkdir(dir+"/manifests", 0o755); err != nil {
		t.Fatal(err)
	}
	paths := strings.NewReplacer("/data", dir+"/data", "/manifests/data.sha256", dir+"/manifests/data.sha256", "/manifests", dir+"/manifests")
	all := objects(t)
	shards, merge := all["hash.yaml"][0].jobOf(), all["merge.yaml"][0].jobOf()
	if shards.CompletionMode != "Indexed" || shards.Completions < 2 {
		t.Fatalf("%+v", shards)
	}
	for i := range shards.Completions {
		index := strconv.Itoa(i)
		args := shards.Template.Spec.Containers[0].expanded(t, map[string]string{"JOB_COMPLETION_INDEX": index}, paths)
		cryptogauge(t, []string{"JOB_COMPLETION_INDEX=" + index}, args...)
	}
	cryptogauge(t, nil, merge.Template.Spec.Containers[0].expanded(t, nil, paths)...)
	got, err := os.ReadFile(dir + "/manifests/data.sha256")
	if err != nil {
		t.Fatal(err)
	}
	if want := cryptogauge(t, nil, "hash", dir+"/data"); string(got) != want {
		t.Errorf("merged:\n%s\nwant:\n%s", got, want)
	}
}
