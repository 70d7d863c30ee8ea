import { addHtmlText } from './html-text.ts';
import { TextBuilder } from './text-builder.ts';

const TIMES = /^(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->[ \t]*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}/;

/** Whether a text is a file of subtitles, SubRip (SRT) or WebVTT. */
export function isSubtitles(text: string): boolean {
  const lines = text.slice(0, 2000).split('\n', 4);
  return (
    /^\ufeff?WEBVTT(?:[ \t\r]|$)/.test(lines[0] ?? '') ||
    (/^\s*\d+\s*$/.test(lines[0] ?? '') && TIMES.test(lines[1] ?? ''))
  );
}

/** Adds what is said in subtitles. Times, which are counted, numbers and formatting are left out. */
export function readSubtitles(source: string, out: TextBuilder): void {
  let last = '';
  for (const block of source.split(/\n[ \t]*\n/)) {
    if (out.isFull) return;
    const lines = block.split('\n').map((line) => line.trim());
    const times = lines.findIndex((line) => TIMES.test(line));
    // Blocks without times are headers, notes and styles.
    if (times < 0) continue;
    out.leave('time');
    for (const line of lines.slice(times + 1)) {
      const said = lineText(line);
      // Captions that scroll repeat the line before.
      if (said !== '' && said !== last) {
        out.line();
        out.text(said);
        last = said;
      }
    }
  }
}

function lineText(line: string): string {
  const cleaned = line
    // Positions of SubRip.
    .replace(/\{\\[^}]{0,200}\}/g, '')
    // The speaker of WebVTT.
    .replace(/<v(?:\.[^\s>]{0,100})?[ \t]+([^>]{1,200})>/g, '$1: ')
    // Times within a line.
    .replace(/<\d[\d:.]{0,20}>/g, '');
  if (!/[<&]/.test(cleaned)) return cleaned.trim();
  const text = new TextBuilder(Infinity);
  addHtmlText(cleaned, text);
  return text.finish().text;
}
