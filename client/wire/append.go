package wire

import "strconv"

// Bytes is a field as its owner keeps it. Neither form is copied but into the frame.
type Bytes interface{ ~string | ~[]byte }

// AppendHello appends H, the first line of every connection.
func AppendHello[C Bytes](dst []byte, credential C) []byte {
	dst = append(dst, "H "+Version...)
	return end(word(dst, credential))
}

// AppendAcquire appends A from a client. wait and lease are milliseconds.
func AppendAcquire[K, O Bytes](dst []byte, key K, owner O, wait, lease uint32) []byte {
	dst = word(word(append(dst, 'A'), key), owner)
	return end(number(number(dst, uint64(wait)), uint64(lease)))
}

// AppendRelease appends R from a client.
func AppendRelease[K Bytes](dst []byte, key K, token uint64) []byte {
	return end(number(word(append(dst, 'R'), key), token))
}

// AppendGranted appends A from a server. lease is milliseconds.
func AppendGranted[K, O Bytes](dst []byte, key K, owner O, token uint64, lease uint32) []byte {
	dst = word(word(append(dst, 'A'), key), owner)
	return end(number(number(dst, token), uint64(lease)))
}

// AppendTimedOut appends T.
func AppendTimedOut[K, O Bytes](dst []byte, key K, owner O) []byte {
	return end(word(word(append(dst, 'T'), key), owner))
}

// AppendBusy appends B.
func AppendBusy[K, O Bytes](dst []byte, key K, owner O) []byte {
	return end(word(word(append(dst, 'B'), key), owner))
}

// AppendReleased appends R from a server.
func AppendReleased[K Bytes](dst []byte, key K, token uint64) []byte {
	return end(number(word(append(dst, 'R'), key), token))
}

// AppendNotFound appends N.
func AppendNotFound[K Bytes](dst []byte, key K, token uint64) []byte {
	return end(number(word(append(dst, 'N'), key), token))
}

// AppendMoved appends M.
func AppendMoved[A Bytes](dst []byte, addr A) []byte {
	return end(word(append(dst, 'M'), addr))
}

// AppendNotice appends L.
func AppendNotice[A Bytes](dst []byte, addr A) []byte {
	return end(word(append(dst, 'L'), addr))
}

// AppendError appends E. code is bytes of '!'..'~', 1 or more; text is bytes of ' '..'~' and may be empty;
// the two together have at most MaxFrame-4 bytes.
func AppendError[C, T Bytes](dst []byte, code C, text T) []byte {
	dst = word(append(dst, 'E'), code)
	if len(text) > 0 {
		dst = word(dst, text)
	}
	return end(dst)
}

func word[B Bytes](dst []byte, w B) []byte { return append(append(dst, ' '), w...) }

func number(dst []byte, v uint64) []byte { return strconv.AppendUint(append(dst, ' '), v, 10) }

func end(dst []byte) []byte { return append(dst, '\n') }
