package report

import "github.com/cryptogauge/cryptogauge/result"

// The words of the reports that are not about one run.
var (
	wordMachine   = Text{"machine", "机器"}
	wordTrust     = Text{"trust", "可信度"}
	wordObjects   = Text{"objects", "共享库"}
	wordMissing   = Text{"missing", "缺少"}
	wordBecause   = Text{"because: ", "原因："}
	wordWrong     = Text{"wrong", "错误"}
	wordWithheld  = Text{"withheld", "不予列出"}
	wordAlsoWrong = Text{"Nor use these, whose output was wrong too: %s", "以下实现同样输出错误，不要使用：%s"}
	wordMoreWrong = Text{"%s, and %d more", "%s，另有 %d 项"}
	wordAnswer    = Text{"ANSWER", "结论"}
	wordFindings  = Text{"Findings", "发现"}
	wordQuestion  = Text{"Question: ", "问题："}
	wordNext      = Text{"next", "下一步"}
	wordNotes     = Text{"Notes", "注"}
	wordNew       = Text{"new", "新"}
	wordRatios    = Text{"Ratios of speed", "速度比"}
	wordFailed    = Text{"error", "出错"}
	wordUnknown   = Text{"unknown", "未知"}
	wordPartial   = Text{"PARTIAL RUN", "运行未完成"}
	wordReport    = Text{"cryptogauge report", "cryptogauge 测量报告"}
	wordNoRows    = Text{"The run holds no result.", "本次运行没有任何结果。"}
	wordSeparator = Text{"; ", "；"}
)

// trustWords are the levels of trust as people read them.
var trustWords = map[string]Text{
	trustGood: {"good", "可信"},
	trustFair: {"fair", "基本可信"},
	trustPoor: {"don't believe", "不可信"},
}

// statusWords name how a trial ended.
var statusWords = map[result.Status]Text{
	result.OK:          {"ok", "正常"},
	result.Incorrect:   {"incorrect", "结果错误"},
	result.Unsupported: {"unsupported", "不支持"},
	result.Crashed:     {"crashed", "崩溃"},
	result.Unstable:    {"unstable", "不稳定"},
}

// verdictWords name verdicts about the other against the base.
var verdictWords = map[string]Text{
	"faster":       {"faster", "更快"},
	"slower":       {"slower", "更慢"},
	"same":         {"same", "等效"},
	"inconclusive": {"inconclusive", "无法判定"},
}

// severityWords name how grave a finding is.
var severityWords = map[string]Text{
	"pathological": {"pathological", "病态"},
	"degraded":     {"degraded", "性能下降"},
	"note":         {"note", "提示"},
}

// Titles of the columns of the tables that this package makes itself.
var (
	columnCase           = Text{"case", "测试项"}
	columnSize           = Text{"size", "长度"}
	columnMetric         = Text{"metric", "指标"}
	columnValue          = Text{"value", "数值"}
	columnUnit           = Text{"unit", "单位"}
	columnLibrary        = Text{"library", "密码库"}
	columnImplementation = Text{"implementation", "实现"}
	columnTime           = Text{"time", "每次耗时"}
	columnInterval       = Text{"99 % interval", "99 % 置信区间"}
	columnRate           = Text{"rate", "吞吐量"}
	columnAllocations    = Text{"allocs", "内存分配"}
	columnCompared       = Text{"speed of one : the other", "速度之比"}
	columnRatio          = Text{"ratio", "比值"}
	columnRatioInterval  = Text{"interval", "置信区间"}
	columnVerdict        = Text{"verdict", "判定"}
)

// Axes of a chart of speed over size.
var (
	axisSize = Text{"message size", "报文长度"}
	axisRate = Text{"throughput", "吞吐量"}
)

// Sentences of the frame.
var (
	// Disclaimer stands in every report that people read.
	Disclaimer = Text{
		"This is measurement. It is neither 密评 (the assessment of commercial cryptography applications) nor a product certification.",
		"本报告是测量结果，不是密评（商用密码应用安全性评估），也不是密码产品认证。",
	}
	// NoVerdictBetweenMachines stands over tables of several machines.
	NoVerdictBetweenMachines = Text{
		"Each column is one machine's run. Runs were not made in turns, so there is no verdict between machines.",
		"每列为一台机器的一次运行。各次运行并非交替进行，因此不在机器之间作判定。",
	}
	allMetrics      = Text{"Metrics", "其他指标"}
	allMeasurements = Text{"All measurements", "全部测量结果"}
	experimentTitle = Text{"Experiment %s", "实验 %s"}
	ratioScale      = Text{
		"Scale %s to %s; the bars around 1 mark the equivalence margin of ±0.5 %%.",
		"刻度 %s 至 %s；1 两侧的竖线为 ±0.5 %% 等效界限。",
	}
	leftOut      = Text{"Left out to fit the screen: %s. `cryptogauge report RUN` shows all.", "限于屏幕未列出：%s。`cryptogauge report RUN` 可查看全部。"}
	leftAnswers  = Text{"%d answers", "%d 条结论"}
	leftTables   = Text{"%d tables", "%d 张表"}
	leftRows     = Text{"%d table rows", "%d 行"}
	leftNotes    = Text{"%d footnotes (marked *)", "%d 条脚注（以 * 标记）"}
	machineLabel = Text{"machine %s", "机器 %s"}
)

// Facts of the trust line.
var (
	factNoise        = Text{"noise floor %s", "本底噪声 %s"}
	factNoNoise      = Text{"noise floor not measured", "未测得本底噪声"}
	factNoResolution = Text{"too few blocks for an A/A interval", "区组过少，A/A 对照无置信区间"}
	factResolution   = Text{"A/A within ±%s", "A/A 对照 ±%s"}
	factSteal        = Text{"steal %s", "CPU 抢占 (steal) %s"}
	factNoThrottling = Text{"no throttling", "无限流"}
	factThrottled    = Text{"throttled %d times", "限流 %d 次"}
	factSeed         = Text{"seed %d", "种子 %d"}
	factCutShort     = Text{"cut short", "未完成"}
)

// marks are the signs before answers.
var marks = map[Mark]string{Stop: "✗", Choose: "✓", Beware: "!", Unclear: "?", Plain: "·"}

func markOf(m Mark) string {
	if s, ok := marks[m]; ok {
		return s
	}
	return marks[Plain]
}

// StatusText names how the row ended.
func (r *Row) StatusText() Text {
	switch {
	case r.Hidden:
		return wordWithheld
	case r.Returned:
		return wordFailed
	}
	if t, ok := statusWords[r.Status]; ok {
		return t
	}
	return Same(string(r.Status))
}

// VerdictText names a verdict, "faster" for one.
func VerdictText(verdict string) Text {
	if t, ok := verdictWords[verdict]; ok {
		return t
	}
	return Same(verdict)
}

// TrustText names the level of trust.
func (t Trust) TrustText() Text {
	if w, ok := trustWords[t.Level]; ok {
		return w
	}
	return wordUnknown
}
