import { expect, test } from 'vitest';
import type { LeftOut } from '../../src/shared/documents/document-reading.ts';
import { readDocument } from '../../src/document-reader/read-document.ts';
import {
  archive,
  docx,
  formatted,
  latin,
  OFFICE,
  openDocument,
  p,
  r,
  slides,
  xlsx,
} from '../support/samples/documents.ts';

const TABLE_CELL = (text: string): string => `<w:tc>${p(text)}</w:tc>`;

interface Kind {
  readonly name: string;
  readonly file: string | Uint8Array<ArrayBuffer>;
  readonly text: string;
  readonly leftOut?: readonly LeftOut[];
}

const KINDS: Readonly<Record<string, Kind>> = {
  'deleted and hidden text of a DOCX is left out': {
    name: 'a.docx',
    file: docx(
      `<w:p>${r('one ')}<w:del><w:r><w:delText>two</w:delText></w:r></w:del>${r('three', '<w:vanish/>')}${r('four')}</w:p>`,
    ),
    text: 'one four',
    leftOut: [{ kind: 'hidden', count: 1 }],
  },
  'a tracked change of formatting in a DOCX leaves the present formatting': {
    name: 'a.docx',
    file: docx(
      [
        p('Now body', '<w:pStyle w:val="B"/><w:pPrChange><w:pPr><w:pStyle w:val="H"/></w:pPr></w:pPrChange>'),
        p('Now no item', '<w:pPrChange><w:pPr><w:numPr><w:numId w:val="7"/></w:numPr></w:pPr></w:pPrChange>'),
        `<w:p>${r('10 m', '<w:rPrChange><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:rPrChange>')}${r(' now shown', '<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>')}${r(' now hidden', '<w:vanish/><w:rPrChange><w:rPr><w:vanish w:val="0"/></w:rPr></w:rPrChange>')}</w:p>`,
        p('A style', '<w:pStyle w:val="S"/>'),
      ].join(''),
      {
        'styles.xml':
          '<w:styles><w:style w:styleId="H"><w:name w:val="heading 1"/></w:style><w:style w:styleId="B"><w:name w:val="Body"/></w:style><w:style w:styleId="S"><w:name w:val="S"/><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr></w:style></w:styles>',
        'numbering.xml':
          '<w:numbering><w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>',
      },
    ),
    text: 'Now body\n\nNow no item\n\n10 m now shown\n\nA style',
    leftOut: [{ kind: 'hidden', count: 1 }],
  },
  'text that a style of a DOCX hides, or the style on which it is based, is left out': {
    name: 'a.docx',
    file: docx(`${p('a', '<w:pStyle w:val="C"/>')}<w:p>${r('b')}${r('c', '<w:rStyle w:val="C"/>')}</w:p>`, {
      'styles.xml':
        '<w:styles><w:style w:styleId="P"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="C"><w:basedOn w:val="P"/></w:style></w:styles>',
    }),
    text: 'b',
    leftOut: [{ kind: 'hidden', count: 2 }],
  },
  'a text box, which a DOCX stores twice, is read once': {
    name: 'a.docx',
    file: docx(
      `<w:p>${r('before')}<w:r><mc:AlternateContent><mc:Choice><wps:txbx><w:txbxContent>${p('boxed')}</w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><w:txbxContent>${p('boxed')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>${p('after')}`,
    ),
    text: 'before\n\nboxed\n\nafter',
  },
  'labels of lists in a DOCX are counted by level': {
    name: 'a.docx',
    file: docx(
      [
        ['One', 0],
        ['Two', 0],
        ['Inner', 1],
        ['Three', 0],
      ]
        .map(([text, level]) => p(String(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="7"/></w:numPr>`))
        .join(''),
      {
        'numbering.xml':
          '<w:numbering><w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:start w:val="4"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>',
      },
    ),
    text: 'IV. One\nV. Two\n  V.a) Inner\nVI. Three',
  },
  'comments and footnotes of a DOCX follow its text': {
    name: 'a.docx',
    file: docx(
      `<w:p>${r('Text')}<w:r><w:footnoteReference w:id="2"/></w:r>${r(' goes on')}<w:r><w:commentReference w:id="0"/></w:r></w:p>`,
      {
        'footnotes.xml': `<w:footnotes><w:footnote w:id="-1">${p('line')}</w:footnote><w:footnote w:id="2">${p('A note')}</w:footnote></w:footnotes>`,
        'comments.xml': `<w:comments><w:comment w:id="0" w:author="Anna">${p('Really?')}</w:comment></w:comments>`,
      },
    ),
    text: 'Text [1] goes on [2]\n\n[1] A note\n[2] Anna: Really?',
  },
  'replies to a comment of a DOCX, which have no mark, follow the others': {
    name: 'a.docx',
    file: docx(`<w:p>${r('Text')}<w:r><w:commentReference w:id="0"/></w:r></w:p>`, {
      'comments.xml': `<w:comments><w:comment w:id="0" w:author="Anna">${p('Really?')}</w:comment><w:comment w:id="1" w:author="Bo">${p('Yes.')}</w:comment></w:comments>`,
    }),
    text: 'Text [1]\n\n[1] Anna: Really?\nBo: Yes.',
  },
  'a DOCX shows sums, roots and brackets of its formulas': {
    name: 'a.docx',
    file: docx(
      '<w:p><m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:e><m:r><m:t>k</m:t></m:r></m:e></m:nary><m:rad><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad><m:d><m:dPr><m:endChr m:val="]"/></m:dPr><m:e><m:r><m:t>y</m:t></m:r></m:e></m:d></m:oMath></w:p>',
    ),
    text: '∑k√(x)(y]',
  },
  'lines that TextEdit ends by a backslash are lines': {
    name: 'a.rtf',
    file: '{\\rtf1\\ansi\\cocoartf2709 One\\\n\\\r\nTwo}',
    text: 'One\n\nTwo',
  },
  'a message of Apple Mail has a number above it and properties below it': {
    name: 'a.emlx',
    file: `${'From: a@b.org\r\nSubject: x\r\n\r\nBody'.length}\nFrom: a@b.org\r\nSubject: x\r\n\r\nBody<?xml version="1.0"?><plist></plist>`,
    text: 'From: a@b.org\nSubject: x\n\nBody',
  },
  'tables of a DOCX are read row by row, also within a cell': {
    name: 'a.docx',
    file: docx(
      `<w:tbl><w:tr>${TABLE_CELL('a')}${TABLE_CELL('b')}</w:tr><w:tr><w:tc>${p('c')}<w:tbl><w:tr>${TABLE_CELL('in')}${TABLE_CELL('ner')}</w:tr></w:tbl></w:tc>${TABLE_CELL('d')}</w:tr></w:tbl>`,
    ),
    text: 'a | b\nc in | ner | d',
  },
  'pictures and charts of a DOCX are counted, and their descriptions read': {
    name: 'a.docx',
    file: docx(
      `<w:p>${r('See')}<w:r><w:drawing><wp:docPr descr="A quay"/><pic:pic/></w:drawing></w:r><w:r><w:drawing><c:chart/></w:drawing></w:r></w:p>`,
    ),
    text: 'See [A quay]',
    leftOut: [
      { kind: 'image', count: 1 },
      { kind: 'chart', count: 1 },
    ],
  },
  'tabs and line breaks of a DOCX separate words, tab stops do not': {
    name: 'a.docx',
    file: docx(
      '<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>',
    ),
    text: 'a\tb\nc',
  },
  'shared strings without pronunciation, booleans, errors and text results of an XLSX': {
    name: 'a.xlsx',
    file: xlsx(
      '<sheetData><row><c t="s"><v>0</v></c><c t="b"><v>1</v></c><c t="e"><v>#DIV/0!</v></c><c t="str"><f>A1</f><v>x</v></c><c t="inlineStr"><is><t>in</t></is></c></row></sheetData>',
      { 'xl/sharedStrings.xml': '<sst><si><r><t>東</t></r><r><t>京</t></r><rPh><t>トウキョウ</t></rPh></si></sst>' },
    ),
    text: '# S\n\n東京 | TRUE | #DIV/0! | x | in',
  },
  'a formula of an XLSX whose result is an empty text shows nothing, and one without result itself': {
    name: 'a.xlsx',
    file: xlsx(
      '<sheetData><row><c t="str"><f>IF(D1="","",D1*2)</f><v></v></c><c t="str"><f>D1</f></c></row><row><c><v>5</v></c><c t="str"><f>D1</f><v/></c><c><f>A2*2</f><v></v></c><c><f>A2*3</f></c></row></sheetData>',
    ),
    text: '# S\n\n5 |  | =A2*2 | =A2*3',
    leftOut: [{ kind: 'formula', count: 2 }],
  },
  'empty cells of an XLSX keep the columns, and hidden rows and columns are left out': {
    name: 'a.xlsx',
    file: xlsx(
      '<cols><col min="2" max="2" hidden="1"/></cols><sheetData><row><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c><c r="E1"><v>5</v></c></row><row hidden="1"><c r="A2"><v>9</v></c></row></sheetData>',
    ),
    text: '# S\n\n1 |  |  | 5',
    leftOut: [{ kind: 'hidden', count: 2 }],
  },
  'dates that count from 1904': {
    name: 'a.xlsx',
    file: xlsx(
      '<sheetData><row><c s="0"><v>0</v></c></row></sheetData>',
      { 'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>' },
      '<workbookPr date1904="1"/>',
    ),
    text: '# S\n\n1904-01-01',
  },
  ...Object.fromEntries(
    (
      [
        ['0.256', '0.0%', '25.6%'],
        ['1234567', '#,##0', '1,234,567'],
        ['-5', '#,##0.00;(#,##0.00)', '(5.00)'],
        ['0', '0;-0;"none"', 'none'],
        ['12', '[$€-407] #,##0.00', '€ 12.00'],
        ['7', '000', '007'],
        ['1500000', '0.0,,"M"', '1.5M'],
        ['12345', '0.00E+00', '1.23E+04'],
        ['45000.75', 'd. mmm yyyy hh:mm', '15. Mar 2023 18:00'],
        ['45000.5', 'yyyy-mm-dd"T"hh:mm:ss', '2023-03-15T12:00:00'],
        ['1.5', '[h]:mm', '36:00'],
        // Sums of times, which are a little less than the time for which they stand.
        ['1.1666666666666665', '[h]:mm', '28:00'],
        ['0.041666666666666664', '[m]:ss', '60:00'],
        ['0.04861111111111110', '[m]:ss', '70:00'],
        ['-0.0625', '[h]:mm', '-1:30'],
        ['-0.00000000000000001', '[h]:mm', '0:00'],
        ['0.0625', '[hh]:mm', '01:30'],
        ['0.000462962962962963', '[ss]', '40'],
        ['0.0010474537037037037', '[s].00', '90.50'],
        ['0.999999', '[h]:mm:ss', '24:00:00'],
        ['0.9999', '[h]:mm', '23:59'],
        ['45000.999999', 'yyyy-mm-dd hh:mm:ss', '2023-03-16 00:00:00'],
        ['0.00012152777777777778', 'mm:ss.0', '00:10.5'],
        ['0.285', '0%', '29%'],
        ['0.565', '0%', '57%'],
        ['-0.00285', '0.0%', '-0.3%'],
        ['1.0049999999999999', '0.00', '1.01'],
        ['1234567890123456', '0', '1234567890123456'],
        ['0.30000000000000004', 'General', '0.3'],
      ] as const
    ).map(([value, format, shown]): [string, Kind] => [
      `${value} in the format ${format}`,
      { name: 'a.xlsx', file: formatted(value, format), text: `# S\n\n${shown}` },
    ]),
  ),
  'hidden slides are left out, and tables of slides read': {
    name: 'a.pptx',
    file: slides(
      '<p:sld><p:sp><a:p><a:r><a:t>Shown</a:t></a:r></a:p></p:sp><a:tbl><a:tr><a:tc><a:p><a:r><a:t>a</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>b</a:t></a:r></a:p></a:tc></a:tr></a:tbl></p:sld>',
      '<p:sld show="0"><p:sp><a:p><a:r><a:t>Hidden</a:t></a:r></a:p></p:sp></p:sld>',
    ),
    text: '# 1\n\nShown\n\na | b',
    leftOut: [{ kind: 'hidden', count: 1 }],
  },
  'hidden sheets of an ODS are left out': {
    name: 'a.ods',
    file: openDocument(
      '<office:automatic-styles><style:style style:name="h"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet><table:table table:name="A"><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table><table:table table:name="B" table:style-name="h"><table:table-row><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>',
      'spreadsheet',
    ),
    text: '# A\n\nx',
    leftOut: [{ kind: 'hidden', count: 1 }],
  },
  'hidden columns of an ODS are left out, also where cells and columns are repeated': {
    name: 'a.ods',
    file: openDocument(
      '<office:body><office:spreadsheet><table:table table:name="A"><table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/><table:table-column/><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>secret</text:p></table:table-cell><table:covered-table-cell/><table:table-cell><text:p>d</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell table:number-columns-repeated="3"><text:p>x</text:p></table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>',
      'spreadsheet',
    ),
    text: '# A\n\na | d\nx | y',
    leftOut: [{ kind: 'hidden', count: 1 }],
  },
  'hidden sections, paragraphs and words of an ODT are left out': {
    name: 'a.odt',
    file: openDocument(
      '<office:automatic-styles><style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style></office:automatic-styles><office:body><office:text><text:section text:display="none"><text:p>hidden section</text:p></text:section><text:section><text:p>Shown <text:span text:style-name="T1">hidden words </text:span>end</text:p></text:section><text:p text:style-name="T1">hidden paragraph</text:p></office:text></office:body>',
    ),
    text: 'Shown end',
    leftOut: [{ kind: 'hidden', count: 3 }],
  },
  'footnotes, comments, spaces and deleted text of an ODT': {
    name: 'a.odt',
    file: openDocument(
      '<office:body><office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>one<text:s text:c="2"/>two<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note</text:p></text:note-body></text:note><office:annotation><dc:creator>Anna</dc:creator><dc:date>2026</dc:date><text:p>Really?</text:p></office:annotation></text:p></office:text></office:body>',
    ),
    text: 'one  two [1] [2]\n[1] A note\n[2] Anna: Really?',
  },
  'a chart of an ODT is counted once': {
    name: 'a.odt',
    file: archive({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml':
        '<office:body><text:p>a<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/1"/></draw:frame></text:p></office:body>',
      'Object 1/content.xml': '<office:document-content><office:chart/></office:document-content>',
    }),
    text: 'a',
    leftOut: [{ kind: 'chart', count: 1 }],
  },
  'characters of an RTF in its code page, in that of a font, and in Unicode': {
    name: 'a.rtf',
    file: latin(
      String.raw`{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial;}}Gr\'fc\'dfe {\f1 \'cf\'ee\'f0\'f2} \u28207?\u21475? \emdash  \{x\}\par next}`,
    ),
    text: 'Grüße Порт 港口 — {x}\nnext',
  },
  'hidden text, pictures and tables of an RTF': {
    name: 'a.rtf',
    file: latin(
      String.raw`{\rtf1 a{\v secret}{\pict ffd8ffe0}{\*\unknown x}\par\trowd\cellx1\cellx2 b\cell c\cell\row\trowd d\cell e\cell\row\pard f{\footnote Note}}`,
    ),
    text: 'a\n\nb | c\nd | e\nf [1]\n\n[1] Note',
    leftOut: [
      { kind: 'hidden', count: 1 },
      { kind: 'image', count: 1 },
    ],
  },
  'scripts, hidden parts and pictures of HTML': {
    name: 'a.html',
    file: '<!doctype html><title>T</title><style>p{}</style><p>one &amp; two<br>three<script>x()</script><p style="color:red;display: none">no<img src=x alt="A quay"><div hidden>no</div>',
    text: 'T\n\none & two\nthree',
    leftOut: [
      { kind: 'script', count: 1 },
      { kind: 'hidden', count: 2 },
    ],
  },
  'lists, preformatted text and forms of HTML': {
    name: 'a.html',
    file: '<html><body><ol start=3><li>c<li>d</ol><ul><li>e</ul><pre>x\n  y</pre><input value="v"><input type=password value="p"><input type=checkbox checked> on',
    text: '3. c\n4. d\n\n- e\n\nx\n  y\n\nv [x] on',
  },
  'comments in preformatted text of HTML, which are no headings': {
    name: 'a.html',
    file: '<html><body><h1>Setup</h1><pre>\n# Install it\napt install nut\n</pre><p>done<pre># ```</pre>',
    text: '# Setup\n\n```\n# Install it\napt install nut\n```\n\ndone\n\n~~~~\n# ```\n~~~~',
  },
  'a layout table of HTML is read as paragraphs': {
    name: 'a.html',
    file: `<html><table><tr><td>${'<p>A long paragraph of a mail. </p>'.repeat(20)}<td>side</table>`,
    text: `${'A long paragraph of a mail.\n\n'.repeat(20).trimEnd()}\nside`,
  },
  'HTML in the encoding that it declares': {
    name: 'a.html',
    file: latin('<html><meta charset="windows-1251"><p>\xcf\xee\xf0\xf2'),
    text: 'Порт',
  },
  'HTML without an ending, by its content': { name: 'page', file: '\n<!-- saved -->\n<HTML><BODY>Text', text: 'Text' },
  'a message with encoded headers, and its attached files by name': {
    name: 'a.eml',
    file: 'From: =?utf-8?B?w4VzZQ==?= <a@example.com>\r\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nSch=C3=B6ne Zeile, die =\r\nweitergeht\r\n--x\r\nContent-Type: image/png; name="quay.png"\r\nContent-Disposition: attachment; filename="quay.png"\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--x--',
    text: 'From: Åse <a@example.com>\nSubject: Grüße\n\nSchöne Zeile, die weitergeht\n\n[quay.png]',
    leftOut: [{ kind: 'image', count: 1 }],
  },
  'a page that a browser saved as one file': {
    name: 'a.mhtml',
    file: 'From: <Saved by Blink>\r\nSubject: Quay\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p class=3D"a">The quay</p>\r\n--x--',
    text: 'From: Saved by Blink\nSubject: Quay\n\nThe quay',
  },
  'a memo that looks like a message stays as it is': {
    name: 'memo.txt',
    file: 'From: Anna\nTo: Ole\nSubject: Quay\n\nCome.\n',
    text: 'From: Anna\nTo: Ole\nSubject: Quay\n\nCome.\n',
  },
  'pictures that are written into a text': {
    name: 'a.md',
    file: `# A\n\n![quay](data:image/png;base64,${'iVBO'.repeat(100)})\nend`,
    text: '# A\n\n![quay]([image])\nend',
    leftOut: [{ kind: 'image', count: 1 }],
  },
  'the last state of a line that a carriage return overwrites': {
    name: 'a.txt',
    file: 'Start\n 10% done\r 50% done\r100% done\nEnd\n',
    text: 'Start\n100% done\nEnd\n',
    leftOut: [{ kind: 'overwritten', count: 2 }],
  },
  'several progress bars that are moved by the cursor': {
    name: 'a.log',
    file: 'a: 1\nb: 1\n\u001b[2A\u001b[2Ka: 2\n\u001b[2Kb: 2\n',
    text: 'a: 2\nb: 2\n',
    leftOut: [{ kind: 'overwritten', count: 2 }],
  },
  'links, titles and backspaces of a terminal': {
    name: 'a.log',
    file: '\u001b]0;title\u0007\u001b]8;;https://example.com\u001b\\link\u001b]8;;\u001b\\ \u001b[38;5;1mN\bNA\bA\u001b[0m',
    text: 'link NA',
  },
  'subtitles with positions, speakers and scrolling lines': {
    name: 'a.vtt',
    file: 'WEBVTT - x\n\nNOTE hidden\n\nSTYLE\n::cue {}\n\n1\n00:01.000 --> 00:02.000 align:start\n<v.loud Anna>Hello <c.red>you</c> &amp; me\n\n00:02.000 --> 00:03.000\n<v.loud Anna>Hello <c.red>you</c> &amp; me\nand<00:02.500> now',
    text: 'Anna: Hello you & me\nand now',
    leftOut: [{ kind: 'time', count: 2 }],
  },
};

test.each(Object.entries(KINDS))('%s', async (_, { name, file, text, leftOut = [] }) => {
  const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  const read = await readDocument(new Blob([file]), options);
  expect({ text: read.text, leftOut: read.leftOut }).toEqual({ text, leftOut });
});

const EPUB = {
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfile full-path="a/b.opf"/></container>',
  'a/b.opf': '<package><item id="c" href="c%201.xhtml"/><itemref idref="c"/></package>',
  'a/c 1.xhtml': '<html><title>no</title><body><p>Chapter</p></body></html>',
};

const ODT = { mimetype: 'application/vnd.oasis.opendocument.text' };

const encrypted = (path: string): string =>
  `<manifest:manifest><manifest:file-entry manifest:full-path="/"/><manifest:file-entry manifest:full-path="${path}"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`;

test.each([
  [
    'an EPUB with encrypted chapters',
    archive({ ...EPUB, 'META-INF/encryption.xml': '<e><CipherReference URI="a/c%201.xhtml"/></e>' }),
    'locked',
  ],
  [
    'an ODT with a password',
    archive({ ...ODT, 'content.xml': latin('\x9a\x01\xfe'), 'META-INF/manifest.xml': encrypted('content.xml') }),
    'locked',
  ],
  [
    'an ODS with a password, as LibreOffice writes it since version 24.8',
    archive({ ...ODT, 'encrypted-package': 'x', 'META-INF/manifest.xml': encrypted('encrypted-package') }),
    'locked',
  ],
  ['an ODF package without content', archive(ODT), 'unknownFormat'],
  ['an Office file from before 2007', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), 'oldOffice'],
  ['an archive of other files', archive({ 'a.txt': 'text' }), 'archive'],
  ['a binary workbook', archive({ ...OFFICE, 'xl/workbook.bin': 'x' }), 'unknownFormat'],
  ['half an archive', archive({ ...EPUB }).slice(0, 200), 'damaged'],
  ['a document of pictures only', docx('<w:p><w:r><w:drawing><pic:pic/></w:drawing></w:r></w:p>'), 'noText'],
  ['a program', latin(`\x7fELF\x02\x01\x01${'\0\x01\x02\x03text'.repeat(100)}`), 'notText'],
] as const)('%s is refused with a reason', async (_, file, problem) => {
  const options = { name: 'a.zip', most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  await expect(readDocument(new Blob([file]), options)).rejects.toMatchObject({ problem });
  const epub = await readDocument(new Blob([archive(EPUB)]), options);
  expect(epub.text).toBe('Chapter');
});

test('a document whose archive has no names of a document is called damaged', async () => {
  const options = { name: 'a.docx', most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  const file = new Blob([archive({ '\u0001\ufffd': 'x' })]);
  await expect(readDocument(file, options)).rejects.toMatchObject({ problem: 'damaged' });
});
