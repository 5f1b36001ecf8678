package render

import (
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
	wordWrong      = layout.Text{EN: "wrong", ZH: "错误"}
	wordAlsoWrong  = layout.Text{EN: "These give wrong output too; do not use them: %s", ZH: "以下实现同样输出错误，不要使用：%s"}
	wordMoreWrong  = layout.Text{EN: "%s, and %d more", ZH: "%s，另有 %d 项"}
	wordAnswer     = layout.Text{EN: "ANSWER", ZH: "结论"}
	wordFindings   = layout.Text{EN: "Findings", ZH: "发现"}
	wordQuestion   = layout.Text{EN: "Question: ", ZH: "问题："}
	wordEvidence   = layout.Text{EN: "Evidence", ZH: "依据"}
	wordNext       = layout.Text{EN: "next", ZH: "下一步"}
	wordNotes      = layout.Text{EN: "Notes", ZH: "注"}
	wordNew        = layout.Text{EN: "new", ZH: "新"}
	wordRatios     = layout.Text{EN: "Ratios of speed", ZH: "速度比"}
	wordUnknown    = layout.Text{EN: "unknown", ZH: "未知"}
	wordPartial    = layout.Text{EN: "PARTIAL RUN", ZH: "运行未完成"}
	wordReport     = layout.Text{EN: "cryptogauge report", ZH: "cryptogauge 测量报告"}
	wordNoRows     = layout.Text{EN: "The run holds no result.", ZH: "本次运行没有任何结果。"}
	wordSeparator  = layout.Text{EN: "; ", ZH: "；"}
)

// severityWords name how grave a finding is.
var severityWords = map[string]layout.Text{
	"pathological": {EN: "severe", ZH: "严重低效"},
	"degraded":     {EN: "degraded", ZH: "性能下降"},
	"note":         {EN: "note", ZH: "提示"},
}

// wordOperations name operations in Chinese where no layout does; in English they read as the run file has them.
var wordOperations = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"encrypt": "加密", "decrypt": "解密", "new+encrypt": "每次新建",
		"new": "构造", "schedule": "密钥扩展",
		"hash": "杂凑", "hash-many": "批量杂凑", "hash-file": "文件杂凑",
		"mac": "消息鉴别", "derive": "密钥派生", "sign": "签名", "verify": "验签",
		"generate": "密钥生成", "agree": "密钥协商", "encapsulate": "封装",
		"decapsulate": "解封装", "session": "完整交换", "seal": "加密信封",
		"open": "解密信封", "handshake": "握手", "stream": "分块加密",
	}
})

// wordParameters and wordSettings name parameters in Chinese, with a number and with a word for a value.
var (
	wordParameters = sync.OnceValue(func() map[string]string {
		return map[string]string{
			"chunk": "分块 %s", "call": "每次调用 %s", "heap": "存活堆 %s", "goroutines": "%s 个 goroutine", "workers": "%s 个工作 goroutine",
			"request": "每个请求 %s 条", "messages": "%s 条消息", "batch": "每批 %s 条", "load": "负载 %s %%", "rate": "每秒 %s 个请求",
			"busy": "%s 个 CPU 忙", "count": "%s 个",
		}
	})
	wordSettings = sync.OnceValue(func() map[string]string {
		return map[string]string{
			"io=memory": "内存", "io=file": "文件", "buffers=fresh": "新建缓冲区", "buffers=pool": "sync.Pool", "buffers=reused": "复用缓冲区",
			"holding=new": "每条消息新建", "holding=own": "各持一个", "holding=pool": "sync.Pool", "holding=shared": "全体共享",
			"key=reused": "重用内容密钥", "padding=pkcs7": "PKCS #7 填充", "resumed=no": "完整握手", "resumed=yes": "恢复会话",
			"transport=memory": "内存", "transport=tcp": "本机 TCP", "crt=no": "不用 CRT", "precomputed=no": "未预计算",
			"compress=none": "不压缩", "compress=zstd": "先压缩", "data=random": "随机数据", "data=text": "文本", "za=precomputed": "ZA 预先算好",
			"way=update": "update", "way=final": "final", "way=oneshot": "oneshot", "way=blocks": "blocks",
			"way=sum": "普通循环", "way=lanes": "多通道", "way=spawn": "每条消息一个 goroutine",
		}
	})
)

