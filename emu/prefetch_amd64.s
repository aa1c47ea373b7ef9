#include "textflag.h"

// func here() location
TEXT ·here(SB), NOSPLIT, $0-16
	MOVQ (TLS), AX
	MOVQ AX, ret_goroutine+0(FP)
	MOVQ SP, ret_frame+8(FP)
	RET

// func prefetchParked(goroutine, frame, channel uintptr)
//
// The descriptor has 7 lines. Below the frame of the rank's park are those of the
// runtime, above it those of the program.
TEXT ·prefetchParked(SB), NOSPLIT, $0-24
	MOVQ goroutine+0(FP), AX
	PREFETCHT0 0(AX)
	PREFETCHT0 64(AX)
	PREFETCHT0 128(AX)
	PREFETCHT0 192(AX)
	PREFETCHT0 256(AX)
	PREFETCHT0 320(AX)
	PREFETCHT0 384(AX)
	MOVQ frame+8(FP), BX
	PREFETCHT0 -320(BX)
	PREFETCHT0 -256(BX)
	PREFETCHT0 -192(BX)
	PREFETCHT0 -128(BX)
	PREFETCHT0 -64(BX)
	PREFETCHT0 0(BX)
	PREFETCHT0 64(BX)
	PREFETCHT0 128(BX)
	PREFETCHT0 192(BX)
	PREFETCHT0 256(BX)
	PREFETCHT0 320(BX)
	PREFETCHT0 384(BX)
	PREFETCHT0 448(BX)
	PREFETCHT0 512(BX)
	PREFETCHT0 576(BX)
	PREFETCHT0 640(BX)
	PREFETCHT0 704(BX)
	MOVQ channel+16(FP), CX
	PREFETCHT0 0(CX)
	PREFETCHT0 64(CX)
	RET

// func prefetchWaiter(channel uintptr)
//
// The first word of a channel's list of waiting receivers, at offset 64 in Go 1.26, points
// to the entry of the only one. Should that change, a useless hint is all that happens.
TEXT ·prefetchWaiter(SB), NOSPLIT, $0-8
	MOVQ channel+0(FP), CX
	MOVQ 64(CX), DX
	PREFETCHT0 0(DX)
	PREFETCHT0 64(DX)
	RET
