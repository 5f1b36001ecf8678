package document

import (
	"github.com/cryptogauge/cryptogauge/stat"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Footnotes for doubt, in both languages. They are coarse: the exact figures
// stand in the row's warnings.
var (
	noteProcess = layout.Text{
		EN: "other threads worked for this one (garbage collector): process CPU time is shown",
		ZH: "有其他线程（如垃圾回收）为其工作，此处为进程 CPU 时间",
	}
	noteThrottled = layout.Text{
		EN: "wall readings taken while the CPU quota throttled the process were discarded",
		ZH: "CPU 配额限流期间的墙钟读数已剔除",
	}
	noteContention = layout.Text{
		EN: "contention: the thread had a CPU for less than 90 % of the wall time",
		ZH: "存在争用：线程获得的 CPU 时间不足墙钟时间的 90 %",
	}
	noteMoved = layout.Text{
		EN: "the CPU's clock moved by more than 3 % during some samples",
		ZH: "部分采样期间 CPU 主频变动超过 3 %",
	}
	noteAway = layout.Text{
		EN: "the CPU's clock was more than 3 % off the run's median in some samples",
		ZH: "部分采样的 CPU 主频偏离全程中位数超过 3 %",
	}
	noteCollections = layout.Text{
		EN: "the garbage collector ran within some samples",
		ZH: "部分采样期间发生垃圾回收",
	}
	noteGarbage = layout.Text{
		EN: "collecting the garbage of these calls is not in their time (experiment gc)",
		ZH: "这些调用产生的垃圾在采样之间回收，不计入耗时（见实验 gc）",
	}
	noteMigrated = layout.Text{
		EN: "the thread moved to another CPU during some samples",
		ZH: "部分采样期间线程迁移到其他 CPU",
	}
	noteUnchecked = layout.Text{
		EN: "blocks whose output was not checked again at their end do not count",
		ZH: "结束时未复核输出的区组不计入结果",
	}
	noteSpread = layout.Text{
		EN: "too few blocks for an interval: the value alone is shown, and no verdict",
		ZH: "区组过少，无法给出置信区间：仅列数值，不作判定",
	}
	noteBehind = layout.Text{
		EN: "blocks in which the generator of the requests was more than 1 % behind its schedule do not count",
		ZH: "请求发生器落后计划超过 1 % 的区组不计入结果",
	}
)

// doubtNotes are the footnotes that may be true of a whole run.
var doubtNotes = []layout.Text{
	noteProcess, noteThrottled, noteContention, noteMoved, noteAway, noteCollections, noteGarbage, noteMigrated, noteUnchecked, noteSpread, noteBehind,
	statNotes[stat.CodeDrift], statNotes[stat.CodeBlocks], statNotes[stat.CodeTies], statNotes[stat.CodeDiscarded],
}

// ordinaryNotes say how a number was made, and are no reason to trust it less.
var ordinaryNotes = map[layout.Text]bool{noteProcess: true, noteCollections: true, noteGarbage: true, noteSpread: true}

// statNotes are the warnings of package stat, by code.
var statNotes = map[string]layout.Text{
	stat.CodeDrift: {
		EN: "drift: the last quarter of the blocks differs from the first",
		ZH: "存在漂移：末四分之一区组与首四分之一区组不一致",
	},
	stat.CodeBlocks: {
		EN: "blocks differ by more than their rounds explain: the worker process is part of the result",
		ZH: "区组间差异大于轮次间差异所能解释的程度：工作进程本身影响结果",
	},
	stat.CodeTies: {
		EN: "most blocks show one and the same value: the clock may be too coarse",
		ZH: "多数区组数值完全相同：时钟分辨率可能不足",
	},
	stat.CodeDiscarded: {
		EN: "some samples were discarded",
		ZH: "部分采样已剔除",
	},
	stat.CodeUnpaired: {
		EN: "some samples have no partner in their round and were left out",
		ZH: "部分采样在同轮中无对应采样，未参与比较",
	},
}

// unstableBecause are the reasons for which a row has no number, in both
// languages, for people. The row's Reason is the English one with its figures.
var (
	becauseFewBlocks = layout.Text{
		EN: "too few blocks for an exact interval at 99 %",
		ZH: "区组过少，无法给出 99 % 精确置信区间",
	}
	becauseBehind = layout.Text{
		EN: "the generator of the requests did not keep its schedule",
		ZH: "请求发生器未能按计划时刻发出请求",
	}
	becauseMoving = layout.Text{
		EN: "the CPU's clock moved by more than 10 % during most samples",
		ZH: "多数采样期间 CPU 主频变动超过 10 %",
	}
	becauseImpossible = layout.Text{
		EN: "the rate is more than a processor can do: the work was not done",
		ZH: "速率超出处理器物理上限：实际运算并未完成",
	}
	becauseInvalid = layout.Text{
		EN: "a time that no clock shows",
		ZH: "出现时钟不可能给出的时间值",
	}
)
