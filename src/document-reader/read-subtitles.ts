import type { TextBuilder } from './text-builder.ts';

const TIMES = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})[ \t]*-->[ \t]*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/;
const VTT = /^\ufeff?WEBVTT(?:[ \t\r]|$)/;

/** Formatting and times within a line. Other words in angle brackets are said. */
const TAGS = /<\/?(?:[ibuscv]|font|lang|ruby|rt)(?:[.\s][^<>]{0,200})?>|<(?:\d+:)?\d{1,2}:\d{2}\.\d{3}>/gi;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  apos: "'",
  lrm: '',
  rlm: '',
};

/** The first line of SubStation Alpha (ASS, SSA), after comments. */
const SSA = /^\ufeff?(?:;.*\n|\s)*\[Script Info\]/i;

/** Whether a text is a file of subtitles: SubRip (SRT), WebVTT, or SubStation Alpha (ASS, SSA). */
export function isSubtitles(text: string): boolean {
  if (SSA.test(text.slice(0, 2000))) return true;
  const lines = text.slice(0, 2000).trimStart().split('\n', 4);
  return VTT.test(lines[0] ?? '') || (/^\s*\d+\s*$/.test(lines[0] ?? '') && TIMES.test(lines[1] ?? ''));
}

/** Adds what is said in subtitles. Times, which are counted, numbers and formatting are left out. */
export function readSubtitles(source: string, out: TextBuilder): void {
  if (SSA.test(source.slice(0, 2000))) return readSubStation(source, out);
  const lines = source.split('\n').map((line) => line.trim());
  const isVtt = VTT.test(lines[0] ?? '');
  let last = '';
  let lastEnd = -1;
  /** Whether the next line may be one of the caption before, which captions that scroll repeat. */
  let mayRepeat = false;
  // Before the first time are headers; notes and styles of VTT have none.
  let isSaid = false;
  for (const [index, line] of lines.entries()) {
    if (out.isFull) return;
    const times = TIMES.exec(line);
    if (times !== null) {
      isSaid = true;
      const start = seconds(times[1]!);
      mayRepeat = isVtt ? start <= lastEnd : start < lastEnd;
      lastEnd = seconds(times[2]!);
      out.leave('time');
    } else if (line === '') isSaid &&= !isVtt;
    else if (isSaid && !(/^\d+$/.test(line) && TIMES.test(lines[index + 1] ?? ''))) {
      const said = lineText(line);
      if (said === '') continue;
      if (!mayRepeat || said !== last) {
        out.line();
        out.text(said);
      }
      mayRepeat = false;
      last = said;
    }
  }
}

/**
 * Adds the lines of dialogue of SubStation Alpha, whose columns a line `Format:` names. The last column has the text, with
 * commas.
 */
function readSubStation(source: string, out: TextBuilder): void {
  let columns: readonly string[] = [];
  let last = '';
  for (const line of source.split('\n')) {
    if (out.isFull) return;
    const [, kind = '', values = ''] = /^\s*(\w+):\s*(.*)$/.exec(line) ?? [];
    if (kind === 'Format') columns = values.split(',').map((name) => name.trim());
    if (kind !== 'Dialogue') continue;
    const before = columns.length > 0 ? columns.length - 1 : 9;
    const said = values.split(',').slice(before).join(',');
    out.leave('time');
    // A drawing is written as text in a mode of its own. Layers of an effect repeat a text.
    if (said === last || /\{[^{}]{0,200}\\p[1-9][^{}]{0,200}\}/.test(said)) continue;
    last = said;
    for (const part of said.replace(/\{[^{}]*\}/g, '').split(/\\[Nn]/)) {
      out.line();
      out.text(part.replaceAll('\\h', ' ').trim());
    }
  }
}

function seconds(time: string): number {
  return time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}

function lineText(line: string): string {
  return (
    line
      // Positions of SubRip.
      .replace(/\{\\[^{}]{0,200}\}/g, '')
      // The speaker of WebVTT.
      .replace(/<v(?:\.[^\s<>]{0,100})?[ \t]+([^<>]{1,200})>/g, '$1: ')
      .replace(TAGS, '')
      .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replace(/&(\w{2,4});/g, (entity, name: string) => (Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : entity))
      .trim()
  );
}
