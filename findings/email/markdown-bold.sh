#!/usr/bin/env bash
# Bold words keep their asterisks in Japanese, Chinese and Korean.
#
# Versions   marked 18.2.1, markdown-it 15.0.3, remark 15.0.1, Node.js 22
# Guess      Text between `**` is bold in each language, in all three packages.
# Behaviour  None is. Two asterisks end bold text only if a space or a mark follows where a mark is before them (CommonMark,
#            6.2). Languages without spaces have a letter there: **50％オフ！**今だけ. The same words without the mark are bold, so
#            are texts in English, where a space follows.
# Harm       A campaign that is translated shows asterisks in its most important words.
# Seen       The lines at the end.
source "$(dirname "$0")/../finding.sh"
install_packages marked@18.2.1 markdown-it@15.0.3 remark@15.0.1 remark-html@16.0.1

cat >program.mjs <<'PROGRAM'
import MarkdownIt from 'markdown-it';
import { marked } from 'marked';
import { remark } from 'remark';
import remarkHtml from 'remark-html';

const readers = {
  marked: (text) => marked.parseInline(text),
  'markdown-it': (text) => new MarkdownIt().renderInline(text),
  remark: (text) => String(remark().use(remarkHtml).processSync(text)).replaceAll(/<\/?p>|\n/gu, ''),
};
for (const text of ['**50% off!** Today', '**50％オフ**今だけ', '**50％オフ！**今だけ', '**「名前」**さん', '**오늘만(특가)**입니다'])
  for (const [name, read] of Object.entries(readers)) console.log(`${name}: ${read(text)}`);
PROGRAM

run_and_compare program.mjs <<'SEEN'
marked: <strong>50% off!</strong> Today
markdown-it: <strong>50% off!</strong> Today
remark: <strong>50% off!</strong> Today
marked: <strong>50％オフ</strong>今だけ
markdown-it: <strong>50％オフ</strong>今だけ
remark: <strong>50％オフ</strong>今だけ
marked: **50％オフ！**今だけ
markdown-it: **50％オフ！**今だけ
remark: **50％オフ！**今だけ
marked: **「名前」**さん
markdown-it: **「名前」**さん
remark: **「名前」**さん
marked: **오늘만(특가)**입니다
markdown-it: **오늘만(특가)**입니다
remark: **오늘만(특가)**입니다
SEEN
