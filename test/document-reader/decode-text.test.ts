import { expect, test } from 'vitest';
import { decodeText } from '../../src/document-reader/encodings/decode-text.ts';

const codes = new Map<string, ReadonlyMap<string, readonly number[]>>();

/**
 * Returns the bytes of each character in an encoding. They are found by decoding, because browsers cannot encode it.
 */
function codesOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  let found = codes.get(encoding);
  if (found !== undefined) return found;
  const all = new Map<string, readonly number[]>();
  const pairs = new TextDecoder(encoding, { fatal: true });
  const add = (...bytes: number[]): void => {
    try {
      // Without `stream`, Node 20 takes windows-1252 for Latin-1.
      const isSingle = bytes.length === 1;
      const decoder = isSingle ? new TextDecoder(encoding, { fatal: true }) : pairs;
      const text = decoder.decode(Uint8Array.from(bytes), { stream: isSingle });
      if ([...text].length === 1 && !all.has(text)) all.set(text, bytes);
    } catch {
      // These bytes are not a character.
    }
  };
  for (let byte = 0; byte < 256; byte += 1) add(byte);
  for (let lead = 0x81; lead < 0xff; lead += 1) for (let trail = 0x40; trail < 0xff; trail += 1) add(lead, trail);
  codes.set(encoding, (found = all));
  return found;
}

function encode(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding === 'utf-16le') return new Uint8Array(Buffer.from(text, 'utf16le'));
  if (encoding === 'utf-16be') return new Uint8Array(Buffer.from(text, 'utf16le').swap16());
  if (encoding === 'iso-2022-jp') {
    const words = text.replace(/[^\0-\x7f]+/g, (word) => {
      const bytes = encode(word, 'euc-jp').map((byte) => byte & 0x7f);
      return `\u001b$B${String.fromCharCode(...bytes)}\u001b(B`;
    });
    return new TextEncoder().encode(words);
  }
  return Uint8Array.from([...text].flatMap((character) => codesOf(encoding).get(character)!));
}

const CHINESE = '春天来了，公园里的花都开了。我们周末去看花，带上孩子和午饭。';
const TRADITIONAL = '春天來了，公園裡的花都開了。我們週末去看花，帶上孩子和午飯。';
const JAPANESE = '春が来て、公園の花が咲きました。週末に子どもと弁当を持って見に行きます。';
const KOREAN = '봄이 와서 공원에 꽃이 피었습니다. 주말에 아이들과 도시락을 가지고 보러 갑니다.';
const RUSSIAN = 'Весна пришла, и в парке расцвели цветы. В субботу мы пойдём туда с детьми.';

test.each([
  ['gbk', CHINESE],
  ['big5', TRADITIONAL],
  ['big5', '繁體中文測試文件，第一行。\n'],
  ['shift_jis', JAPANESE],
  ['shift_jis', '商品,値段\nりんご,100円\nカメラ,20000円\n'],
  ['euc-jp', JAPANESE],
  ['euc-jp', '名前,メモ\n山田,テスト\n'],
  ['iso-2022-jp', JAPANESE],
  ['iso-2022-jp', '氏名,住所\n山田太郎,東京都千代田区\n'],
  ['euc-kr', KOREAN],
  ['windows-1251', RUSSIAN],
  ['koi8-r', RUSSIAN],
  ['ibm866', RUSSIAN],
  ['windows-1253', 'Η άνοιξη ήρθε και τα λουλούδια άνθισαν στο πάρκο.'],
  ['windows-1256', 'جاء الربيع وتفتحت الأزهار في الحديقة.'],
  ['windows-874', 'ฤดูใบไม้ผลิมาแล้ว ดอกไม้ในสวนบานสะพรั่ง'],
  ['windows-1252', 'Größe: 5 m². Übung macht den Meister, „naïve“ Cafés für 10 €.'],
  ['windows-1252', 'Le café était fermé à Noël, hélas\u00a0: « ça ira ».'],
  ['windows-1252', 'name,price\nCafé Zürich,10 €\nnaïve “quoted”,20'],
  ['windows-1252', 'El niño comió piña en la mañana. ¿Qué pasó?'],
  ['gbk', '会议记录\n时间：周五下午三点\n地点：二楼会议室\n参加人：张三、李四\n'],
  ['big5', '日期,金額,備註\n一月,三百元,已付\n二月,四百元,未付\n'],
  ['shift_jis', 'メモ：明日の会議は午後三時からです。資料を持ってきてください。'],
  ['euc-kr', '제목,내용\n회의,내일 오후 세 시입니다\n'],
  ['windows-1251', 'Имя,Город\nИван,Москва\nОльга,Казань\n'],
  ['koi8-r', 'Имя,Город\nИван,Москва\nОльга,Казань\n'],
  ['windows-1253', 'Όνομα,Πόλη\nΓιώργος,Αθήνα\nΜαρία,Θεσσαλονίκη\n'],
  ['windows-1252', 'Não há pão na estação, só maçãs.'],
  ['windows-1252', 'Hon åt ägg på ön i går, och så sjöng hon.'],
  ['utf-16le', RUSSIAN],
  ['utf-16be', KOREAN],
  ['utf-16le', CHINESE.replace('，', '\n')],
  ['utf-16be', '名前,メモ\n山田,テスト\n'],
])('%s is recognised whatever the language of the browser: %j', (encoding, text) => {
  expect(decodeText(encode(text, encoding))).toMatchObject({ text, others: [] });
});

