import { expect, test } from 'vitest';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { latin } from '../support/samples/documents.ts';

async function read(message: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const options = { name: 'a.eml', most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  return (await readDocument(new Blob([message]), options)).text;
}

/** Each character is a byte. */
const UTF8 = 'Gr\xc3\xbc\xc3\x9fe vom Caf\xc3\xa9';
const LATIN1 = 'Gr\xfc\xdfe vom Caf\xe9';
const WORDS = 'Grüße vom Café';

const message = (type: string, body: string) =>
  latin(`From: anna@example.com\r\nSubject: Quay\r\nMIME-Version: 1.0\r\n${type}\r\n${body}\r\n`);

test.each([
  ['no type', '', LATIN1],
  ['no type, in UTF-8', '', UTF8],
  ['no encoding', 'Content-Type: text/plain\r\n', LATIN1],
  ['no encoding, in UTF-8', 'Content-Type: text/plain\r\n', UTF8],
  ['ASCII', 'Content-Type: text/plain; charset=us-ascii\r\n', LATIN1],
  ['ASCII, in UTF-8', 'Content-Type: text/plain; charset="US-ASCII"\r\n', UTF8],
  ['UTF-8, in another encoding', 'Content-Type: text/plain; charset=utf-8\r\n', LATIN1],
  ['a name that nobody knows', 'Content-Type: text/plain; charset=x-printer-7\r\n', LATIN1],
  ['a name that nobody knows, in UTF-8', 'Content-Type: text/plain; charset=x-printer-7\r\n', UTF8],
  ['a name in quotes and another case', 'Content-Type: text/plain; charset="ISO-8859-1"\r\n', LATIN1],
  ['a name in single quotes', "Content-Type: text/plain; charset='iso-8859-1'\r\n", LATIN1],
  ['UTF-8 in another case', 'Content-Type: TEXT/PLAIN; CHARSET=Utf8\r\n', UTF8],
  [
    'no encoding, quoted',
    'Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n',
    'Gr=FC=DFe vom Caf=E9',
  ],
  ['no encoding, in base64', 'Content-Transfer-Encoding: base64\r\n', btoa(LATIN1)],
  ['no encoding of its part', 'Content-Type: multipart/mixed; boundary=x\r\n', `--x\r\n\r\n${LATIN1}\r\n--x--`],
  ['no encoding of HTML', 'Content-Type: text/html\r\n', `<p>${LATIN1}</p>`],
  ['an encoding in its HTML only', 'Content-Type: text/html\r\n', `<meta charset="iso-8859-9"><p>${LATIN1}</p>`],
])('the text of a message is read that declares %s', async (_, type, body) => {
  expect(await read(message(type, body))).toBe(`From: anna@example.com\nSubject: Quay\n\n${WORDS}`);
});

test('an encoding that a part declares holds for this part only', async () => {
  const parts = [
    `Content-Type: text/plain; charset=iso-8859-7\r\n\r\n\xca\xe1\xeb\xe7\xec\xdd\xf1\xe1`,
    `Content-Type: text/plain; charset=koi8-r\r\n\r\n\xf0\xd2\xc9\xd7\xc5\xd4`,
    `\r\n${LATIN1}`,
  ];
  const body = `${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--`;
  const text = await read(message('Content-Type: multipart/mixed; boundary=x\r\n', body));
  expect(text).toMatch(new RegExp(`Καλημέρα\\s+Привет\\s+${WORDS}`));
});

test.each([
  ['another encoding', LATIN1],
  ['UTF-8', UTF8],
])('words of headers that are not encoded are read in %s', async (_, words) => {
  const headers = `From: ${words} <anna@example.com>\r\nSubject: ${words}\r\n folded ${words}\r\n`;
  const attached = `--x\r\nContent-Disposition: attachment; filename="${words}.bin"\r\n\r\nx\r\n--x--`;
  const text = await read(
    latin(`${headers}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${attached}`),
  );
  expect(text).toContain(`From: ${WORDS} <anna@example.com>`);
  expect(text).toContain(`Subject: ${WORDS} folded ${WORDS}`);
  expect(text).toContain(`[${WORDS}.bin]`);
});

test('a message in Japanese without a name of its encoding is read', async () => {
  expect(await read(message('', '\u001b$B$3$s$K$A$O\u001b(B'))).toContain('こんにちは');
});
