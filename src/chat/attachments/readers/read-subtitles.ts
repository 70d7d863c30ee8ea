import type { TextBuilder } from './text-builder.ts';

const TIMES = /^((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})[ \t]*-->[ \t]*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3})/;
const VTT = /^\ufeff?WEBVTT(?:[ \t\r]|$)/;

/** Formatting and times within a line. Other words in angle brackets are said. */
const TAGS = /<\/?(?:[ibuscv]|font|lang|ruby|rt)(?:[.\s][^<>]{0,200})?>|<(?:\d+:)?\d{1,2}:\d{2}\.\d{3}>/gi;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ' };

/** Whether a text is a file of subtitles, SubRip (SRT) or WebVTT. */
export function isSubtitles(text: string): boolean {
  const lines = text.slice(0, 2000).split('\n', 4);
  return VTT.test(lines[0] ?? '') || (/^\s*\d+\s*$/.test(lines[0] ?? '') && TIMES.test(lines[1] ?? ''));
}

/** Adds what is said in subtitles. Times, which are counted, numbers and formatting are left out. */
export function readSubtitles(source: string, out: TextBuilder): void {
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
      .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '')
      .trim()
  );
}
