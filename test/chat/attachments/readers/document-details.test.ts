import { expect, test } from 'vitest';
import type { LeftOut } from '../../../../src/chat/attachments/readers/document.ts';
import { readDocument } from '../../../../src/chat/attachments/readers/read-document.ts';
import { formatted, openDocument } from '../../../support/samples/documents.ts';

async function read(name: string, file: string | Uint8Array<ArrayBuffer>): Promise<[string, readonly LeftOut[]]> {
  const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'] };
  const { text, leftOut } = await readDocument(new Blob([file]), options);
  return [text, leftOut];
}

const ACCOUNTS = '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-';

test.each([
  ['4006381333931', 'General', '4006381333931'],
  ['4006381333931.5', 'General', '4006381333931.5'],
  ['123456789012345', '[Red]', '123456789012345'],
  ['-3.25', '0.00', '-3.25'],
  ['1234.5', '# ##0.00', '1 234.50'],
  ['1234567', '# ##0,00', '1,2 34,567'],
  ['1234567.891', '#,##0.00', '1,234,567.89'],
  ['7', '0,000', '0,007'],
  ['5551234567', '(000) 000-0000', '(555) 123-4567'],
  ['15551234567', '(000) 000-0000', '(1555) 123-4567'],
  ['123456789', '000\\-00\\-0000', '123-45-6789'],
  ['12', '00"."00', '00.12'],
  ['1.5', '# ?/?', '1.5'],
  ['0.75', '?/4', '0.75'],
  ['2.5', '0 1/2', '2.5'],
  ['1.5', '# ??/16" in"', '1.5 in'],
  ['0.5', '.00', '.50'],
  ['5', '0.##', '5'],
  ['5.1', '0.0##', '5.1'],
  ['12345', '@', '12345'],
  ['-3', '0;@', '-3'],
  ['-5', ACCOUNTS, '-5.00 €'],
  ['0', ACCOUNTS, '- €'],
  ['-4', '0"; "0', '-0; 4'],
  ['2500', '[>=1000]0.0,"k";0', '2.5k'],
  ['-5', '[<0](0);0', '(5)'],
])('%s in the format %s is %s', async (value, format, shown) => {
  expect(await read('a.xlsx', formatted(value, format))).toEqual([`# S\n\n${shown}`, []]);
});

test.each([
  ['0', '0;-0;;@'],
  ['-3', '0;;;@'],
  ['7', ';;;'],
  ['0', '#,###'],
])('%s in the format %s is not shown', async (value, format) => {
  expect(await read('a.xlsx', formatted(value, format))).toEqual(['# S', []]);
});

interface Detail {
  readonly name: string;
  readonly file: string | Uint8Array<ArrayBuffer>;
  readonly text: string;
  readonly leftOut?: readonly LeftOut[];
}

const odt = (text: string): Uint8Array<ArrayBuffer> =>
  openDocument(`<office:body><office:text>${text}</office:text></office:body>`);
const times = (count: number): readonly LeftOut[] => [{ kind: 'time', count }];
const mail = (plain: string, html: string): string =>
  `From: a@example.com\nSubject: S\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain; charset=utf-8\n\n${plain}\n--x\nContent-Type: text/html; charset=utf-8\n\n${html}\n--x--`;
const HEADERS = 'From: a@example.com\nSubject: S\n\n';

const DETAILS: Readonly<Record<string, Detail>> = {
  'fields of an ODT for dates, titles, authors and metadata are text': {
    name: 'a.odt',
    file: odt(
      '<text:p>Berlin, <text:date>27. November 2026</text:date></text:p><text:p><text:title>Offer</text:title> by <text:creator>Anna</text:creator></text:p><text:p><text:meta>kept</text:meta></text:p>',
    ),
    text: 'Berlin, 27. November 2026\n\nOffer by Anna\n\nkept',
  },
  'the title of a frame, and the date and initials of a comment in an ODT are no text': {
    name: 'a.odt',
    file: odt(
      '<text:p>one<draw:frame><svg:title>no</svg:title></draw:frame><office:annotation><dc:creator>Anna</dc:creator><dc:date>2026</dc:date><meta:creator-initials>A</meta:creator-initials><text:p>Why?</text:p></office:annotation></text:p>',
    ),
    text: 'one [1]\n[1] Anna: Why?',
  },
  'fields of a flat ODT are text, and its metadata is not': {
    name: 'a.fodt',
    file: '<?xml version="1.0"?><office:document><office:meta><dc:title>no</dc:title></office:meta><office:body><office:text><text:p>On <text:date>Monday</text:date></text:p></office:text></office:body></office:document>',
    text: 'On Monday',
  },
  'a caption of SRT goes on after an empty line': {
    name: 'a.srt',
    file: '1\n00:00:01,000 --> 00:00:02,000\nLine one\n\nLine two here\n\n2\n00:00:03,000 --> 00:00:04,000\n\n42\nend',
    text: 'Line one\nLine two here\n42\nend',
    leftOut: times(2),
  },
  'the same answer in two captions is kept twice': {
    name: 'a.srt',
    file: '1\n00:00:01,000 --> 00:00:02,000\nYes.\n\n2\n00:00:02,000 --> 00:00:03,000\nYes.\nNo.\nNo.',
    text: 'Yes.\nYes.\nNo.\nNo.',
    leftOut: times(2),
  },
  'captions of SRT that scroll are read once': {
    name: 'a.srt',
    file: '1\n00:00:01,000 --> 00:00:03,000\none\n\n2\n00:00:02,000 --> 00:00:04,000\none\ntwo',
    text: 'one\ntwo',
    leftOut: times(2),
  },
  'angle brackets that are no formatting are said in subtitles': {
    name: 'a.srt',
    file: '1\n00:00:01,000 --> 00:00:02,000\nI <3 you and you > me\n<font color="red"><i>Red</i></font> <sighs> <B>x</B>',
    text: 'I <3 you and you > me\nRed <sighs> x',
    leftOut: times(1),
  },
  'the HTML of a message is read if its plain text is only a hint': {
    name: 'a.eml',
    file: mail('Please view this in a browser.', `<p>${'The quay is closed today. '.repeat(5)}</p>`),
    text: `${HEADERS}${'The quay is closed today. '.repeat(5).trim()}`,
  },
  'the plain text of a message is read if it says the same as the HTML': {
    name: 'a.eml',
    file: mail('The quay is closed.', `<style>${'p{} '.repeat(500)}</style><p>The <b>quay</b> is closed.</p>`),
    text: `${HEADERS}The quay is closed.`,
  },
};

test.each(Object.entries(DETAILS))('%s', async (_, { name, file, text, leftOut = [] }) => {
  expect(await read(name, file)).toEqual([text, leftOut]);
});
