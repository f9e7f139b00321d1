package sim

// OutOfOrder reports whether a client or a caller has begun while one like it, of a lower number, has not. Those that have not
// begun are alike: for every run that comes here there is one that does not, in which they have changed places. Client
// options that tell clients apart (Jitter, clocks that drift) are no longer alike.
func (w *World) OutOfOrder() bool {
	for c := range w.clients {
		if c > 0 && w.begun(c, 0) && !w.begun(c-1, 0) {
			return true
		}
		for k := 1; k < w.p.Callers; k++ {
			if w.begun(c, k) && !w.begun(c, k-1) {
				return true
			}
		}
	}
	return false
}

// begun reports whether a caller has done anything yet.
func (w *World) begun(c, k int) bool {
	a := w.caller(c, k)
	return a.state != thinking || int(a.left) != w.p.Ops
}
