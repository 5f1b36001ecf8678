package command

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Closed says whether a standard stream was closed when the program was started. Go's runtime has then opened
// /dev/null in its place, to read and to write. Shells open it for one of the two. What Python and Node
// pass on looks the same, so nothing that works without the stream may depend on this; where several streams
// are one, the caller chose so.
func Closed(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	fd := int(f.Fd())
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil {
		return true
	}
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFCHR || uint64(st.Rdev) != unix.Mkdev(1, 3) {
		return false
	}
	if flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	for other := range 3 {
		if other != fd && sameOpening(fd, other) {
			return false
		}
	}
	return true
}

// sameOpening says whether two descriptors are of one open(2): kcmp(2), KCMP_FILE.
func sameOpening(a, b int) bool {
	pid := uintptr(unix.Getpid())
	order, _, errno := unix.Syscall6(unix.SYS_KCMP, pid, pid, 0, uintptr(a), uintptr(b), 0)
	return errno == 0 && order == 0
}

// ReserveDescriptors makes Go's runtime open the two descriptors (epoll) that its timers and files need. Where there
// are none left when it comes to that, it ends the process.
func ReserveDescriptors() error {
	first, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		var second int
		if second, err = unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0); err == nil {
			unix.Close(second)
		}
		unix.Close(first)
	}
	if err == unix.EMFILE || err == unix.ENFILE {
		return language.Errorf("%w; allow some more, e.g. by ulimit -n 16",
			"%s；请放宽限制，例如 ulimit -n 16", err)
	}
	time.AfterFunc(time.Hour, func() {}).Stop()
	return nil
}

// AskSecret asks on a terminal for what is not shown when it is typed; ErrNoTerminal where in is none.
func AskSecret(in *os.File, out io.Writer, prompt string) ([]byte, error) {
	before, err := unix.IoctlGetTermios(int(in.Fd()), unix.TCGETS)
	if err != nil {
		return nil, ErrNoTerminal
	}
	silent := *before
	silent.Lflag &^= unix.ECHO | unix.ICANON | unix.ISIG
	silent.Cc[unix.VMIN], silent.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(in.Fd()), unix.TCSETS, &silent); err != nil {
		return nil, fmt.Errorf("hiding what is typed: %w", err)
	}
	fmt.Fprint(out, prompt)
	secret, err := typed(bufio.NewReaderSize(in, 1))
	fmt.Fprintln(out)
	if restored := unix.IoctlSetTermios(int(in.Fd()), unix.TCSETS, before); restored != nil && err == nil {
		err = fmt.Errorf("showing again what is typed: %w", restored)
	}
	return secret, err
}
