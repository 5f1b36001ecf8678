package report

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// htmlFact is a fact with its name.
type htmlFact struct {
	Name  Text
	Value Text
	Code  bool // typed or printed by a machine: fixed width
}

// machineName names a machine among several.
func machineName(index int) Text {
	letter := machineLetter(index)
	return Text{fmt.Sprintf(machineLabel.EN, letter), fmt.Sprintf(machineLabel.ZH, letter)}
}

// machineLine is the machine in one line.
func machineLine(m result.Machine) Text {
	t := Text{Clean(MachineLine(m, English)), Clean(MachineLine(m, Chinese))}
	if t.EN == "" {
		return wordUnknown
	}
	return t
}

// htmlMachineFacts are the facts beside the answers: those that decide how fast
// this machine can be, and how quiet. All of them stand in machineTable.
func htmlMachineFacts(m result.Machine) []htmlFact {
	var facts []htmlFact
	add := func(known bool, name, value Text) {
		if known {
			facts = append(facts, htmlFact{Name: name, Value: value})
		}
	}
	c := m.CPU
	add(c.Model != "", Text{"CPU", "处理器"}, Same(shortModel(c.Model)))
	add(c.Online > 0, Text{"CPUs", "处理器数"}, cpuCounts(m))
	quota := Text{"none", "无"}
	if q := m.Cgroup.QuotaCPUs; q > 0 {
		s := FormatNumber(q)
		quota = Text{s + " CPUs", s + " 个 CPU"}
	}
	add(c.Model != "" || m.Cgroup.QuotaCPUs > 0, Text{"Quota", "配额"}, quota)
	add(len(c.Features) > 0, Text{"Features", "指令集"}, Same(strings.Join(c.Features, " ")))
	add(m.Hypervisor != "", Text{"Hypervisor", "虚拟化"}, Same(m.Hypervisor))
	add(m.Container != "", Text{"Container", "容器"}, Same(m.Container))
	add(m.Kernel != "", Text{"System", "系统"}, Same(strings.TrimSpace(m.OS+"/"+m.Arch+" "+m.Kernel)))
	add(m.GoVersion != "", Same("Go"), Same(m.GoVersion))
	if len(facts) == 0 {
		add(true, wordMachine, wordUnknown)
	}
	return facts
}

func cpuCounts(m result.Machine) Text {
	c := m.CPU
	n := strconv.Itoa
	t := Text{n(c.Online) + " logical", n(c.Online) + " 个逻辑处理器"}
	if c.Cores > 0 {
		t.EN, t.ZH = t.EN+", "+n(c.Cores)+" physical", t.ZH+"，"+n(c.Cores)+" 个物理核"
	}
	if c.Allowed > 0 && c.Allowed < c.Online {
		t.EN, t.ZH = t.EN+", "+n(c.Allowed)+" allowed", t.ZH+"，可用 "+n(c.Allowed)+" 个"
	}
	return t
}

// provenance says where the document's numbers come from: enough to make them again.
func provenance(d *Document) []htmlFact {
	duration := factCutShort
	if d.Seconds != nil {
		duration = Same(FormatDuration(*d.Seconds))
	}
	return []htmlFact{
		{Name: Text{"Noise floor", "本底噪声"}, Value: noiseText(d)},
		{Name: Text{"Started", "开始时间"}, Value: Same(d.Started.Format("2006-01-02 15:04:05 -07:00"))},
		{Name: Text{"Duration", "运行时长"}, Value: duration},
		{Name: Text{"Seed", "随机种子"}, Value: Same(strconv.FormatUint(d.Seed, 10)), Code: true},
		{Name: Text{"Command", "命令"}, Value: Same(strings.Join(append([]string{"cryptogauge"}, d.Command...), " ")), Code: true},
		{Name: Text{"Tool", "工具版本"}, Value: Same("cryptogauge " + d.Tool), Code: true},
	}
}

// machineTable lists every fact that the run's header holds about its machine,
// by its name there.
func machineTable(m result.Machine, id string) htmlTable {
	t := htmlTable{ID: id, Title: Text{"Machine", "机器"}, Columns: []Column{htmlColumn("Fact", "项"), htmlColumn("Value", "值")}}
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
			t.Rows = append(t.Rows, htmlRow{Cells: []htmlCell{{Text: Same(name), Head: true}, textCell(s)}})
		}
	}
}

// htmlMachines sets the rows of several machines side by side. A page can be
// scrolled sideways, so an experiment is one table however many there are.
func htmlMachines(docs []*Document) []htmlTable {
	nowhere := newHTMLPlaces("", &Document{})
	var list []htmlTable
	for i, t := range sideBySide(docs, len(docs)) {
		h := newHTMLTable(t, "compare-"+strconv.Itoa(i+1), nowhere)
		h.Class = "wide"
		list = append(list, h)
	}
	return list
}

// noiseText is the noise floor, and how closely the A/A pair agrees.
func noiseText(d *Document) Text {
	switch {
	case d.Resolution == nil && d.NoiseMeasured:
		return Text{"±" + FormatShare(d.NoiseFloor) + ", " + factNoResolution.EN, "±" + FormatShare(d.NoiseFloor) + "，" + factNoResolution.ZH}
	case d.Resolution == nil:
		return Text{"not measured", "未测得"}
	}
	return Same("±" + FormatShare(d.NoiseFloor) + ", A/A ±" + FormatShare(*d.Resolution))
}
