import type { TextBuilder } from './text-builder.ts';

const TIMES = /^(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->[ \t]*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}/;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ' };

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
  // Before the first time are headers; notes and styles have none.
  let isSaid = false;
  for (const line of source.split('\n')) {
    if (out.isFull) return;
    if (line.trim() === '') isSaid = false;
    else if (TIMES.test(line.trim())) {
      isSaid = true;
      out.leave('time');
    } else if (isSaid) {
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
  return (
    line
      // Positions of SubRip.
      .replace(/\{\\[^{}]{0,200}\}/g, '')
      // The speaker of WebVTT.
      .replace(/<v(?:\.[^\s<>]{0,100})?[ \t]+([^<>]{1,200})>/g, '$1: ')
      // Formatting, and times within a line.
      .replace(/<\/?[a-z\d][^<>]{0,200}>/gi, '')
      .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '')
      .trim()
  );
}
