//go:build unix

package pairs

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// ProcessorTime is what this process has taken of all cores so far.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("pairs: getrusage of the process itself: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ResidentMax is the most memory that a process which ended had at a time, in bytes. ok is false where nobody knows.
func ResidentMax(p *os.ProcessState) (bytes float64, ok bool) {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return float64(u.Maxrss), true
	}
	return float64(u.Maxrss) * 1024, true
}
