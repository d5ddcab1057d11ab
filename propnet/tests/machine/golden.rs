//! Code as a person reads it.

use iced_x86::{Decoder, DecoderOptions, Formatter, NasmFormatter};
use propnet::machine::{Level, assemble};

use super::text::routine;

/// The code of a routine, one instruction to a line.
fn disassemble(text: &str, level: Level) -> String {
    let code = assemble(&routine(text), level).expect("a routine");
    let mut decoder = Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE);
    let mut formatter = NasmFormatter::new();
    let mut lines = String::new();
    while decoder.can_decode() {
        formatter.format(&decoder.decode(), &mut lines);
        lines.push('\n');
    }
    lines
}

fn check(text: &str, level: Level, expected: &str) {
    let expected: String = expected.lines().map(|line| format!("{}\n", line.trim())).collect();
    let found = disassemble(text, level);
    assert_eq!(found.trim(), expected.trim(), "\n{found}");
}

#[test]
fn words_between_stay_in_registers_on_avx2() {
    check(
        "w0 = and b0 b1
         w1 = andnot w0 b2
         w2 = or w1 w0
         a0 = xor w2 b3
         a1 = not w2",
        Level::Avx2,
        "lea rdi,[rdi+80h]
         lea rsi,[rsi+80h]
         lea rdx,[rdx+80h]
         vpcmpeqd ymm15,ymm15,ymm15
         vmovdqa ymm0,[rdi-80h]
         vpand ymm0,ymm0,[rdi-60h]
         vpandn ymm1,ymm0,[rdi-40h]
         vpor ymm1,ymm1,ymm0
         vpxor ymm0,ymm1,[rdi-20h]
         vmovdqa [rsi-80h],ymm0
         vpxor ymm1,ymm15,ymm1
         vmovdqa [rsi-60h],ymm1
         mov eax,1
         vzeroupper
         ret",
    );
}

#[test]
fn one_instruction_for_three_inputs_on_avx512() {
    check(
        "w0 = e8 b0 b1 b2
         w1 = 96 b0 w0 b3
         a0 = and w0 w1
         a1 = not w1
         w2 = 3f w0 w1
         w3 = ff w0
         a2 = 1 w1 w2 b300
         keep w2
         keep w3",
        Level::Avx512,
        "lea rdi,[rdi+2000h]
         lea rsi,[rsi+2000h]
         lea rdx,[rdx+2000h]
         vmovdqa64 zmm0,[rdi-2000h]
         vmovdqa64 zmm1,[rdi-1FC0h]
         vpternlogq zmm1,zmm0,[rdi-1F80h],0E8h
         vpternlogq zmm0,zmm1,[rdi-1F40h],96h
         vpandq zmm2,zmm1,zmm0
         vmovdqa64 [rsi-2000h],zmm2
         vpternlogq zmm2,zmm0,zmm0,55h
         vmovdqa64 [rsi-1FC0h],zmm2
         vpternlogq zmm1,zmm1,zmm0,77h
         vmovdqa64 [rdx-1F80h],zmm1
         vpternlogq zmm2,zmm2,zmm2,0FFh
         vmovdqa64 [rdx-1F40h],zmm2
         vpternlogq zmm0,zmm1,[rdi+2B00h],1
         vmovdqa64 [rsi-1F80h],zmm0
         mov eax,1
         vzeroupper
         ret",
    );
}

#[test]
fn a_repeated_block_on_avx2() {
    check(
        "w2 = or w0 b0\nw3 = and w2 b1\nfeed w0 from w2\nfeed w1 from w3",
        Level::Avx2,
        "lea rdi,[rdi+80h]
         lea rsi,[rsi+80h]
         lea rdx,[rdx+80h]
         vpxor ymm0,ymm0,ymm0
         vmovdqa [rdx-80h],ymm0
         vmovdqa [rdx-60h],ymm0
         mov eax,10000h
         vmovdqa ymm0,[rdx-80h]
         vpor ymm1,ymm0,[rdi-80h]
         vpand ymm2,ymm1,[rdi-60h]
         vpxor ymm0,ymm1,ymm0
         vmovdqa [rdx-80h],ymm1
         vpxor ymm1,ymm2,[rdx-60h]
         vpor ymm0,ymm1,ymm0
         vmovdqa [rdx-60h],ymm2
         vptest ymm0,ymm0
         je short 0000000000000062h
         dec eax
         jne near 0000000000000028h
         jmp 0000000000000067h
         mov eax,1
         vzeroupper
         ret",
    );
}

#[test]
fn a_repeated_block_on_avx512() {
    check(
        "w2 = or w0 b0\nw3 = and w2 b1\nfeed w0 from w2\nfeed w1 from w3",
        Level::Avx512,
        "lea rdi,[rdi+2000h]
         lea rsi,[rsi+2000h]
         lea rdx,[rdx+2000h]
         vpxorq zmm0,zmm0,zmm0
         vmovdqa64 [rdx-2000h],zmm0
         vmovdqa64 [rdx-1FC0h],zmm0
         mov eax,10000h
         vmovdqa64 zmm0,[rdx-2000h]
         vporq zmm1,zmm0,[rdi-2000h]
         vpandq zmm2,zmm1,[rdi-1FC0h]
         vpxorq zmm0,zmm1,zmm0
         vmovdqa64 [rdx-2000h],zmm1
         vpternlogq zmm0,zmm2,[rdx-1FC0h],0F6h
         vmovdqa64 [rdx-1FC0h],zmm2
         vptestmq k1,zmm0,zmm0
         kortestw k1,k1
         je short 0000000000000078h
         dec eax
         jne near 000000000000002Eh
         jmp 000000000000007Dh
         mov eax,1
         vzeroupper
         ret",
    );
}
