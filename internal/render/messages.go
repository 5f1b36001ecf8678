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
	wordDone       = layout.Text{EN: "budget", ZH: "时间"}
	wordWrong      = layout.Text{EN: "wrong", ZH: "错误"}
	wordAnswer     = layout.Text{EN: "ANSWER", ZH: "结论"}
	wordFindings   = layout.Text{EN: "Findings", ZH: "发现"}
	wordEvidence   = layout.Text{EN: "Evidence", ZH: "依据"}
	wordNotes      = layout.Text{EN: "Notes", ZH: "注"}
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

// wordOperations name operations where no layout does. What they lack reads as in the run file.
var wordOperations = sync.OnceValue(func() map[string]layout.Text {
	return map[string]layout.Text{
		"encrypt": {EN: "encryption", ZH: "加密"}, "decrypt": {EN: "decryption", ZH: "解密"}, "new+encrypt": {EN: "new each time", ZH: "每次新建"},
		"new": {EN: "constructor", ZH: "构造"}, "schedule": {EN: "key schedule", ZH: "密钥扩展"},
		"hash": {EN: "hashing", ZH: "杂凑"}, "hash-many": {EN: "hashing many messages", ZH: "批量杂凑"}, "hash-file": {EN: "hashing files", ZH: "文件杂凑"},
		"mac": {EN: "authentication", ZH: "消息鉴别"}, "encrypt-many": {EN: "encrypting many messages", ZH: "批量消息加密"},
		"mac-many": {EN: "authenticating many messages", ZH: "批量消息鉴别"}, "derive": {EN: "key derivation", ZH: "密钥派生"}, "draw": {EN: "random generation", ZH: "生成随机数"},
		"sign": {EN: "signing", ZH: "签名"}, "verify": {EN: "verifying", ZH: "验签"},
		"generate": {EN: "key generation", ZH: "密钥生成"}, "agree": {EN: "key agreement", ZH: "密钥协商"},
		"encapsulate": {EN: "encapsulation", ZH: "封装"}, "decapsulate": {EN: "decapsulation", ZH: "解封装"},
		"session": {EN: "the whole exchange", ZH: "完整交换"},
		"seal":    {EN: "sealing", ZH: "加密信封"}, "open": {EN: "opening", ZH: "解密信封"},
		"init+encrypt": {EN: "key schedule and encryption", ZH: "密钥扩展与加密"}, "init+decrypt": {EN: "key schedule and decryption", ZH: "密钥扩展与解密"},
		"init+encrypt+pad": {EN: "key schedule, padding and encryption", ZH: "密钥扩展、填充与加密"},
		"init+decrypt+pad": {EN: "key schedule, decryption and unpadding", ZH: "密钥扩展、解密与去填充"},
		"exposure":         {EN: "repeated blocks", ZH: "重复分组"}, "arrival": {EN: "requests at a constant rate", ZH: "恒定到达率的请求"},
		"handshake": {EN: "handshake", ZH: "握手"}, "stream": {EN: "streaming", ZH: "分块加密"},
		"start-up": {EN: "start", ZH: "启动"}, "use-secret": {EN: "use of a secret", ZH: "使用机密"}, "login": {EN: "login", ZH: "登录"},
		"unwrap": {EN: "unwrapping", ZH: "解包密钥"},
	}
})

