import { expect, test } from 'vitest';
import { readDocument } from '../../src/document-reader/read-document.ts';

const read = (mailbox: string) =>
  readDocument(new Blob([mailbox]), {
    name: 'a.mbox',
    most: 4_000_000,
    largest: 50_000_000,
    languages: ['en'],
    pageTime: 60_000,
  });

const message = (subject: string, text: string) =>
  `From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\nSubject: ${subject}\n\n${text}\n\n`;

const shown = (subject: string, text: string) => `From: a@example.org\nSubject: ${subject}\n\n${text}`;

test.each([
  ['with words after it', 'One.\n\nFrom now on we meet daily.\nBring tea.\n\nBye.'],
  ['that is the last one', 'One.\n\nFrom the desk of Bo.'],
  ['with a colon in the next line', 'One.\n\nFrom here we go on:\nOslo, Bergen: by train.'],
  ['with lines that end as on Windows', 'One.\n\nFrom the desk of Bo.'],
])('a paragraph of a message that begins with "From", %s, stays in it', async (name, text) => {
  const mailbox = message('First', text) + message('Second', 'Two.');
  const given = name.endsWith('Windows') ? mailbox.replaceAll('\n', '\r\n') : mailbox;
  expect((await read(given)).text).toBe(`${shown('First', text)}\n\n---\n\n${shown('Second', 'Two.')}`);
});

test('of a mailbox with too many messages the first ones are read, and the text is told as cut', async () => {
  const { text, isCut } = await read(Array.from({ length: 5002 }, (_, index) => message(`${index}`, 'Text.')).join(''));
  const last = `---\n\n${shown('4999', 'Text.')}`;
  expect([text.slice(-last.length), isCut]).toEqual([last, true]);
});
