#include "go_asm.h"
#include "textflag.h"

// Sets all bits of the bytes of places that are equal to the three bytes, at 16 places.
#define MATCH(place, places) \
	MOVOU   place(R8)(BX*1), places  \
	MOVOU   place(R9)(BX*1), X11     \
	MOVOU   place(R10)(BX*1), X12    \
	POR     X1, places               \
	POR     X3, X11                  \
	POR     X5, X12                  \
	PCMPEQB X0, places               \
	PCMPEQB X2, X11                  \
	PCMPEQB X4, X12                  \
	PAND    X11, places              \
	PAND    X12, places

// Loads a byte of the triple into all bytes of value, and the bit of its case.
#define LOAD(offset, value, caseBit) \
	MOVQ       offset(DX), value      \
	MOVQ       (offset+8)(DX), caseBit \
	PUNPCKLQDQ value, value           \
	PUNPCKLQDQ caseBit, caseBit

// func findTriple(line []byte, blocks int, t *triple) (at int, places uint64)
TEXT ·findTriple(SB), NOSPLIT, $0-56
	MOVQ line_base+0(FP), AX
	MOVQ blocks+24(FP), CX
	MOVQ t+32(FP), DX
	MOVQ triple_offset(DX), R8
	MOVQ (triple_offset+8)(DX), R9
	MOVQ (triple_offset+16)(DX), R10
	ADDQ AX, R8
	ADDQ AX, R9
	ADDQ AX, R10
	LOAD(triple_bytes+0, X0, X1)
	LOAD(triple_bytes+16, X2, X3)
	LOAD(triple_bytes+32, X4, X5)
	XORQ BX, BX

block:
	MATCH(0, X6)
	MATCH(16, X7)
	MATCH(32, X8)
	MATCH(48, X9)
	MOVO     X6, X11
	MOVO     X8, X12
	POR      X7, X11
	POR      X9, X12
	POR      X12, X11
	PMOVMSKB X11, SI
	TESTL    SI, SI
	JNE      found
	ADDQ     $64, BX
	DECQ     CX
	JNE      block
	SUBQ     $64, BX
	MOVQ     BX, at+40(FP)
	MOVQ     $0, places+48(FP)
	RET

found:
	PMOVMSKB X6, R8
	PMOVMSKB X7, R9
	PMOVMSKB X8, R10
	PMOVMSKB X9, R11
	SHLQ     $16, R9
	SHLQ     $32, R10
	SHLQ     $48, R11
	ORQ      R9, R8
	ORQ      R11, R10
	ORQ      R10, R8
	MOVQ     BX, at+40(FP)
	MOVQ     R8, places+48(FP)
	RET
