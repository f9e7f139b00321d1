package clock

// Enabled appends the slots of which Take would pick one, in the order of the answers to "clock.next": with one alone, that
// is not asked.
func (q *Queue) Enabled(dst []int) []int {
	bound, opens := Never, Never
	for id := range q.Len() {
		if q.Armed(id) {
			earliest, latest := q.Window(id)
			bound, opens = min(bound, latest), min(opens, earliest)
		}
	}
	from, calm := len(dst), -1 // calm is where the one is that opens first
	for id := range q.Len() {
		if !q.Armed(id) {
			continue
		}
		earliest, _ := q.Window(id)
		if earliest > bound {
			continue
		}
		if earliest == opens && calm < 0 {
			calm = len(dst)
		}
		dst = append(dst, id)
	}
	if calm > from {
		first := dst[calm]
		copy(dst[from+1:calm+1], dst[from:calm])
		dst[from] = first
	}
	return dst
}