// Titles of the columns of the tables that this package makes itself.
var (
	columnCase           = layout.Text{EN: "case", ZH: "测试项"}
	columnSize           = layout.Text{EN: "size", ZH: "长度"}
	columnMetric         = layout.Text{EN: "metric", ZH: "指标"}
	columnValue          = layout.Text{EN: "value", ZH: "数值"}
	columnUnit           = layout.Text{EN: "unit", ZH: "单位"}
	columnLibrary        = layout.Text{EN: "library", ZH: "密码库"}
	columnImplementation = layout.Text{EN: "implementation", ZH: "实现"}
	columnTime           = layout.Text{EN: "time", ZH: "每次耗时"}
	columnInterval       = layout.Text{EN: "99 % interval", ZH: "99 % 置信区间"}
	columnRate           = layout.Text{EN: "rate", ZH: "吞吐量"}
	columnAllocations    = layout.Text{EN: "allocs", ZH: "内存分配"}
	columnCompared       = layout.Text{EN: "speed of one : the other", ZH: "速度之比"}
	columnRatio          = layout.Text{EN: "ratio", ZH: "比值"}
	columnRatioInterval  = layout.Text{EN: "interval", ZH: "置信区间"}
	columnVerdict        = layout.Text{EN: "verdict", ZH: "判定"}
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
	allMetrics      = layout.Text{EN: "Metrics", ZH: "其他指标"}
	allMeasurements = layout.Text{EN: "All measurements", ZH: "全部测量结果"}
	experimentTitle = layout.Text{EN: "Experiment %s", ZH: "实验 %s"}
	ratioScale      = layout.Text{
		EN: "Scale %s to %s; the bars around 1 mark ±0.5 %%, within which speeds count as the same.",
		ZH: "刻度 %s 至 %s；1 两侧的竖线为 ±0.5 %%，在此以内视为速度相同。",
	}
	leftOut      = layout.Text{EN: "Not shown here: %s.", ZH: "此处未列出：%s。"}
	leftAnswers  = layout.Text{EN: "%d more answers", ZH: "另有 %d 条结论"}
	leftTables   = layout.Text{EN: "%d more tables", ZH: "另有 %d 张表"}
	leftRows     = layout.Text{EN: "%d table rows", ZH: "表中 %d 行"}
	leftCharts   = layout.Text{EN: "%d ratio charts", ZH: "%d 张速度比图"}
	leftListings = layout.Text{EN: "%d listings", ZH: "%d 段代码"}
	// undecided is said once for all questions that a run leaves open.
	undecided = layout.Text{
		EN: "marks what this run leaves open. To decide it, close other programs and ask that question alone: cryptogauge run %s",
		ZH: "表示本次运行未能判定。要得出结论，请关闭其他程序，再单独测量该问题：cryptogauge run %s",
	}
	noLine            = layout.Text{EN: "No answer: none of its rows has a number.", ZH: "没有结论：没有一行得到数值。"}
	oneQuestion       = layout.Text{EN: "one question in full; any name from the left", ZH: "完整测量一个问题；问题名见左列"}
	everything        = layout.Text{EN: "all answers, tables and charts of this run", ZH: "本次运行的全部结论、表格与图"}
	everythingAndPage = layout.Text{EN: "all answers, tables and charts of this run; report.html is the same as a page", ZH: "本次运行的全部结论、表格与图；report.html 为同一内容的网页"}
	machineLabel      = layout.Text{EN: "machine %s", ZH: "机器 %s"}
)

// Facts of the line on confidence.
var (
	factOurs         = layout.Text{EN: "the CPU was ours %.1f %% of the time", ZH: "CPU 有 %.1f %% 的时间归本程序使用"}
	factEqual        = layout.Text{EN: "equal things agree within %s", ZH: "相同代码的两次测量相差 %s 以内"}
	factNoResolution = layout.Text{EN: "too few blocks to compare equal things", ZH: "数据组过少，无法对照相同代码"}
	factTypical      = layout.Text{EN: "typical answer ±%s", ZH: "结论的典型误差 ±%s"}
	factNoThrottling = layout.Text{EN: "not throttled", ZH: "未被限流"}
	factThrottled    = layout.Text{EN: "throttled %d times", ZH: "被限流 %d 次"}
	factSeed         = layout.Text{EN: "seed %d", ZH: "种子 %d"}
	factCutShort     = layout.Text{EN: "cut short", ZH: "未完成"}
)
