//go:build !unix

package pairs

import (
	"os"
	"time"
)

var started = time.Now()

// ProcessorTime is the time on the wall: on a machine with nothing else to do, one busy goroutine takes as much.
func ProcessorTime() time.Duration { return time.Since(started) }

// ResidentMax is not known here.
func ResidentMax(*os.ProcessState) (bytes float64, ok bool) { return 0, false }
