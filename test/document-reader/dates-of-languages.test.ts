import { expect, onTestFinished, test, vi } from 'vitest';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { formatted, xlsx } from '../support/samples/documents.ts';

async function shown(file: Uint8Array<ArrayBuffer>): Promise<string> {
  const options = { name: 'a.xlsx', most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  return (await readDocument(new Blob([file]), options)).text.replace('# S\n\n', '');
}

test.each([
  ['[$-407]d\\.\\ mmmm\\ yyyy;@', '15. März 2023'],
  ['[$-de-DE]dddd, d. mmmm yyyy', 'Mittwoch, 15. März 2023'],
  ['[$-40C]mmmm yyyy', 'mars 2023'],
  ['[$-FC19]dd\\ mmmm\\ yyyy', '15 марта 2023'],
  ['[$-419]mmmm yyyy', 'март 2023'],
  ['[$-804]yyyy"年"m"月"d"日"\\ aaaa;@', '2023年3月15日 星期三'],
  ['[$-411]aaaa', '水曜日'],
  ['yyyy/m/d(aaa)', '2023/3/15(Wed)'],
  ['[$-411]ggge"年"m"月"d"日";@', '令和5年3月15日'],
  ['ggge"年"', '令和5年'],
  ['[$-411]ge.m.d', 'R5.3.15'],
  ['[$-404]e/m/d;@', '112/3/15'],
  ['e"年"m"月"', '2023年3月'],
  ['上午/下午h"时"mm"分"', '下午2时24分'],
  ['[$-41E]d/m/bbbb', '15/3/2566'],
  ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'Wednesday, March 15, 2023'],
  ['[$-409]d-mmm-yy', '15-Mar-23'],
  ['[$-zz-ZZ]mmmm', 'March'],
  ['[$-ZZZZ]mmmm', 'March'],
])('a day in the format %s is %s', async (format, expected) => {
  expect(await shown(formatted('45000.6', format))).toBe(expected);
});

test('names of months and days in a language that a German browser does not know are English', async () => {
  const { DateTimeFormat } = Intl;
  const german = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function format(languages, options) {
    return new DateTimeFormat([...DateTimeFormat.supportedLocalesOf(languages), 'de'], options);
  });
  onTestFinished(() => german.mockRestore());
  expect(await shown(formatted('45000.6', '[$-qq-QQ]dddd, d mmmm'))).toBe('Wednesday, 15 March');
});

test.each([
  ['12345', '0.00E+00', '1.23E+04'],
  ['12', '0" eggs"', '12 eggs'],
  ['7', 'General"g"', '7g'],
])('%s in the format %s is the number %s', async (value, format, expected) => {
  expect(await shown(formatted(value, format))).toBe(expected);
});

test.each<readonly [id: number, value: string, expected: string]>([
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58, 34, 35, 55, 56].map(
    (id) => [id, '45000', '2023-03-15'] as const,
  ),
  [32, '0.6', '14:24'],
  [33, '0.6', '14:24:00'],
  ...[34, 35, 55, 56].map((id) => [id, '0.6', '14:24:00'] as const),
])(
  'a cell in the format that East Asian programs know by the number %s shows %s as %s',
  async (id, value, expected) => {
    const styles = `<styleSheet><cellXfs><xf numFmtId="${id}"/></cellXfs></styleSheet>`;
    const file = xlsx(`<sheetData><row><c s="0"><v>${value}</v></c></row></sheetData>`, { 'xl/styles.xml': styles });
    expect(await shown(file)).toBe(expected);
  },
);