// wordParameters and wordSettings name parameters, with a number and with a word for a value.
var (
	wordParameters = sync.OnceValue(func() map[string]layout.Text {
		return map[string]layout.Text{
			"chunk": {EN: "in chunks of %s", ZH: "分块 %s"}, "call": {EN: "in calls of %s", ZH: "每次调用 %s"}, "heap": {EN: "heap of %s", ZH: "存活堆 %s"},
			"goroutines": {EN: "%s goroutines", ZH: "%s 个 goroutine"}, "workers": {EN: "%s workers", ZH: "%s 个工作 goroutine"},
			"request": {EN: "requests of %s messages", ZH: "每个请求 %s 条"}, "messages": {EN: "%s messages", ZH: "%s 条消息"},
			"batch": {EN: "in batches of %s", ZH: "每批 %s 条"}, "load": {EN: "load %s %%", ZH: "负载 %s%%"}, "rate": {EN: "%s requests a second", ZH: "每秒 %s 个请求"},
			"busy": {EN: "%s busy CPUs", ZH: "%s 个 CPU 忙"}, "count": {EN: "%s at once", ZH: "%s 个"},
			"keys":    {EN: "%s keys", ZH: "%s 个密钥"},
			"secrets": {EN: "%s secrets", ZH: "%s 项机密"}, "each": {EN: "%s bytes each", ZH: "每个 %s 字节"},
			"iterations": {EN: "%s iterations", ZH: "%s 次迭代"}, "sessions": {EN: "%s sessions", ZH: "%s 个会话"},
		}
	})
	wordSettings = sync.OnceValue(func() map[string]layout.Text {
		return map[string]layout.Text{
			"io=memory": {EN: "in memory", ZH: "内存"}, "io=file": {EN: "in files", ZH: "文件"},
			"buffers=fresh": {EN: "new buffers", ZH: "新建缓冲区"}, "buffers=pool": layout.Same("sync.Pool"), "buffers=reused": {EN: "reused buffers", ZH: "复用缓冲区"},
			"heap=0":      {EN: "no other heap", ZH: "无其他存活堆"},
			"holding=new": {EN: "a new cipher per message", ZH: "每条消息新建"}, "holding=own": {EN: "one cipher per goroutine", ZH: "各持一个"},
			"holding=pool": layout.Same("sync.Pool"), "holding=shared": {EN: "one cipher shared by all", ZH: "全体共享"},
			"key=reused": {EN: "reused content key", ZH: "重用内容密钥"}, "padding=pkcs7": {EN: "PKCS #7 padding", ZH: "PKCS #7 填充"},
			"resumed=no": {EN: "full", ZH: "完整握手"}, "resumed=yes": {EN: "resumed", ZH: "恢复会话"},
			"transport=memory": {EN: "in memory", ZH: "内存"}, "transport=tcp": {EN: "over TCP", ZH: "本机 TCP"},
			"crt=no": {EN: "without CRT", ZH: "不用 CRT"}, "precomputed=no": {EN: "not precomputed", ZH: "未预计算"}, "za=precomputed": {EN: "ZA computed once", ZH: "ZA 预先算好"},
			"compress=none": {EN: "not compressed", ZH: "不压缩"}, "compress=zstd": {EN: "compressed first", ZH: "先压缩"},
			"data=random": {EN: "random data", ZH: "随机数据"}, "data=text": {EN: "text", ZH: "文本"}, "sizes=mix": {EN: "your mix", ZH: "你的消息长度分布"},
			"way=update": layout.Same("update"), "way=final": layout.Same("final"), "way=oneshot": layout.Same("oneshot"), "way=blocks": layout.Same("blocks"),
			"way=sum": {EN: "plain loop", ZH: "普通循环"}, "way=lanes": {EN: "SIMD lanes", ZH: "多通道"}, "way=spawn": {EN: "one goroutine per message", ZH: "每条消息一个 goroutine"},
			"way=new": {EN: "New for each", ZH: "每条 New"}, "way=pool": layout.Same("sync.Pool"), "way=pool-buffer": {EN: "sync.Pool with a buffer", ZH: "sync.Pool 加缓冲区"},
			"way=string-copy": {EN: "strings copied", ZH: "字符串复制"}, "way=string-view": {EN: "strings in place", ZH: "字符串零拷贝"},
			"way=channel": {EN: "worker pool", ZH: "工作池"}, "way=counter": {EN: "worker pool by a counter", ZH: "计数器分派的工作池"},
			"way=kept": {EN: "keys made ready before", ZH: "密钥预先展开"}, "way=lanes-new": {EN: "SIMD lanes, raw keys", ZH: "多通道，原始密钥"},
			"opened=never": {EN: "stored in plain", ZH: "明文存放"}, "opened=start": {EN: "opened at the start", ZH: "启动时解密"},
			"opened=use": {EN: "opened at each use", ZH: "每次使用时解密"}, "opened=first": {EN: "opened at the first use", ZH: "首次使用时解密"},
			"connections=new": {EN: "new connections", ZH: "每次新建连接"}, "connections=kept": {EN: "kept connections", ZH: "保持连接"},
			"connections=resumed": {EN: "new connections that resume a session", ZH: "每次新建连接并恢复会话"},
			"way=split":           {EN: "one range per goroutine", ZH: "每个 goroutine 一段"},
			"buffer=stack":        {EN: "buffer on the stack", ZH: "栈上缓冲区"}, "buffer=call": {EN: "new buffer per file", ZH: "每个文件新建缓冲区"},
			"buffer=pool": {EN: "buffer from a sync.Pool", ZH: "缓冲区取自 sync.Pool"}, "buffer=io.Copy": layout.Same("io.Copy"), "buffer=mmap": {EN: "memory-mapped", ZH: "内存映射"},
		}
	})
)

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
	disclaimerBriefly = layout.Text{EN: "A measurement: neither 密评 nor a product certification.", ZH: Disclaimer.ZH}
	// NoVerdictBetweenMachines stands over tables of several machines.
	NoVerdictBetweenMachines = layout.Text{
		EN: "Each column is one machine's run. Runs were not made in turns, so there is no verdict between machines.",
		ZH: "每列为一台机器的一次运行。各次运行并非交替进行，因此不在机器之间作判定。",
	}
	everything = layout.Text{EN: "all answers, tables and charts of this run", ZH: "本次运行的全部结论、表格与图"}
)
