package document

import (
	"regexp"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Phrase is a sentence of a provider or of the checks, which run files hold in
// English alone, in both languages. One that is not known stands as it is.
func Phrase(en string) layout.Text {
	if zh, ok := phrases[en]; ok {
		return layout.Text{EN: en, ZH: zh}
	}
	for _, p := range patterns {
		if m := p.en.FindStringSubmatchIndex(en); m != nil {
			zh := string(p.en.ExpandString(nil, p.zh, en, m))
			if p.rest { // the last part is a phrase itself
				last := en[m[len(m)-2]:m[len(m)-1]]
				zh = strings.TrimSuffix(zh, last) + Phrase(last).ZH
			}
			return layout.Text{EN: en, ZH: zh}
		}
	}
	return layout.Same(en)
}

// phrases are why the providers think that a time depends on secrets or not.
var phrases = map[string]string{
	"AES instructions take the same time for all data; crypto/aes documents its use of them as constant-time":                                                             "AES 指令的耗时与数据无关；crypto/aes 的文档说明其用法为常数时间",
	"AES instructions take the same time for all data, and OpenSSL's assembly around them looks nothing up by secrets":                                                    "AES 指令的耗时与数据无关，OpenSSL 的相关汇编代码也不按机密数据查表",
	"SM4 in C looks secrets up in tables (crypto/sm4/sm4.c)":                                                                                                              "SM4 的 C 代码用机密数据查表（crypto/sm4/sm4.c）",
	"nobody examined here how OpenSSL's arithmetic uses private keys and nonces":                                                                                          "此处未检查 OpenSSL 的运算如何使用私钥与随机数",
	"the kernel is chosen inside the library":                                                                                                                             "具体实现由该库在内部选择",
	"BLAKE2b is additions, rotations and logic, with no table and no branch on its input":                                                                                 "BLAKE2b 仅含加法、循环移位与逻辑运算，不查表，也不按输入分支",
	"a handshake is parsing and many primitives; those with secrets are constant-time by their authors' documentation":                                                    "握手由解析与多种原语组成；据其作者的文档，涉及秘密的原语均为恒定时间实现",
	"ChaCha20 and Poly1305 are additions, rotations and multiplications, with no table and no branch on secrets":                                                          "ChaCha20 与 Poly1305 仅含加法、循环移位与乘法，不查表，也不按机密数据分支",
	"GFNI instructions without tables; the disassembly is checked for secret-dependent branches and addresses":                                                            "使用 GFNI 指令，不查表；已检查反汇编，确认没有依赖机密数据的分支与地址",
	"SM3 is additions, rotations and logic, without tables or branches on its input":                                                                                      "SM3 仅含加法、循环移位与逻辑运算，不查表，也不按输入分支",
	"SM4 by GFNI instructions without tables, its disassembly checked for secret-dependent branches and addresses; SM3 has neither; the tag is compared in constant time": "SM4 使用 GFNI 指令，不查表，已检查反汇编，确认没有依赖机密数据的分支与地址；SM3 亦无；认证标签按常数时间比较",
	"a public key has nothing to hide": "公钥无需保密",
	"a public key has nothing to hide; what is encrypted is padded and masked without branches on it":                   "公钥无需保密；对明文的填充与掩码运算不按明文分支",
	"gmsm does the work on this CPU; see its own row":                                                                   "在此 CPU 上由 gmsm 完成运算，请见 gmsm 一行",
	"how many numbers are tried until two are prime is chance, and tells nothing of them (crypto/internal/fips140/rsa)": "找到两个素数前试了多少个数纯属随机，不泄露素数的信息（crypto/internal/fips140/rsa）",
	"math/big computes with the private key and the nonce (sm2/sm2.go)":                                                 "用 math/big 对私钥与随机数做运算（sm2/sm2.go）",
	"no secret is involved": "不涉及机密数据",
	"private keys and nonces are used by arithmetic that reads whole tables and does not branch, by the library's own documentation (README, internal/sm2ec)": "据该库文档（README、internal/sm2ec），涉及私钥与随机数的运算会读取整张表且不分支",
	"private keys are used by arithmetic that its authors document as constant-time (crypto/internal/fips140)":                                                "据其作者的文档，涉及私钥的运算为常数时间（crypto/internal/fips140）",
	"single blocks use table lookups, by gmsm's own documentation (docs/sm4.md)":                                                                              "据 gmsm 文档（docs/sm4.md），单分组运算使用查表",
	"the S-box is a table lookup in Go (sm4/sm4.go)":                                                                                                          "S 盒用 Go 代码查表实现（sm4/sm4.go）",
	"the arithmetic is constant-time, but an error tells an attacker whether the padding was right (crypto/rsa, DecryptPKCS1v15)":                             "运算本身为常数时间，但返回的错误会告诉攻击者填充是否正确（crypto/rsa，DecryptPKCS1v15）",
	"the hash is additions, rotations and logic, without tables or branches on its input":                                                                     "该杂凑算法仅含加法、循环移位与逻辑运算，不查表，也不按输入分支",
	"the key schedule looks the S-box up in a table":                                                                                                          "密钥扩展的 S 盒用查表实现",
	"the library does not say it of its lattice schemes, and nobody examined it here":                                                                         "该库未就其格密码方案作出说明，此处也未作检查",
	"the wide kernels look nothing up, but the tag's mask goes through the single-block path, which uses tables by gmsm's own documentation":                  "并行实现不查表，但认证标签的掩码走单分组路径；据 gmsm 文档，该路径使用查表",
	"which kernel crypto/aes runs on this architecture was not examined":                                                                                      "未检查 crypto/aes 在此架构上使用哪种实现",
	"which kernel gmsm runs on this architecture was not examined":                                                                                            "未检查 gmsm 在此架构上使用哪种实现",
	"without AES instructions crypto/aes looks secrets up in tables, by its own documentation":                                                                "据其文档，没有 AES 指令时 crypto/aes 用机密数据查表",
	"without carry-less multiplication GHASH is the variable-time generic one, by its own comment":                                                            "据其代码注释，没有无进位乘法指令时 GHASH 使用耗时可变的通用实现",
	"without carry-less multiplication its GHASH looks up tables that depend on the key":                                                                      "没有无进位乘法指令时，其 GHASH 查表的地址依赖密钥",
	"given up after two calls that did not return":                                                                                                            "两次调用均未返回，已放弃该库",
	"too few lengths were measured": "测量的长度太少",
	"tampered text was opened":      "被篡改的密文未报错即被解密",
}

// patterns are phrases with figures or names in them.
var patterns = []struct {
	en   *regexp.Regexp
	zh   string
	rest bool // the last group is a phrase of its own, at the end
}{
	{regexp.MustCompile(`^the S-box is computed with vector instructions \((.*)\), without tables$`), "S 盒用向量指令计算（$1），不查表", false},
	{regexp.MustCompile(`^the key schedule computes the S-box with instructions \((.*)\), without tables$`), "密钥扩展的 S 盒用指令计算（$1），不查表", false},
	{regexp.MustCompile(`^no answer to "(\w+)" in time; it was killed$`), "对“$1”请求未及时应答，工作进程已被终止", false},
	{regexp.MustCompile(`^(\S+) is not installed: (apt-get install \S+), or name its file with (.*)$`), "未安装 $1：请执行 $2，或用 $3 指定文件", false},
	{regexp.MustCompile(`^(\S+), which opens shared objects, is not in (.*): install it there \(make build makes both\)$`), "用于打开共享库的 $1 不在 $2 中：请安装到该目录（make build 会同时构建两者）", false},
	{regexp.MustCompile(`^(.*) does not exist; set TMPDIR or --dir to a directory that does$`), "$1 不存在；请将 TMPDIR 或 --dir 设为已有的目录", false},
	{regexp.MustCompile(`^(.*) is not a directory; set TMPDIR or --dir to one$`), "$1 不是目录；请将 TMPDIR 或 --dir 设为目录", false},
	{regexp.MustCompile(`^making a file in (.*): (.*); set TMPDIR or --dir to another directory$`), "无法在 $1 中创建文件（$2）；请将 TMPDIR 或 --dir 设为其他目录", false},
	{regexp.MustCompile(`^(.*) has (\d+) MiB left, and the files need (\d+) MiB at a time; set TMPDIR or --dir to another directory, or give a smaller --total \(streaming\) or fewer --chunks$`), "$1 仅剩 $2 MiB，而文件同时需要 $3 MiB；请将 TMPDIR 或 --dir 设为其他目录，或减小 --total（streaming）、减少 --chunks", false},
	{regexp.MustCompile(`^(.*) is not there$`), "$1 不存在", false},
	{regexp.MustCompile(`^(.*) has no function (\S+(?:, \S+)*)$`), "$1 中没有函数 $2", false},
	{regexp.MustCompile(`^(.*) lacks (\d+) functions, (\S+(?:, \S+)*) among them$`), "$1 缺少 $2 个函数，其中包括 $3", false},
	{regexp.MustCompile(`^its object has no (.*) and (\d+) more$`), "其共享库中没有 $1，另缺 $2 个函数", false},
	{regexp.MustCompile(`^its object has no (.*)$`), "其共享库中没有 $1", false},
	{regexp.MustCompile(`^(.*) is not a shared object: (.*)$`), "$1 不是共享库：$2", false},
	{regexp.MustCompile(`^(.*) is built for (.*), and this machine is (\S+)$`), "$1 是为 $2 构建的，而本机为 $3", false},
	{regexp.MustCompile(`^(.*) can be written to by others \((\S+)\): chmod go-w it if that is not wanted$`), "$1 可被其他用户写入（$2）：若非有意，请执行 chmod go-w", false},
	{regexp.MustCompile(`^(.*) belongs to another user \((\d+)\): only what is root's or your own is loaded$`), "$1 属于其他用户（$2）：只加载 root 或本人拥有的文件", false},
	{regexp.MustCompile(`^of (\d+) outputs of (\d+) goroutines at once (\d+) were wrong, the first so: (.*)$`), "$2 个 goroutine 同时使用时，$1 个结果中有 $3 个错误，首个错误：$4", true},
	{regexp.MustCompile(`^an authentic message was refused: (.*)$`), "真实的消息被拒绝：$1", true},
	{regexp.MustCompile(`^goroutine (\d+) of (\d+): (.*)$`), "第 $1 个 goroutine（共 $2 个）：$3", true},
	{regexp.MustCompile(`^opening message (\d+) of (\d+), which is authentic: (.*)$`), "解密第 $1 条消息（共 $2 条，均为真实消息）：$3", true},
	{regexp.MustCompile(`^tampered text was opened without an error: one bit of the tag flipped, in byte (\d+)$`), "被篡改的密文未报错即被解密：翻转了第 $1 字节（认证标签）中的一位", false},
	{regexp.MustCompile(`^tampered text was opened without an error: one bit of the body flipped, in byte (\d+)$`), "被篡改的密文未报错即被解密：翻转了第 $1 字节（密文）中的一位", false},
	{regexp.MustCompile(`^the output is (\d+) bytes long and should be (\d+)$`), "输出长度为 $1 字节，应为 $2 字节", false},
	{regexp.MustCompile(`^the output is wrong from byte (\d+) on \((\S+), should be (\S+)\)$`), "输出自第 $1 字节起错误（为 $2，应为 $3）", false},
	{regexp.MustCompile(`^the last unit is wrong from byte (\d+) on \((\S+), should be (\S+)\)$`), "最后一个单元自第 $1 字节起错误（为 $2，应为 $3）", false},
	{regexp.MustCompile(`^of (\d+) digests (\d+) are wrong; the first, of message (\d+), is wrong$`), "$1 个摘要中有 $2 个错误，首个为第 $3 条消息的摘要", false},
	{regexp.MustCompile(`^of (\d+) digests (\d+) are wrong; the first, of message (\d+), is that of message (\d+)$`), "$1 个摘要中有 $2 个错误，首个为第 $3 条消息的摘要，其值属于第 $4 条消息", false},
	{regexp.MustCompile(`^(\d+) goroutines take about (\d+) MiB, and (\d+) MiB of memory are to be had$`), "$1 个 goroutine 约需 $2 MiB，而可用内存为 $3 MiB", false},
	{regexp.MustCompile(`^the tag is wrong from byte (\d+) of the output on \(tag byte (\d+)\); the body is right$`), "认证标签自输出第 $1 字节（标签第 $2 字节）起错误；密文正确", false},
	{regexp.MustCompile(`^the body is wrong from byte (\d+) on; the tag is right$`), "密文自第 $1 字节起错误；认证标签正确", false},
	{regexp.MustCompile(`^the body is wrong from byte (\d+) on, and the tag is wrong$`), "密文自第 $1 字节起错误，认证标签也错误", false},
	{regexp.MustCompile(`^it wrote (\d+) bytes past the end of its output of (\d+) bytes$`), "越过长度为 $2 字节的输出缓冲区末尾，多写了 $1 字节", false},
	{regexp.MustCompile(`^it wrote (\d+) bytes before the start of its output of (\d+) bytes$`), "在长度为 $2 字节的输出缓冲区起始处之前写了 $1 字节", false},
	{regexp.MustCompile(`^(\S+) says that it (took|wrote) (\d+) bytes, and it had to be (\d+)( at most)?$`), "$1 报告的字节数为 $3，与应有的 $4 不符", false},
	{regexp.MustCompile(`^(\S+) says that it took (\d+) bytes of (\d+)$`), "$1 报告已读取 $2 字节，而输入只有 $3 字节", false},
	{regexp.MustCompile(`^it says that it wrote (\d+) bytes where there was room for (\d+)$`), "它报告写出 $1 字节，而缓冲区只有 $2 字节", false},
	{regexp.MustCompile(`^sealing (\d+) bytes: (.*)$`), "加密 $1 字节时：$2", true},
	{regexp.MustCompile(`^(SIG\w+): (.*), in the library's own code$`), "$1（$2），发生在密码库自身的代码中", false},
	{regexp.MustCompile(`^(SIG\w+): (.*), in the library's own code, at memory that it has no right to, such as that far past the end of its output$`),
		"$1（$2），发生在密码库自身的代码中：它访问了无权访问的内存，例如远在其输出缓冲区末尾之后", false},
	{regexp.MustCompile(`^it ended with (exit status \d+|signal: [^:]*)$`), "进程结束（$1）", false},
	{regexp.MustCompile(`^it ended with (exit status \d+|signal: [^:]*): (.*)$`), "进程结束（$1）：$2", false},
	{regexp.MustCompile(`^(\S+) returned (-?\d+) \((.*)\)$`), "$1 返回 $2（$3）", false},
	{regexp.MustCompile(`^(.*) was replaced while the run went on: its SHA-256 began with (\w+), and begins with (\w+) now$`),
		"$1 在运行期间被替换：其 SHA-256 原以 $2 开头，现以 $3 开头", false},
	{regexp.MustCompile(`^(.*) was replaced while it was being loaded: begin again$`), "$1 在加载过程中被替换：请重新运行", false},
	{regexp.MustCompile(`^(.*) has no function (\S+), which every (\S+) has since (\S+)$`), "$1 中没有函数 $2，而 $3 自 $4 起均有该函数", false},
	{regexp.MustCompile(`^steps of (\d+) to (\d+) bytes would fit$`), "$1 至 $2 字节的台阶均能拟合", false},
	{regexp.MustCompile(`^(\d+) blocks are too few to look for steps in, it takes (\d+)$`), "$1 个数据组不足以寻找台阶，至少需要 $2 个", false},
}