test.each([
  ['euc-jp', '氏名,住所\n山田太郎,東京都千代田区\n詳細設計書,完了\n', 'ja'],
  ['shift_jis', '氏名,住所\n山田太郎,東京都千代田区\n詳細設計書,完了\n', 'ja'],
  ['gbk', '重量\n', 'zh-CN'],
  ['gbk', '姓名,城市\n张三,北京\n李四,上海\n', 'zh-CN'],
  ['windows-1255', 'האביב הגיע והפרחים פרחו בפארק.', 'he-IL'],
  ['big5', '重量\n', 'zh-TW'],
  ['euc-kr', '서울\n', 'ko-KR'],
  ['euc-kr', '이름,도시\n홍길동,서울\n', 'ko'],
  ['windows-1250', 'Zażółć gęślą jaźń.', 'pl'],
  ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy.', 'cs-CZ'],
  ['windows-1254', 'Şişli’de ılık bir gün, çiçekler açtı.', 'tr'],
])(
  '%s is recognised or asked about with a browser in another language, and read with one in its own: %j',
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

test.each(['Grüße aus Köln, schöne Tage für alle.\n', 'Le café était fermé à Noël.\n', 'Привет\n'])(
  'UTF-8 of few letters outside of ASCII stays UTF-8 with a byte of another encoding: %j',
  (text) => {
    const bytes = new Uint8Array([...new TextEncoder().encode(text), 0xfc, 0x0a]);
    expect(decodeText(bytes)).toEqual({ text: `${text}\ufffd\n`, encoding: 'utf-8', others: [] });
  },
);

test('a text that ends within a character is read', () => {
  for (const encoding of ['gbk', 'shift_jis', 'big5', 'euc-kr']) {
    const text =
      encoding === 'shift_jis'
        ? JAPANESE
        : encoding === 'euc-kr'
          ? KOREAN
          : encoding === 'big5'
            ? TRADITIONAL
            : CHINESE;
    const bytes = encode(text, encoding);
    expect(decodeText(bytes.slice(0, bytes.length - 3))?.text.slice(0, 10)).toBe(text.slice(0, 10));
  }
});

// The bytes were made by Python, because the test's own encoder knows only the encodings of browsers.
test.each([
  [
    'macintosh',
    '47729aa7653a208662756e67206d616368742064656e204d6569737465722c207363689a6e652047729fa76520617573204b9a6c6e2e',
    'Größe: Übung macht den Meister, schöne Grüße aus Köln.',
  ],
  [
    'macintosh',
    '4c65206361668e208e74616974206665726d8e2088204e6f916c2c208d612069726120648e6a882e',
    'Le café était fermé à Noël, ça ira déjà.',
  ],
  [
    'macintosh',
    '6e616d652c636974790a4a6f738e2c4d876c6167610a4d617274926e2c439772646f62610a499669676f2c438764697a0a',
    'name,city\nJosé,Málaga\nMartín,Córdoba\nIñigo,Cádiz\n',
  ],
  [
    'cp437',
    '477294e1653a209a62756e67206d616368742064656e204d6569737465722c20736368946e6520477281e16520617573204b946c6e2e',
    'Größe: Übung macht den Meister, schöne Grüße aus Köln.',
  ],
  [
    'cp850',
    '53747261e1652c4f72740a4d816c6c657273747261e16520352c4b946c6e0a996c676173736520372c448172656e0a',
    'Straße,Ort\nMüllerstraße 5,Köln\nÖlgasse 7,Düren\n',
  ],
  ['cp850', '53c66f204a6fc66f2c206ec66f2068a02070c66f206e61206573746187c66f2e', 'São João, não há pão na estação.'],
  [
    'cp437',
    '4c652063616682208274616974206665726d822c208761206972612074728a73206269656e2e',
    'Le café était fermé, ça ira très bien.',
  ],
  [
    'windows-1258',
    '5469eaec6e67205669eaf2742063f3206e6869eacc752064e2ec752e2048f46d206e6179207472f5cc6920f065f2702e',
    'Tiếng Việt có nhiều dấu. Hôm nay trời đẹp.',
  ],
] as const)('%s, which no browser language points to, is recognised or asked about: %s', (_, hex, text) => {
  const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
  const { text: guessed, others } = decodeText(bytes, ['en'])!;
  expect([guessed, ...others.map((other) => decodeText(bytes, ['en'], other)?.text)]).toContain(text);
});
