#include "go_asm.h"
#include "textflag.h"

// Loads 64 bytes and sets all bits of those that are equal to a byte of the triple.
#define EQUAL(from, value, caseBit, b0, b1, b2, b3) \
	VLD1.P 64(from), [b0, b1, b2, b3] \
	VORR   caseBit, b0, b0 \
	VORR   caseBit, b1, b1 \
	VORR   caseBit, b2, b2 \
	VORR   caseBit, b3, b3 \
	VCMEQ  value, b0, b0   \
	VCMEQ  value, b1, b1   \
	VCMEQ  value, b2, b2   \
	VCMEQ  value, b3, b3

// Loads a byte of the triple into all bytes of value, and the bit of its case.
#define LOAD(offset, value, caseBit) \
	MOVD (offset)(R2), R6   \
	MOVD (offset+8)(R2), R7 \
	VMOV R6, value          \
	VMOV R7, caseBit

// func findTriple(line []byte, blocks int, t *triple) (at int, places uint64)
TEXT ·findTriple(SB), NOSPLIT, $0-56
	MOVD line_base+0(FP), R0
	MOVD blocks+24(FP), R1
	MOVD t+32(FP), R2
	MOVD triple_offset(R2), R3
	MOVD (triple_offset+8)(R2), R4
	MOVD (triple_offset+16)(R2), R5
	ADD  R0, R3
	ADD  R0, R4
	ADD  R0, R5
	LOAD(triple_bytes+0, V0.D2, V1.D2)
	LOAD(triple_bytes+16, V2.D2, V3.D2)
	LOAD(triple_bytes+32, V4.D2, V5.D2)
	MOVD $0, R8

block:
	EQUAL(R3, V0.B16, V1.B16, V16.B16, V17.B16, V18.B16, V19.B16)
	EQUAL(R4, V2.B16, V3.B16, V20.B16, V21.B16, V22.B16, V23.B16)
	EQUAL(R5, V4.B16, V5.B16, V24.B16, V25.B16, V26.B16, V27.B16)
	VAND  V20.B16, V16.B16, V16.B16
	VAND  V21.B16, V17.B16, V17.B16
	VAND  V22.B16, V18.B16, V18.B16
	VAND  V23.B16, V19.B16, V19.B16
	VAND  V24.B16, V16.B16, V16.B16
	VAND  V25.B16, V17.B16, V17.B16
	VAND  V26.B16, V18.B16, V18.B16
	VAND  V27.B16, V19.B16, V19.B16
	VORR  V17.B16, V16.B16, V28.B16
	VORR  V19.B16, V18.B16, V29.B16
	VORR  V29.B16, V28.B16, V28.B16
	VADDP V28.D2, V28.D2, V28.D2 // is 0 only without places: their bytes are 0xff, the others 0
	VMOV  V28.D[0], R6
	CBNZ  R6, found
	ADD   $64, R8
	SUBS  $1, R1, R1
	BNE   block
	SUB   $64, R8
	MOVD  R8, at+40(FP)
	MOVD  ZR, places+48(FP)
	RET

// Each byte keeps one bit. The sums of adjacent bytes, three times, are a bit per place.
found:
	MOVD  $0x8040201008040201, R6
	VMOV  R6, V28.D2
	VAND  V28.B16, V16.B16, V16.B16
	VAND  V28.B16, V17.B16, V17.B16
	VAND  V28.B16, V18.B16, V18.B16
	VAND  V28.B16, V19.B16, V19.B16
	VADDP V17.B16, V16.B16, V16.B16
	VADDP V19.B16, V18.B16, V18.B16
	VADDP V18.B16, V16.B16, V16.B16
	VADDP V16.B16, V16.B16, V16.B16
	VMOV  V16.D[0], R6
	MOVD  R8, at+40(FP)
	MOVD  R6, places+48(FP)
	RET
