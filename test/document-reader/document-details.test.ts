import { expect, test } from 'vitest';
import type { LeftOut } from '../../src/shared/documents/document-reading.ts';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { archive, docx, formatted, latin, openDocument, p, r, xlsx } from '../support/samples/documents.ts';

async function read(name: string, file: string | Uint8Array<ArrayBuffer>): Promise<[string, readonly LeftOut[]]> {
  const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
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
const output = (data: object): string =>
  JSON.stringify({ cells: [{ cell_type: 'code', source: [], outputs: [{ output_type: 'display_data', data }] }] });
/** Removes from an archive the mark that the names of its files are in UTF-8. */
function withoutMarks(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(file.buffer);
  for (let at = 0; at + 10 < file.length; at += 1) {
    const offset = { 0x04034b50: 6, 0x02014b50: 8 }[view.getUint32(at, true)];
    if (offset !== undefined) view.setUint16(at + offset, view.getUint16(at + offset, true) & ~0x800, true);
  }
  return file;
}
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
  'the choice in a list and a ticked box of a form in a DOCX': {
    name: 'a.docx',
    file: docx(
      '<w:p><w:r><w:fldChar><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="yes"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r></w:p>',
    ),
    text: 'yes☒',
  },
  'symbols of a DOCX are read if they are known, and counted if not': {
    name: 'a.docx',
    file: docx(
      '<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="F062"/><w:sym w:font="Webdings" w:char="F021"/></w:r></w:p>',
    ),
    text: '☑β',
    leftOut: [{ kind: 'image', count: 1 }],
  },
  'text whose style hides it is left out of a DOCX': {
    name: 'a.docx',
    file: docx(
      `<w:p>${r('one')}${r('two', '<w:rStyle w:val="H"/>')}${r('three', '<w:rStyle w:val="H"/><w:vanish w:val="0"/>')}</w:p>${p('four', '<w:pStyle w:val="P"/>')}`,
      {
        'styles.xml':
          '<w:styles><w:style w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="P"><w:basedOn w:val="H"/></w:style></w:styles>',
      },
    ),
    text: 'onethree',
    leftOut: [{ kind: 'hidden', count: 2 }],
  },
  'exponents and indexes of a DOCX': {
    name: 'a.docx',
    file: docx(
      `<w:p>${r('10')}${r('-', '<w:vertAlign w:val="superscript"/>')}${r('6', '<w:vertAlign w:val="superscript"/>')}${r(' H')}${r('2', '<w:vertAlign w:val="subscript"/>')}${r('O')}</w:p>`,
    ),
    text: '10^-6 H_2O',
  },
  'exponents, indexes and formulas of HTML': {
    name: 'a.html',
    file: '<html><p>10<sup>6</sup> H<sub>2</sub>O note<sup><a href="#n1">1</a></sup> <math><mfrac><mn>1</mn><mn>2</mn></mfrac><msubsup><mi>x</mi><mn>3</mn><mn>4</mn></msubsup></math>',
    text: '10^6 H_2O note 1 1/2x_3^4',
  },
  'marks of notes of HTML, in which the link is raised or has a raised part': {
    name: 'a.html',
    file: '<html><p>One<a href="#n1"><sup>1</sup></a> two<sup><a href="#n2">2</a></sup> (<a href="#n3">3</a>) x<sup>4</sup>',
    text: 'One 1 two 2 (3) x^4',
  },
  'numbers of lists of HTML by type, style and value': {
    name: 'a.html',
    file: '<html><ol type="a"><li>one<li>two</ol><ol start="4" style="list-style-type:lower-roman"><li>three</ol><ol type="A"><li>four<ol><li>five</ol><li value="26">six<li>seven</ol><ul><li>eight</ul>',
    text: 'a. one\nb. two\n\niv. three\n\nA. four\n  1. five\nZ. six\nAA. seven\n\n- eight',
  },
  'items of lists of HTML whose text is in paragraphs, headings and fields': {
    name: 'a.html',
    file: '<html><ol><li><p>one</p><p>more</p><li><h2>two</h2><li><input value="three"><li><img alt="four"><li></ol>',
    text: '1. one\n\nmore\n\n2. ## two\n\n3. three\n4. [four]',
    leftOut: [{ kind: 'image', count: 1 }],
  },
  'lists of HTML that begin at 0 or count down': {
    name: 'a.html',
    file: '<html><ol start="0"><li>one<li>two<li value="0">three</ol><ol reversed start="3"><li>four<li>five</ol><ol reversed><li>six</ol><ol start="-1"><li>seven</ol>',
    text: '0. one\n1. two\n0. three\n\n3. four\n2. five\n\n- six\n\n-1. seven',
  },
  'the description of a picture that HTML offers in several files': {
    name: 'a.html',
    file: '<html><p>See <picture><source srcset="a.webp"><img src="a.png" alt="A quay"></picture> here',
    text: 'See [A quay] here',
    leftOut: [{ kind: 'image', count: 1 }],
  },
  'dialogs of HTML that are not open, and parts for browsers without frames': {
    name: 'a.html',
    file: '<html><p>one<dialog>Accept all cookies</dialog><dialog open>two</dialog><div popover>menu</div><noframes>old</noframes><p>three',
    text: 'one\n\ntwo\n\nthree',
    leftOut: [{ kind: 'hidden', count: 2 }],
  },
  'words of HTML that may be divided at the end of a line': {
    name: 'a.html',
    file: '<html><p>Donau&shy;dampf\u00adschiff<pre>a&shy;b</pre>',
    text: 'Donaudampfschiff\n\nab',
  },
  'words of an ODT that may be divided at the end of a line': {
    name: 'a.odt',
    file: odt('<text:p>Donau\u00addampfschiff</text:p>'),
    text: 'Donaudampfschiff',
  },
  'a message after a byte order mark': {
    name: 'a.eml',
    file: '\ufeffFrom: a@example.com\r\nSubject: S\r\n\r\nBody',
    text: `${HEADERS}Body`,
  },
  'characters that subtitles write by names and numbers': {
    name: 'a.vtt',
    file: 'WEBVTT\n\n00:01.000 --> 00:02.000\nIt&#39;s &quot;so&quot; &lt;&amp;#1;&gt; R&B;&lrm;&abc;',
    text: `It's "so" <&#1;> R&B;&abc;`,
    leftOut: times(1),
  },
  'subtitles after an empty line': {
    name: 'a.srt',
    file: '\r\n1\r\n00:00:01,000 --> 00:00:02,000\r\nYes.\r\n',
    text: 'Yes.',
    leftOut: times(1),
  },
  'a text that only names the first element of a flat ODT': {
    name: 'a.md',
    file: 'The root is `<office:document-content>`.\n',
    text: 'The root is `<office:document-content>`.\n',
  },
  'a flat ODT with a comment above it': {
    name: 'a.xml',
    file: '<?xml version="1.0"?>\n<!-- made by hand -->\n<office:document><office:body><text:p>one</text:p></office:body></office:document>',
    text: 'one',
  },
  'chapters of an EPUB whose archive does not say that names are in UTF-8': {
    name: 'a.epub',
    file: withoutMarks(
      archive({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
        'b.opf':
          '<package><item id="a" href="第一章.xhtml"/><item id="b" href="%C3%9Cbung.xhtml"/><itemref idref="a"/><itemref idref="b"/></package>',
        '第一章.xhtml': '<p>one</p>',
        'Übung.xhtml': '<p>two</p>',
      }),
    ),
    text: 'one\n\ntwo',
  },
  'tabs, pictures and notes of deleted text in a DOCX': {
    name: 'a.docx',
    file: docx(
      `<w:p>${r('one')}<w:del><w:r><w:tab/><w:delText>two</w:delText><w:footnoteReference w:id="2"/><w:drawing><wp:docPr descr="A quay"/><pic:pic/></w:drawing></w:r></w:del>${r(' three')}</w:p>`,
      { 'footnotes.xml': `<w:footnotes><w:footnote w:id="2">${p('gone')}</w:footnote></w:footnotes>` },
    ),
    text: 'one three',
  },
  'shadow roots of HTML, and templates that are not shown': {
    name: 'a.html',
    file: '<html><x-y><template shadowrootmode="open"><p>one</p></template></x-y><template><p>no</p></template><p>two',
    text: 'one\n\ntwo',
  },
  'a table of HTML under a name of Excel': {
    name: 'export.xls',
    file: '<table border="1"><tr><th>Ship<th>Year<tr><td>Fram<td>1892</table>',
    text: 'Ship | Year\nFram | 1892',
  },
  'headings of HTML of several lines, and without text': {
    name: 'a.html',
    file: '<html><h1>Chapter 1<br>The quay</h1><h2></h2><h3> </h3><p>one<br>two',
    text: '# Chapter 1 The quay\n\none\ntwo',
  },
  'headings of a DOCX of several lines': {
    name: 'a.docx',
    file: docx(
      `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:br w:type="page"/></w:r><w:r><w:t>Chapter 1</w:t><w:br/><w:t>The quay</w:t></w:r></w:p><w:p><w:r><w:t>one</w:t><w:br/><w:t>two</w:t></w:r></w:p>`,
    ),
    text: '# Chapter 1 The quay\n\none\ntwo',
  },
  'headings of an ODT of several lines': {
    name: 'a.odt',
    file: odt(
      '<text:h text:outline-level="1">Chapter 1<text:line-break/>The quay</text:h><text:p>one<text:line-break/>two</text:p>',
    ),
    text: '# Chapter 1 The quay\n\none\ntwo',
  },
  'lists of HTML within lists': {
    name: 'a.html',
    file: '<html><ul><li>one<ol><li>two<ul><li>three</ul><li>four</ol><li>five</ul>',
    text: '- one\n  1. two\n    - three\n  2. four\n- five',
  },
  'the pronunciation of words in HTML': {
    name: 'a.html',
    file: '<html><p><ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp></ruby>と<ruby>船<rt>ふね</ruby>',
    text: '港(みなと)と船(ふね)',
  },
  'the pronunciation of words in a DOCX': {
    name: 'a.docx',
    file: docx(
      `<w:p>${r('A')}<w:r><w:ruby><w:rubyPr><w:hps w:val="10"/></w:rubyPr><w:rt>${r('みなと')}</w:rt><w:rubyBase>${r('港')}</w:rubyBase></w:ruby></w:r>${r('B')}</w:p>`,
    ),
    text: 'A港(みなと)B',
  },
  'cells of an ODS that have a value, but no text': {
    name: 'a.ods',
    file: openDocument(
      '<office:body><office:spreadsheet><table:table table:name="A"><table:table-row><table:table-cell office:value-type="float" office:value="3.5"/><table:table-cell office:value-type="string" office:string-value="x"/><table:table-cell office:value-type="date" office:date-value="2026-11-30"/><table:table-cell table:style-name="ce1" office:value-type="float" office:value="0"/><table:table-cell office:value-type="float" office:value="4"><text:p>four</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>',
      'spreadsheet',
    ),
    text: '# A\n\n3.5 | x | 2026-11-30 |  | four',
  },
  'the pronunciation of words in an ODT': {
    name: 'a.odt',
    file: odt(
      '<text:p><text:ruby><text:ruby-base>港</text:ruby-base><text:ruby-text>みなと</text:ruby-text></text:ruby>と</text:p>',
    ),
    text: '港(みなと)と',
  },
  'messages that are attached to messages': {
    name: 'a.eml',
    file: 'From: a@example.com\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee below.\n--x\nContent-Type: message/rfc822\nContent-Disposition: attachment; filename="old.eml"\n\nFrom: b@example.com\nSubject: Old\n\nThe old text.\n--x--',
    text: 'From: a@example.com\n\nSee below.\n\n---\n\nFrom: b@example.com\nSubject: Old\n\nThe old text.',
  },
  'lines of SubStation Alpha without formatting, drawings, comments and repeated layers': {
    name: 'a.ass',
    file: '; made by hand\n[Script Info]\nTitle: no\n\n[Events]\nFormat: Start, Text\nComment: 0:00:00.00,no\nDialogue: 0:00:01.00,{\\an8}One, {\\i1}two{\\i0}\\Nthree\\hfour\nDialogue: 0:00:01.00,{\\an8}One, {\\i1}two{\\i0}\\Nthree\\hfour\nDialogue: 0:00:02.00,{\\p1}m 0 0 l 10 10{\\p0}\n',
    text: 'One, two\nthree four',
    leftOut: times(3),
  },
  'any element of HTML can be hidden': {
    name: 'a.html',
    file: '<html><p>a<code style="display:none">b</code><x-y hidden>c</x-y><wbr hidden>d',
    text: 'ad',
    leftOut: [{ kind: 'hidden', count: 3 }],
  },
  'chapters of an EPUB in the encoding that they declare': {
    name: 'a.epub',
    file: archive({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
      'b.opf': '<package><item id="c" href="c.xhtml"/><itemref idref="c"/></package>',
      'c.xhtml': latin('<?xml version="1.0" encoding="iso-8859-1"?><html><body><p>Gr\xfc\xdfe</p></body></html>'),
    }),
    text: 'Grüße',
  },
  'chapters of an EPUB in the encoding that only their HTML declares': {
    name: 'a.epub',
    file: archive({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
      'b.opf': '<package><item id="c" href="c.xhtml"/><itemref idref="c"/></package>',
      'c.xhtml': latin('<html><head><meta charset="windows-1252"></head><body><p>Gr\xfc\xdfe</p></body></html>'),
    }),
    text: 'Grüße',
  },
  'chapters of an EPUB in UTF-8 that declare the encoding that they had before': {
    name: 'a.epub',
    file: archive({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
      'b.opf': '<package><item id="c" href="c.xhtml"/><itemref idref="c"/></package>',
      'c.xhtml': '<?xml version="1.0" encoding="iso-8859-1"?><html><body><p>Grüße</p></body></html>',
    }),
    text: 'Grüße',
  },
  'XHTML in the encoding that its first line declares': {
    name: 'a.xhtml',
    file: latin('<?xml version="1.0" encoding="iso-8859-2"?><html><p>\xb3\xf3d\xbc</p></html>'),
    text: 'łódź',
  },
  'XML in the encoding that its first line declares': {
    name: 'a.xml',
    file: latin('<?xml version="1.0" encoding="ISO-8859-2"?><a>\xb3\xf3d\xbc</a>'),
    text: '<?xml version="1.0" encoding="ISO-8859-2"?><a>łódź</a>',
  },
  'HTML that calls itself UTF-16, which it is not': {
    name: 'a.html',
    file: latin('<meta charset="utf-16"><p>Gr\xfc\xdfe an alle</p>'),
    text: 'Grüße an alle',
  },
  'centred lines and menus of older HTML': {
    name: 'a.html',
    file: '<center>Title</center><center>Author</center>Text<menu><li>one<li>two</menu>',
    text: 'Title\n\nAuthor\n\nText\n\n- one\n- two',
  },
  'lines of JSON that are notebooks': {
    name: 'a.jsonl',
    file: '{"cells": [{"cell_type": "code"}]}\n{"cells": [{"cell_type": "code"}]}\n',
    text: '{"cells": [{"cell_type": "code"}]}\n{"cells": [{"cell_type": "code"}]}\n',
  },
  'JSON with cells of another kind': {
    name: 'a.json',
    file: '{"cells": [{"cell_type": "prison", "name": "A1"}]}',
    text: '{"cells": [{"cell_type": "prison", "name": "A1"}]}',
  },
  'a notebook under another name': {
    name: 'a.json',
    file: '{"cells": [{"cell_type": "markdown", "source": "one"}]}',
    text: 'one',
  },
  'RTF after a byte order mark and an empty line': { name: 'a.rtf', file: '\ufeff\n{\\rtf1 Krill}', text: 'Krill' },
  'characters that Excel writes by their codes': {
    name: 'a.xlsx',
    file: xlsx(
      '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>x_x0009_y_x0001_</t></is></c><c t="str"><f>A1</f><v>_xD83D__xDE00_</v></c><c t="str"><v>a_x1_b_xyz_</v></c></row>',
      { 'xl/sharedStrings.xml': '<sst><si><r><t>one_x000D_</t></r><r><t>&#10;two_x005F_x0041_</t></r></si></sst>' },
    ),
    text: '# S\n\none two_x0041_ | x\ty | 😀 | a_x1_b_xyz_',
  },
  'a comment of a workbook with characters that Excel writes by their codes': {
    name: 'a.xlsx',
    file: xlsx('<sheetData><row><c r="A1"><v>1</v></c></row></sheetData>', {
      'xl/worksheets/_rels/sheet1.xml.rels':
        '<Relationships><Relationship Id="r1" Type="http://schemas.example/comments" Target="../comments1.xml"/></Relationships>',
      'xl/comments1.xml':
        '<comments><commentList><comment ref="A1"><text><r><t>Anna:_x000D_\nReally?</t></r></text></comment></commentList></comments>',
    }),
    text: '# S\n\n1\n\nA1: Anna:\nReally?',
  },
  'a message whose only text is an invitation': {
    name: 'a.eml',
    file: 'From: a@example.com\nMIME-Version: 1.0\nContent-Type: text/calendar; method=REQUEST\n\nSUMMARY:Quay\n',
    text: 'From: a@example.com\n\nSUMMARY:Quay',
  },
  'a message whose only text is Markdown, beside a file': {
    name: 'a.eml',
    file: 'From: a@example.com\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/markdown\n\n# Quay\n--x\nContent-Type: text/csv\nContent-Disposition: attachment; filename="a.csv"\n\n1,2\n--x--',
    text: 'From: a@example.com\n\n# Quay\n\n[a.csv]',
    leftOut: [{ kind: 'attachment', count: 1 }],
  },
  'chapters of an EPUB whose names are written in other ways': {
    name: 'a.epub',
    file: archive({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="b.opf"/></container>',
      'b.opf':
        '<package><item id="a" href="chapter.xhtml"/><item id="b" href="%C3%BC.xhtml#start"/><itemref idref="a"/><itemref idref="b"/></package>',
      'Chapter.xhtml': '<p>one</p>',
      'u\u0308.xhtml': '<p>two</p>',
    }),
    text: 'one\n\ntwo',
  },
  'rows of an RTF table that have no definition of their own': {
    name: 'a.rtf',
    file: latin(
      String.raw`{\rtf1 Title\par\pard\intbl a\cell b\cell\row\pard\intbl c{\footnote Note}\cell d\cell\row\pard end\par}`,
    ),
    text: 'Title\n\na | b\nc [1] | d\nend\n\n[1] Note',
  },
  'the text of a shape of an RTF, without its properties': {
    name: 'a.rtf',
    file: latin(
      String.raw`{\rtf1{\shp{\*\shpinst\shpleft10{\sp{\sn shapeType}{\sv 202}}{\sp{\sn pib}{\sv {\pict ff}}}{\shptxt Box\par}}}after}`,
    ),
    text: 'Box\n\nafter',
    leftOut: [{ kind: 'image', count: 1 }],
  },
  'a book whose package is named from the root': {
    name: 'a.epub',
    file: archive({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfile full-path="/a/b.opf"/></container>',
      'a/b.opf': '<package><item id="c" href="c.xhtml"/><itemref idref="c"/></package>',
      'a/c.xhtml': '<p>one</p>',
    }),
    text: 'one',
  },
  'an RTF of MS-DOS': { name: 'a.rtf', file: latin("{\\rtf1\\pc Gr\\'81\\'e1e \x84}"), text: 'Grüße ä' },
  'an RTF in the code page 850': { name: 'a.rtf', file: latin("{\\rtf1\\ansi\\ansicpg850 \\'9b}"), text: 'ø' },
  'lines of preformatted HTML that only carriage returns end': {
    name: 'a.html',
    file: '<html><pre>one\r  two\r\nthree</pre>',
    text: 'one\n  two\nthree',
  },
  'a screen that is erased from the cursor': {
    name: 'a.log',
    file: 'line one\nline two\n\u001b[2A\u001b[Jnew',
    text: 'new',
    leftOut: [{ kind: 'overwritten', count: 2 }],
  },
  'a screen that is erased and written again': {
    name: 'a.log',
    file: 'one\ntwo\nthree\u001b[H\u001b[2Jnew\u001b[3;2Hend',
    text: 'new\n\n end',
    leftOut: [{ kind: 'overwritten', count: 3 }],
  },
  'a progress bar before other words, beside lines of an old Macintosh': {
    name: 'a.log',
    file: 'Downloading 1%\rDownloading 50%\rDownloading 100%\rFinished all\nname,city\rAnna,Oslo\n',
    text: 'Downloading 100%\nFinished all\nname,city\nAnna,Oslo\n',
    leftOut: [{ kind: 'overwritten', count: 2 }],
  },
  'an emoji that is overwritten': {
    name: 'a.log',
    file: '\u001b[0m🚀🚀 go\rx',
    text: 'x🚀 go',
    leftOut: [{ kind: 'overwritten', count: 1 }],
  },
  'control sequences of one byte': { name: 'a.log', file: '\u009b31mred\u009b0m', text: 'red' },
  'code with a fence in a notebook': {
    name: 'a.ipynb',
    file: JSON.stringify({ cells: [{ cell_type: 'code', source: 'print("""\n```\n""")', outputs: [] }] }),
    text: '````\nprint("""\n```\n""")\n````',
  },
  'a formula of a notebook': { name: 'a.ipynb', file: output({ 'text/latex': ['$x^2$'] }), text: '$x^2$' },
  'JSON of a notebook': { name: 'a.ipynb', file: output({ 'application/json': { a: [1] } }), text: '{"a":[1]}' },
  'HTML beside a picture of a notebook': {
    name: 'a.ipynb',
    file: output({ 'image/png': 'x', 'text/html': '<b>Sum</b>', 'text/plain': '<Figure size 1x1>' }),
    text: 'Sum',
    leftOut: [{ kind: 'image', count: 1 }],
  },
  'other outputs of a notebook are counted': {
    name: 'a.ipynb',
    file: JSON.stringify({
      cells: [
        { cell_type: 'markdown', source: 'x' },
        { cell_type: 'code', source: '', outputs: [{ output_type: 'display_data', data: { 'application/x': '1' } }] },
      ],
    }),
    text: 'x',
    leftOut: [{ kind: 'object', count: 1 }],
  },
  'East Asian characters of an RTF whose second byte is written as a letter or brace': {
    name: 'a.rtf',
    file: latin(String.raw`{\rtf1\ansi{\fonttbl{\f0\fcharset128 M;}}\f0 \'83e\'83X\'83g ok \'83\{}`),
    text: 'テスト ok ボ',
  },
  'a text that an RTF has without and with Unicode is read once': {
    name: 'a.rtf',
    file: latin(String.raw`{\rtf1\ansi a {\upr{Stra?e}{\*\ud{Stra\u223?e}}} b}`),
    text: 'a Straße b',
  },
};

test.each(Object.entries(DETAILS))('%s', async (_, { name, file, text, leftOut = [] }) => {
  expect(await read(name, file)).toEqual([text, leftOut]);
});

test('large cells that an ODS repeats are copied until the text is full', async () => {
  const cell = `<table:table-cell table:number-columns-repeated="100"><text:p>${'word '.repeat(60_000)}</text:p></table:table-cell>`;
  const row = `<table:table-row table:number-rows-repeated="100">${cell}</table:table-row>`;
  const file = openDocument(
    `<office:body><office:spreadsheet><table:table table:name="A">${row.repeat(2)}</table:table></office:spreadsheet></office:body>`,
    'spreadsheet',
  );
  const options = { name: 'a.ods', most: 1_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  const { text, isCut } = await readDocument(new Blob([file]), options);
  expect([text.length, isCut]).toEqual([1_000_000, true]);
});
