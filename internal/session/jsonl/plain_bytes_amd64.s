#include "textflag.h"

DATA quotes<>+0(SB)/8, $0x2222222222222222
DATA quotes<>+8(SB)/8, $0x2222222222222222
GLOBL quotes<>(SB), RODATA|NOPTR, $16

DATA slashes<>+0(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA slashes<>+8(SB)/8, $0x5c5c5c5c5c5c5c5c
GLOBL slashes<>(SB), RODATA|NOPTR, $16

DATA controls<>+0(SB)/8, $0x1f1f1f1f1f1f1f1f
DATA controls<>+8(SB)/8, $0x1f1f1f1f1f1f1f1f
GLOBL controls<>(SB), RODATA|NOPTR, $16

// Sets mask to the special bytes among 16. A control character is the minimum of itself and 0x1f.
#define MARK(offset, mask) \
	MOVOU    offset(AX), X3 \
	MOVO     X3, X4         \
	MOVO     X3, X5         \
	MOVO     X3, X6         \
	PCMPEQB  X0, X4         \
	PCMPEQB  X1, X5         \
	PMINUB   X2, X6         \
	PCMPEQB  X3, X6         \
	POR      X5, X4         \
	POR      X6, X4         \
	PMOVMSKB X4, mask

// func findSpecialBytes(block *[64]byte) uint64
TEXT ·findSpecialBytes(SB), NOSPLIT, $0-16
	MOVQ  block+0(FP), AX
	MOVOU quotes<>(SB), X0
	MOVOU slashes<>(SB), X1
	MOVOU controls<>(SB), X2
	MARK(0, R8)
	MARK(16, R9)
	MARK(32, R10)
	MARK(48, R11)
	SHLQ  $16, R9
	SHLQ  $32, R10
	SHLQ  $48, R11
	ORQ   R9, R8
	ORQ   R11, R10
	ORQ   R10, R8
	MOVQ  R8, ret+8(FP)
	RET
