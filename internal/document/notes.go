package document

import (
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Footnotes for doubt, in both languages. They are coarse: the exact figures
// stand in the row's warnings.
var (
	noteProcess = layout.Text{EN: "other threads, such as a garbage collector, worked for this one: process CPU time is shown",
		ZH: "另有线程（如垃圾回收）参与工作，此处为进程 CPU 时间"}
	noteThrottled = layout.Text{EN: "wall readings taken while the CPU quota throttled the process were discarded",
		ZH: "CPU 配额限流期间的实际耗时读数已剔除"}
	noteContention = layout.Text{EN: "contention: the thread had a CPU for less than 90 % of the wall time",
		ZH: "存在争用：线程获得的 CPU 时间不足实际耗时的 90%"}
	noteMoved = layout.Text{EN: "the CPU frequency changed by more than 3 % during some samples",
		ZH: "部分采样期间 CPU 主频变动超过 3%"}
	noteAway = layout.Text{EN: "the CPU frequency was more than 3 % off the run's median in some samples",
		ZH: "部分采样的 CPU 主频偏离全程中位数超过 3%"}
	noteCollections = layout.Text{EN: "the garbage collector ran within some samples",
		ZH: "部分采样期间发生垃圾回收"}
	noteGarbage = layout.Text{EN: "garbage collection for these calls is not in their time; see cryptogauge run gc",
		ZH: "这些调用引起的垃圾回收不计入耗时（另见 cryptogauge run gc）"}
	noteMigrated = layout.Text{EN: "the thread moved to another CPU during some samples",
		ZH: "部分采样期间线程迁移到其他 CPU"}
	noteUnchecked = layout.Text{EN: "blocks whose output was not checked again at their end do not count",
		ZH: "结束时未复核输出的数据组不计入结果"}
	noteUnheld = layout.Text{EN: "unchecked: its output is held against nothing",
		ZH: "未核对：没有任何实现核对其输出"}
	noteGarbageElsewhere = layout.Text{EN: "garbage collection for these calls is not in their time",
		ZH: "这些调用引起的垃圾回收不计入耗时"}
	noteWarmUp = layout.Text{EN: "in some blocks calls still got faster when the warm-up ended",
		ZH: "部分数据组预热结束时，调用仍在变快"}
	noteSpread = layout.Text{EN: "too few blocks (worker restarts) for an interval: only the value is shown, no verdict",
		ZH: "数据组过少，没有置信区间：只列数值，不作判定"}
	noteLevel = layout.Text{EN: "few blocks (worker restarts): the interval is at %s %%, not at 99 %%",
		ZH: "数据组较少：置信区间为 %s%%，而非 99%%"}
	noteBehind = layout.Text{EN: "blocks in which the load generator was more than 1 % behind its schedule do not count",
		ZH: "压测程序落后计划超过 1% 的数据组不计入结果"}
)

var statNotes = map[string]layout.Text{
	stat.CodeDrift: {EN: "times drifted: the last quarter of the run differs from the first",
		ZH: "存在漂移：最后四分之一时段的结果与最初四分之一不同"},
	stat.CodeBlocks: {
		EN: "results differ more between worker processes than within one; a restart changes the number",
		ZH: "不同工作进程之间的差异大于同一进程内的波动：重启进程会改变结果"},
	stat.CodeTies: {EN: "most blocks show one and the same value: the clock may be too coarse",
		ZH: "多数数据组的数值完全相同：时钟分辨率可能不足"},
	stat.CodeDiscarded: {EN: "some samples were discarded",
		ZH: "部分采样已剔除"},
	stat.CodeUnpaired: {EN: "some samples have no partner in their round and were left out",
		ZH: "部分采样在同轮中无对应采样，未参与比较"},
}

// Why a row has no number, for people. Its Reason is the English one with its figures.
var (
	whyFewBlocks = layout.Text{EN: "fewer than 5 blocks (worker restarts): no interval, even at 90 %",
		ZH: "数据组不足 5 个，连 90% 置信区间也无法给出"}
	whyBehind = layout.Text{EN: "the load generator did not keep its schedule",
		ZH: "压测程序未能按计划时刻发出请求"}
	whyMoving = layout.Text{EN: "the CPU frequency changed by more than 10 % during most samples",
		ZH: "多数采样期间 CPU 主频变动超过 10%"}
	whyImpossible = layout.Text{EN: "the rate is more than a processor can do: the work was not done",
		ZH: "速率超出处理器物理上限：实际运算并未完成"}
	whyInvalid = layout.Text{EN: "a time that no clock shows",
		ZH: "出现时钟不可能给出的时间值"}
)
