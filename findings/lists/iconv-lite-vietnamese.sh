#!/usr/bin/env bash
# The Vietnamese code page of iconv-lite cannot write Vietnamese names.
#
# Versions   iconv-lite 0.7.3, Node.js 22 (the reader), GNU libc's iconv for comparison
# Guess      windows-1258 is the code page of Vietnamese, so that "Nguyễn Việt" is written, and read back the same.
# Behaviour  The code page has vowels and tones apart. iconv-lite looks letters up one by one: a letter with both a hat and
#            a tone becomes `?`. The decomposed form (NFD) loses the hat as well. Only the form that is neither NFC nor
#            NFD, vowel with hat and then the tone, is written. `iconv` of GNU libc converts the composed name.
# Harm       A list that is written for Excel in Vietnam has a question mark in most names; no error is raised.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages iconv-lite@0.7.3

cat >program.cjs <<'PROGRAM'
const { execFileSync } = require('node:child_process');
const iconv = require('iconv-lite');

const tones = /[\u0300\u0301\u0303\u0309\u0323]/gu;
const apart = (text) =>
  text
    .normalize('NFD')
    .replaceAll(/(\p{L})(\p{M}+)/gu, (_, letter, marks) =>
      [(letter + marks.replaceAll(tones, '')).normalize('NFC'), ...(marks.match(tones) ?? [])].join(''),
    );
const decoder = new TextDecoder('windows-1258');
const read = (bytes) => decoder.decode(bytes).normalize('NFC');
for (const name of ['Nguyễn Việt', 'Trần Hồ Đức', 'Lê Mai']) {
  console.log(`${name}, NFC: ${read(iconv.encode(name, 'windows-1258'))}`);
  console.log(`${name}, NFD: ${read(iconv.encode(name.normalize('NFD'), 'windows-1258'))}`);
  console.log(`${name}, tones apart: ${read(iconv.encode(apart(name), 'windows-1258'))}`);
  console.log(`${name}, GNU libc: ${read(execFileSync('iconv', ['-f', 'UTF-8', '-t', 'CP1258'], { input: name }))}`);
}
PROGRAM

run_and_compare program.cjs <<'SEEN'
Nguyễn Việt, NFC: Nguy?n Vi?t
Nguyễn Việt, NFD: Nguye?̃n Viẹ?t
Nguyễn Việt, tones apart: Nguyễn Việt
Nguyễn Việt, GNU libc: Nguyễn Việt
Trần Hồ Đức, NFC: Tr?n H? Đ?c
Trần Hồ Đức, NFD: Tra?̀n Ho?̀ Đu?́c
Trần Hồ Đức, tones apart: Trần Hồ Đức
Trần Hồ Đức, GNU libc: Trần Hồ Đức
Lê Mai, NFC: Lê Mai
Lê Mai, NFD: Le? Mai
Lê Mai, tones apart: Lê Mai
Lê Mai, GNU libc: Lê Mai
SEEN
