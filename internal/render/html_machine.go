package render

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// htmlFact is a fact with its name.
type htmlFact struct {
	Name  layout.Text
	Value layout.Text
	Code  bool // typed or printed by a machine: fixed width
}

// machineName names a machine among several.
func machineName(index int) layout.Text {
	letter := machineLetter(index)
	return layout.Text{EN: fmt.Sprintf(machineLabel.EN, letter), ZH: fmt.Sprintf(machineLabel.ZH, letter)}
}

// machineLine is the machine in one line.
func machineLine(m result.Machine) layout.Text {
	t := layout.Text{EN: Clean(document.MachineLine(m, layout.English)), ZH: Clean(document.MachineLine(m, layout.Chinese))}
	if t.EN == "" {
		return wordUnknown
	}
	return t
}

// htmlMachineFacts are the facts beside the answers: those that decide how fast
// this machine can be, and how quiet. All of them stand in machineTable.
func htmlMachineFacts(m result.Machine) []htmlFact {
	var facts []htmlFact
	add := func(known bool, name, value layout.Text) {
		if known {
			facts = append(facts, htmlFact{Name: name, Value: value})
		}
	}
	c := m.CPU
	add(c.Model != "", layout.Text{EN: "CPU", ZH: "处理器"}, layout.Same(document.ShortModel(c.Model)))
	add(c.Online > 0, layout.Text{EN: "CPUs", ZH: "处理器数"}, cpuCounts(m))
	quota := layout.Text{EN: "none", ZH: "无"}
	if q := m.Cgroup.QuotaCPUs; q > 0 {
		s := layout.FormatNumber(q)
		quota = layout.Text{EN: s + " CPUs", ZH: s + " 个 CPU"}
	}
	add(c.Model != "" || m.Cgroup.QuotaCPUs > 0, layout.Text{EN: "Quota", ZH: "配额"}, quota)
	add(len(c.Features) > 0, layout.Text{EN: "Features", ZH: "指令集"}, layout.Same(strings.Join(c.Features, " ")))
	add(m.Hypervisor != "", layout.Text{EN: "Hypervisor", ZH: "虚拟化"}, layout.Same(m.Hypervisor))
	add(m.Container != "", layout.Text{EN: "Container", ZH: "容器"}, layout.Same(m.Container))
	add(m.Kernel != "", layout.Text{EN: "System", ZH: "系统"}, layout.Same(strings.TrimSpace(m.OS+"/"+m.Arch+" "+m.Kernel)))
	add(m.GoVersion != "", layout.Same("Go"), layout.Same(m.GoVersion))
	if len(facts) == 0 {
		add(true, wordMachine, wordUnknown)
	}
	return facts
}

func cpuCounts(m result.Machine) layout.Text {
	c := m.CPU
	n := strconv.Itoa
	t := layout.Text{EN: n(c.Online) + " logical", ZH: n(c.Online) + " 个逻辑处理器"}
	if c.Cores > 0 {
		t.EN, t.ZH = t.EN+", "+n(c.Cores)+" physical", t.ZH+"，"+n(c.Cores)+" 个物理核"
	}
	if c.Allowed > 0 && c.Allowed < c.Online {
		t.EN, t.ZH = t.EN+", "+n(c.Allowed)+" allowed", t.ZH+"，可用 "+n(c.Allowed)+" 个"
	}
	return t
}

// provenance says where the document's numbers come from: enough to make them again.
func provenance(d *document.Document) []htmlFact {
	duration := factCutShort
	if d.Seconds != nil {
		duration = layout.Same(FormatDuration(*d.Seconds))
	}
	return []htmlFact{
		{Name: layout.Text{EN: "Noise floor", ZH: "本底噪声"}, Value: noiseText(d)},
		{Name: layout.Text{EN: "Started", ZH: "开始时间"}, Value: layout.Same(d.Started.Format("2006-01-02 15:04:05 -07:00"))},
		{Name: layout.Text{EN: "Duration", ZH: "运行时长"}, Value: duration},
		{Name: layout.Text{EN: "Seed", ZH: "随机种子"}, Value: layout.Same(strconv.FormatUint(d.Seed, 10)), Code: true},
		{Name: layout.Text{EN: "Command", ZH: "命令"}, Value: layout.Same(strings.Join(append([]string{"cryptogauge"}, d.Command...), " ")), Code: true},
		{Name: layout.Text{EN: "Tool", ZH: "工具版本"}, Value: layout.Same("cryptogauge " + d.Tool), Code: true},
	}
}

// machineTable lists every fact that the run's header holds about its machine,
// by its name there.
func machineTable(m result.Machine, id string) htmlTable {
	t := htmlTable{ID: id, Title: layout.Text{EN: "Machine", ZH: "机器"}, Columns: []layout.Column{htmlColumn("Fact", "项"), htmlColumn("Value", "值")}}
	b, err := json.Marshal(m)
	if err != nil {
		return t
	}
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.UseNumber()
	var facts any
	if dec.Decode(&facts) == nil {
		t.addFacts("", facts)
	}
	return t
}

// addFacts flattens what JSON holds: "cpu.model", "cpus[3]".
func (t *htmlTable) addFacts(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			t.addFacts(strings.TrimPrefix(name+"."+k, "."), v[k])
		}
	case []any:
		words := make([]string, 0, len(v))
		for i, e := range v {
			switch e.(type) {
			case map[string]any, []any:
				t.addFacts(name+"["+strconv.Itoa(i)+"]", e)
			default:
				words = append(words, fmt.Sprint(e))
			}
		}
		if len(words) > 0 {
			t.addFacts(name, strings.Join(words, " "))
		}
	case nil:
	default:
		if s := fmt.Sprint(v); s != "" {
			t.Rows = append(t.Rows, htmlRow{Cells: []htmlCell{{Text: layout.Same(name), Head: true}, textCell(s)}})
		}
	}
}

// htmlMachines sets the rows of several machines side by side. A page can be
// scrolled sideways, so an experiment is one table however many there are.
func htmlMachines(docs []*document.Document) []htmlTable {
	nowhere := newHTMLPlaces("", &document.Document{})
	var list []htmlTable
	for i, t := range sideBySide(docs, len(docs)) {
		h := newHTMLTable(t, "compare-"+strconv.Itoa(i+1), nowhere)
		h.Class = "wide"
		list = append(list, h)
	}
	return list
}

// noiseText is the noise floor, and how closely the A/A pair agrees.
func noiseText(d *document.Document) layout.Text {
	switch {
	case d.Resolution == nil && d.NoiseMeasured:
		return layout.Text{EN: "±" + layout.FormatShare(d.NoiseFloor) + ", " + factNoResolution.EN, ZH: "±" + layout.FormatShare(d.NoiseFloor) + "，" + factNoResolution.ZH}
	case d.Resolution == nil:
		return layout.Text{EN: "not measured", ZH: "未测得"}
	}
	return layout.Same("±" + layout.FormatShare(d.NoiseFloor) + ", A/A ±" + layout.FormatShare(*d.Resolution))
}
