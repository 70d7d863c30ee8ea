import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { decodeText } from '../../../src/chat/attachments/decode-text.ts';

/** The bytes of a text in an encoding that browsers can only read. */
function encode(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(execFileSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text }));
}

const CHINESE = '春天来了，公园里的花都开了。我们周末去看花，带上孩子和午饭。';
const TRADITIONAL = '春天來了，公園裡的花都開了。我們週末去看花，帶上孩子和午飯。';
const JAPANESE = '春が来て、公園の花が咲きました。週末に子どもと弁当を持って見に行きます。';
const KOREAN = '봄이 와서 공원에 꽃이 피었습니다. 주말에 아이들과 도시락을 가지고 보러 갑니다.';
const RUSSIAN = 'Весна пришла, и в парке расцвели цветы. В субботу мы пойдём туда с детьми.';

test.each([
  ['GBK', CHINESE],
  ['GB18030', `编号,内容\n1,${CHINESE}\n2,㐀`],
  ['BIG5', TRADITIONAL],
  ['BIG5', '繁體中文測試文件，第一行。\n'],
  ['SHIFT_JIS', JAPANESE],
  ['SHIFT_JIS', '商品,値段\nりんご,100円\nカメラ,20000円\n'],
  ['EUC-JP', JAPANESE],
  ['EUC-JP', '名前,メモ\n山田,テスト\n'],
  ['ISO-2022-JP', JAPANESE],
  ['ISO-2022-JP', '氏名,住所\n山田太郎,東京都千代田区\n'],
  ['EUC-KR', KOREAN],
  ['CP1251', RUSSIAN],
  ['KOI8-R', RUSSIAN],
  ['CP866', RUSSIAN],
  ['CP1253', 'Η άνοιξη ήρθε και τα λουλούδια άνθισαν στο πάρκο.'],
  ['CP1256', 'جاء الربيع وتفتحت الأزهار في الحديقة.'],
  ['CP874', 'ฤดูใบไม้ผลิมาแล้ว ดอกไม้ในสวนบานสะพรั่ง'],
  ['CP1252', 'Größe: 5 m². Übung macht den Meister, „naïve“ Cafés für 10 €.'],
  ['CP1252', 'Le café était fermé à Noël, hélas\u00a0: « ça ira ».'],
  ['CP1252', 'name,price\nCafé Zürich,10 €\nnaïve “quoted”,20'],
  ['ISO-8859-1', 'El niño comió piña en la mañana. ¿Qué pasó?'],
  ['UTF-16LE', CHINESE.replace('，', '\n')],
  ['UTF-16BE', '名前,メモ\n山田,テスト\n'],
])('%s is recognised without the help of a language: %j', (encoding, text) => {
  expect(decodeText(encode(text, encoding))).toMatchObject({ text, others: [] });
});

test.each([
  ['EUC-JP', '氏名,住所\n山田太郎,東京都千代田区\n詳細設計書,完了\n', 'ja'],
  ['SHIFT_JIS', '氏名,住所\n山田太郎,東京都千代田区\n詳細設計書,完了\n', 'ja'],
  ['GBK', '重量\n', 'zh-CN'],
  ['GBK', '姓名,城市\n张三,北京\n李四,上海\n', 'zh-CN'],
  ['CP1255', 'האביב הגיע והפרחים פרחו בפארק.', 'he-IL'],
  ['BIG5', '重量\n', 'zh-TW'],
  ['EUC-KR', '서울\n', 'ko-KR'],
  ['EUC-KR', '이름,도시\n홍길동,서울\n', 'ko'],
  ['CP1250', 'Zażółć gęślą jaźń.', 'pl'],
  ['CP1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy.', 'cs-CZ'],
  ['CP1254', 'Şişli’de ılık bir gün, çiçekler açtı.', 'tr'],
])(
  '%s is recognised, or asked about, where the browser speaks another language, and read where it speaks that one: %j',
  (encoding, text, language) => {
    const bytes = encode(text, encoding);
    expect(decodeText(bytes, [language])?.text).toBe(text);
    const { text: guessed, others } = decodeText(bytes, ['en'])!;
    expect([guessed, ...others.map((other) => decodeText(bytes, ['en'], other)?.text)]).toContain(text);
  },
);

test('UTF-8 with a damaged character stays UTF-8', () => {
  const bytes = new TextEncoder().encode(JAPANESE.repeat(6));
  bytes[10] = 0xff;
  expect(decodeText(bytes)?.text).toContain('公園の花が咲きました');
});

test('a text that ends within a character is read', () => {
  for (const encoding of ['GBK', 'SHIFT_JIS', 'BIG5', 'EUC-KR']) {
    const text =
      encoding === 'SHIFT_JIS'
        ? JAPANESE
        : encoding === 'EUC-KR'
          ? KOREAN
          : encoding === 'BIG5'
            ? TRADITIONAL
            : CHINESE;
    const bytes = encode(text, encoding);
    expect(decodeText(bytes.slice(0, bytes.length - 3))?.text.slice(0, 10)).toBe(text.slice(0, 10));
  }
});
