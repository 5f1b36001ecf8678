package render

import (
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// The words of the reports that are not about one run.
var (
	wordMachine    = layout.Text{EN: "machine", ZH: "机器"}
	wordConfidence = layout.Text{EN: "confidence", ZH: "可信度"}
	wordObjects    = layout.Text{EN: "libraries", ZH: "共享库"}
	wordMissing    = layout.Text{EN: "missing", ZH: "缺少"}
	wordLeftOut    = layout.Text{EN: "left out", ZH: "未测"}
	wordDone       = layout.Text{EN: "budget", ZH: "时间"}
	wordWrong      = layout.Text{EN: "wrong", ZH: "错误"}
	wordAnswer     = layout.Text{EN: "ANSWER", ZH: "结论"}
	wordFindings   = layout.Text{EN: "Findings", ZH: "发现"}
	wordEvidence   = layout.Text{EN: "Evidence", ZH: "依据"}
	wordNew        = layout.Text{EN: "new", ZH: "新"}
	wordUnknown    = layout.Text{EN: "unknown", ZH: "未知"}
	wordPartial    = layout.Text{EN: "PARTIAL RUN", ZH: "运行未完成"}
	wordNoRows     = layout.Text{EN: "The run holds no result.", ZH: "本次运行没有任何结果。"}
	wordSeparator  = layout.Text{EN: "; ", ZH: "；"}
)

var severityWords = map[string]layout.Text{
	"pathological": {EN: "severe", ZH: "严重低效"},
	"degraded":     {EN: "degraded", ZH: "性能下降"},
	"note":         {EN: "note", ZH: "提示"},
}

// pageNames are what operations, parameters with a number ("chunk=%s") and settings ("io=file") are called where no
// layout names them.
var pageNames = sync.OnceValue(func() map[string]layout.Text {
	all := map[string]layout.Text{}
	for line := range strings.Lines(htmlAsset("words.txt")) {
		if parts := strings.Split(strings.TrimSpace(line), " = "); len(parts) == 3 {
			all[parts[0]] = layout.Text{EN: parts[1], ZH: parts[2]}
		}
	}
	return all
})

// Columns that several of the tables have that this package makes itself.
var (
	columnCase     = layout.Column{Title: layout.Text{EN: "case", ZH: "测试项"}}
	columnSize     = layout.Column{Title: layout.Text{EN: "size", ZH: "长度"}, Numeric: true}
	columnLibrary  = layout.Column{Title: layout.Text{EN: "library", ZH: "密码库"}}
	columnTime     = layout.Column{Title: layout.Text{EN: "time", ZH: "每次耗时"}, Numeric: true}
	columnInterval = layout.Column{Title: layout.Text{EN: "99 % interval", ZH: "99% 置信区间"}, Numeric: true}
	columnRate     = layout.Column{Title: layout.Text{EN: "rate", ZH: "吞吐量"}, Numeric: true}
)

// Sentences of the frame.
var (
	// Disclaimer stands in every report that people read.
	Disclaimer = layout.Text{
		EN: "This report is a measurement. It is neither 密评 (the assessment of commercial cryptography applications) nor a product certification.",
		ZH: "本报告是测量结果，不是密评（商用密码应用安全性评估），也不是密码产品认证。",
	}
	// NoVerdictBetweenMachines stands over tables of several machines.
	NoVerdictBetweenMachines = layout.Text{
		EN: "Each column is one machine's run. Runs were not made in turns, so there is no verdict between machines.",
		ZH: "每列为一台机器的一次运行。各次运行并非交替进行，因此不在机器之间作判定。",
	}
	everything = layout.Text{EN: "all answers, tables and charts of this run", ZH: "本次运行的全部结论、表格与图"}
)
