package access

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/userfile"
)

const (
	leastToken = 16      // characters
	mostToken  = 4 << 10 // bytes of the file
)

// Token is what a reader must have. It is kept as its digest.
type Token struct {
	digest [sha256.Size]byte
	key    [sha256.Size]byte // signs cookies; of this process alone
}

// ReadToken reads the first line of a file that nobody else can read.
func ReadToken(path string) (*Token, error) {
	f, err := userfile.Open(path)
	if err != nil {
		return nil, language.Errorf("--token-file: %w", "--token-file：%s", err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, language.Errorf("--token-file: %w", "--token-file：%s", err)
	case info.Mode().Perm()&userfile.OpenTo(info) != 0:
		return nil, language.Errorf("--token-file %s is open to others: chmod 600 %[1]s", "--token-file %s 对其他用户开放：请执行 chmod 600 %[1]s", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, mostToken))
	if err != nil {
		return nil, language.Errorf("--token-file: %w", "--token-file：%s", err)
	}
	defer clear(text)
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimSpace(line)
	if len(line) < leastToken {
		return nil, language.Errorf("--token-file %s: its first line has %d characters, a token has at least %d; this makes one: openssl rand -hex 32 > %[1]s",
			"--token-file %s：首行只有 %d 个字符，令牌至少 %d 个；可用以下命令生成：openssl rand -hex 32 > %[1]s", path, len(line), leastToken)
	}
	return NewToken(string(line)), nil
}

// NewToken is a token of these characters.
func NewToken(text string) *Token {
	t := &Token{digest: sha256.Sum256([]byte(text))}
	rand.Read(t.key[:]) // it never fails: see its documentation
	return t
}

// is says whether a text is the token, in a time that depends on neither.
func (t *Token) is(text string) bool {
	digest := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(digest[:], t.digest[:]) == 1
}

// cookieTime is how long a browser that has sent the token need not send it again.
const cookieTime = 12 * time.Hour

// cookie is what stands for the token until a time.
func (t *Token) cookie(until time.Time) string {
	seconds := strconv.FormatInt(until.Unix(), 10)
	return seconds + "." + t.signed(until.Unix())
}

func (t *Token) signed(until int64) string {
	mac := hmac.New(sha256.New, t.key[:])
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(until)))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// good says whether a cookie is this process's, and still good.
func (t *Token) good(cookie string, now time.Time) bool {
	seconds, sum, _ := strings.Cut(cookie, ".")
	until, err := strconv.ParseInt(seconds, 10, 64)
	return err == nil && hmac.Equal([]byte(sum), []byte(t.signed(until))) && now.Unix() < until
}
