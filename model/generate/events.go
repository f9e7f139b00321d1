package generate

// event is something that is due.
type event struct {
	at     int64 // nanoseconds
	order  int64 // of two at one time, the one made first goes first
	token  uint64
	caller int32
	kind   eventKind
}

type eventKind uint8

const (
	evCall    eventKind = iota + 1 // a caller acquires
	evTimeout                      // a wait is over; token is the attempt
	evReply                        // a grant reaches its caller
	evTold                         // a caller gives up on a lost acquire
	evRelease                      // a holder releases
	evAct                          // a release reaches the service
	evAnswer                       // a release ends for its caller
	evExpire                       // a lease is over
)

// events is a binary heap.
type events struct {
	heap  []event
	order int64
}

func (q *events) push(e event) {
	q.order++
	e.order = q.order
	q.heap = append(q.heap, e)
	for i := len(q.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !q.heap[i].before(&q.heap[up]) {
			return
		}
		q.heap[i], q.heap[up] = q.heap[up], q.heap[i]
		i = up
	}
}

func (q *events) pop() event {
	top, last := q.heap[0], len(q.heap)-1
	q.heap[0] = q.heap[last]
	q.heap = q.heap[:last]
	for i := 0; ; {
		least := i
		for _, down := range [...]int{2*i + 1, 2*i + 2} {
			if down < last && q.heap[down].before(&q.heap[least]) {
				least = down
			}
		}
		if least == i {
			return top
		}
		q.heap[i], q.heap[least] = q.heap[least], q.heap[i]
		i = least
	}
}

func (e *event) before(f *event) bool { return e.at < f.at || e.at == f.at && e.order < f.order }

// random is splitmix64: specified, so a seed means the same everywhere.
type random uint64

func (r *random) below(n int) int {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return int(z % uint64(n))
}
