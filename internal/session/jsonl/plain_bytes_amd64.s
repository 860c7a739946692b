#include "textflag.h"

DATA quotes<>+0(SB)/4, $0x22222222
GLOBL quotes<>(SB), RODATA|NOPTR, $4

DATA slashes<>+0(SB)/4, $0x5c5c5c5c
GLOBL slashes<>(SB), RODATA|NOPTR, $4

DATA controls<>+0(SB)/4, $0x1f1f1f1f
GLOBL controls<>(SB), RODATA|NOPTR, $4

DATA halves<>+0(SB)/4, $0x0f0f0f0f
GLOBL halves<>(SB), RODATA|NOPTR, $4

// Bits of the hexadecimal digits of the bytes that end an escape sequence of two bytes: 1 for those that
// begin with 2 (" and /), 2 for 5 (\), 4 for 6 (b, f and n), 8 for 7 (r and t). A byte is one of them if its
// two digits have a bit in common.
DATA firstDigits<>+0(SB)/8, $0x0804020000010000
DATA firstDigits<>+8(SB)/8, $0x0000000000000000
GLOBL firstDigits<>(SB), RODATA|NOPTR, $16

DATA lastDigits<>+0(SB)/8, $0x00040008000d0000
DATA lastDigits<>+8(SB)/8, $0x0104000200000000
GLOBL lastDigits<>(SB), RODATA|NOPTR, $16

// MARK sets the masks of the quotes, backslashes and control characters among 32 bytes. A control
// character is the minimum of itself and 0x1f.
#define MARK(data, quote, slash, control) \
	VPCMPEQB  data, Y2, Y8   \
	VPCMPEQB  data, Y3, Y9   \
	VPMINUB   data, Y4, Y10  \
	VPCMPEQB  data, Y10, Y10 \
	VPMOVMSKB Y8, quote      \
	VPMOVMSKB Y9, slash      \
	VPMOVMSKB Y10, control

// MARKBLOCK loads 64 bytes and sets R9 to the mask of the backslashes and R10 to that of the quotes and
// control characters.
#define MARKBLOCK \
	VMOVDQU (DI)(SI*1), Y0   \
	VMOVDQU 32(DI)(SI*1), Y1 \
	MARK(Y0, R8, R9, R10)    \
	MARK(Y1, AX, BX, CX)     \
	ORQ     R8, R10          \
	ORQ     AX, CX           \
	SHLQ    $32, BX          \
	SHLQ    $32, CX          \
	ORQ     BX, R9           \
	ORQ     CX, R10

// MARKNOEND sets the mask of the bytes among 32 that end no escape sequence of two bytes.
#define MARKNOEND(data, noend) \
	VPSRLW    $4, data, Y8  \
	VPAND     Y7, Y8, Y8    \
	VPSHUFB   Y8, Y5, Y8    \
	VPSHUFB   data, Y6, Y9  \
	VPAND     Y8, Y9, Y8    \
	VPCMPEQB  Y11, Y8, Y8   \
	VPMOVMSKB Y8, noend

// func skipPlainAVX2(text *byte, i, last int) (at int, inEscape, escaped, stopped bool)
TEXT ·skipPlainAVX2(SB), NOSPLIT, $0-35
	MOVQ         text+0(FP), DI
	MOVQ         i+8(FP), SI
	MOVQ         last+16(FP), DX
	XORL         R11, R11        // 1 if the first byte of the block is escaped
	XORL         R12, R12        // not 0 after an escape sequence
	MOVB         $0, stopped+34(FP)
	VPBROADCASTD quotes<>(SB), Y2
	VPBROADCASTD slashes<>(SB), Y3
	VPBROADCASTD controls<>(SB), Y4

plain:
	MARKBLOCK
	TESTQ R9, R9
	JNZ   slash
	TESTQ R10, R10
	JNZ   stop
	ADDQ  $64, SI
	CMPQ  SI, DX
	JLE   plain
	JMP   return

slash:
	BSFQ R10, CX
	JZ   prepare
	BSFQ R9, AX
	CMPQ CX, AX
	JLT  stop

prepare:
	VBROADCASTI128 firstDigits<>(SB), Y5
	VBROADCASTI128 lastDigits<>(SB), Y6
	VPBROADCASTD   halves<>(SB), Y7
	VPXOR          Y11, Y11, Y11
	MOVQ           $0xaaaaaaaaaaaaaaaa, R13

	// Backslashes that follow each other escape each other by turns. The subtraction of a run's first bit
	// carries to the byte after the run, which it leaves set if the run is odd, as in simdjson.
escapes:
	MARKNOEND(Y0, AX)
	MARKNOEND(Y1, CX)
	SHLQ $32, CX
	ORQ  CX, AX
	MOVQ R11, BX
	NOTQ BX
	ANDQ R9, BX       // the backslashes that the block before does not escape
	LEAQ (BX)(BX*1), CX
	ORQ  R13, CX
	SUBQ BX, CX
	XORQ R13, CX
	ORQ  R11, R9
	XORQ CX, R9       // the escaped bytes
	ANDQ CX, BX       // the backslashes that escape the byte after them
	ANDQ R9, AX       // the escaped bytes that end no escape sequence
	NOTQ R9
	ANDQ R9, R10      // the quotes and control characters that are not escaped
	ORQ  AX, R10
	JNZ  last
	ORQ  R11, R12
	LEAQ (BX)(BX*1), CX
	ORQ  CX, R12      // without an escape sequence that ends in the next block
	SHRQ $63, BX
	MOVQ BX, R11
	ADDQ $64, SI
	CMPQ SI, DX
	JG   return
	MARKBLOCK
	JMP  escapes

last:
	BSFQ R10, CX
	BTQ  CX, AX
	JCC  before
	SUBQ $1, CX       // it stops at the backslash,
	JCS  found        // which may be in the block before

before:
	MOVL $1, R8
	SHLQ CX, R8
	DECQ R8
	ANDQ R8, BX       // the escape sequences before
	ORQ  R11, R12
	ORQ  BX, R12
	JMP  found

stop:
	BSFQ R10, CX

found:
	ADDQ CX, SI
	XORL R11, R11
	MOVB $1, stopped+34(FP)

return:
	VZEROUPPER
	MOVQ  SI, at+24(FP)
	MOVB  R11, inEscape+32(FP)
	TESTQ R12, R12
	SETNE escaped+33(FP)
	RET
