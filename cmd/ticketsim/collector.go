package main

import "runtime/debug"

// collectorPercent is by how much the heap of a sweep grows between two collections. Worlds keep next to nothing, and so the
// usual 100 has the collector run many times a second; on two cores its idle workers alone cost an eighth of a sweep. This
// takes some ten megabytes more.
const collectorPercent = 400

// relaxCollector has the garbage of a sweep wait longer, unless somebody set GOGC, until the function that it returns is called.
func relaxCollector() (restore func()) {
	was := debug.SetGCPercent(collectorPercent)
	if was != 100 {
		debug.SetGCPercent(was)
	}
	return func() { debug.SetGCPercent(was) }
}
