package hugepages

import (
	"syscall"
	"unsafe"
)

const (
	pageSize   = 2 << 20
	adviseHuge = 14 // MADV_HUGEPAGE
)

// Advise asks for huge pages for the memory of s. It is a hint: nothing happens if the
// kernel does not follow it, or if s is shorter than a huge page.
func Advise[T any](s []T) {
	if len(s) == 0 {
		return
	}
	first := unsafe.Pointer(unsafe.SliceData(s))
	size := uintptr(len(s)) * unsafe.Sizeof(s[0])
	skip := -uintptr(first) % pageSize
	if size < skip+pageSize {
		return
	}
	whole := (size - skip) / pageSize * pageSize
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(first, skip)), whole), adviseHuge)
}
