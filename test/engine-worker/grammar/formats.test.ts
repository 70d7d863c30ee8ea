import { expect, test } from 'vitest';
import { printEbnf } from '../../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compileSchema } from '../../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { proveSchema } from '../../schema-proof/prove-schema.ts';
import { validator } from '../../schema-proof/validator.ts';
import { compileEbnf } from '../../schema-proof/xgrammar.ts';

const ADDRESSES = [
  'file:///home/ann/notes.txt',
  'https://user:secret@example.com:8443/a%20b?q=1&r=/x#part',
  'postgres://app:pw@db.internal:5432/shop',
  'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=a+b',
  'mailto:ann@example.com',
  'urn:isbn:0451450523',
  'data:text/plain,hello',
];
const LITERALS = ['http://[::1]/', 'ldap://[2001:db8::7]/c=GB?one'];
const NO_ADDRESSES = ['http://a b', '1http://x', 'http://[::g]/', 'http://x/%zz', '\\\\host\\share', 'http://x:y'];

interface FormatCase {
  readonly format: string;
  readonly maxLength?: number;
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

const CASES: readonly FormatCase[] = [
  { format: 'uri', valid: [...ADDRESSES, ...LITERALS], invalid: [...NO_ADDRESSES, '/a', 'a', '//x/y', ''] },
  { format: 'uri', maxLength: 2083, valid: ADDRESSES, invalid: [...NO_ADDRESSES, '/a', 'a', ''] },
  {
    format: 'uri-reference',
    valid: [...ADDRESSES, ...LITERALS, '../a/b?c', './x:y', '#part', '?q=1', '//host/x', 'a/b', ''],
    invalid: [...NO_ADDRESSES, '#a\\b', 'a^b'],
  },
  { format: 'uri-reference', maxLength: 255, valid: ['../a/b?c', '#part', ''], invalid: ['a^b'] },
  {
    format: 'iri',
    valid: [...ADDRESSES, 'https://例え.jp/パス?q=ü#é', 'http://ƒøø.ßår/'],
    invalid: ['/ä', 'http://ä b'],
  },
  { format: 'iri', maxLength: 500, valid: ['https://例え.jp/パス'], invalid: ['/ä'] },
  { format: 'iri-reference', valid: ['äöü/ß', '#ç', '//ø/å'], invalid: ['#ä\\b'] },
  { format: 'uri-template', valid: ['/users/{id}{?page,size*}', 'a'], invalid: ['/users/{id', '/a}'] },
  {
    format: 'hostname',
    valid: [
      'a',
      'www.mail.example.co.uk',
      '127.0.0.1',
      `${'a'.repeat(63)}.example`,
      `${'a.'.repeat(20)}example`,
      'xn--4gbwdl.xn--wgbh1c',
    ],
    invalid: ['', '.', 'a.', '-a', 'a-', 'a_b', 'a..b', 'a'.repeat(64), 'XN--aa---o47jg78q', 'ab--c'],
  },
  { format: 'hostname', maxLength: 255, valid: ['a.b.c.d.example.com'], invalid: ['a..b'] },
  { format: 'hostname', maxLength: 100, valid: ['a.b.c.d.example.com', 'localhost'], invalid: ['a..b', 'ab--c'] },
  {
    format: 'idn-hostname',
    valid: ['bücher.example', '실례.테스트', 'пример.рф', 'παράδειγμα.ελ', 'مثال', 'שלום.קום', 'l·l', 'a.example'],
    invalid: ['a·l', '-ä', 'ä-', '\u0300a', '٠۰', '', 'ä..b', '\u302eä'],
  },
  {
    format: 'idn-email',
    valid: ['실례@실례.테스트', 'jörg@bücher.example', 'a@b.co'],
    invalid: ['2962', 'ä@', '@ä.b'],
  },
  { format: 'idn-email', maxLength: 320, valid: ['jörg@bücher.de', 'a@b.c.co'], invalid: ['2962'] },
  {
    format: 'ipv6',
    valid: ['::', '::1', '::ffff:192.168.0.1', '64:ff9b::192.0.2.33', '1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:7::'],
    invalid: ['1:2:3:4:5:6:7:1.2.3.4', '::256.1.1.1', '1::2::3', '1:2', '::1%eth0', ':::'],
  },
  { format: 'duration', valid: ['PT0.5S', 'P1DT2H3M4.25S', 'P3W'], invalid: ['PT.5S', 'P0.5D', 'P', 'PT', 'P1H'] },
  {
    format: 'time',
    valid: ['23:59:60Z', '01:29:60+01:30', '15:59:60-08:00', '00:29:60-23:30', '08:30:06.5z'],
    invalid: ['22:59:60Z', '23:59:60+01:00', '23:58:60+00:00', '24:00:00Z', '12:00:00'],
  },
  {
    format: 'date-time',
    valid: ['1998-12-31T15:59:60.123-08:00', '2024-02-29t00:00:00z'],
    invalid: ['2023-02-29T00:00:00Z'],
  },
  { format: 'regex', valid: ['^([abc])+\\s+$', 'a|b{2,}', '(?:x(y)?)*'], invalid: ['^(abc]', '(', 'a**', '[', '\\'] },
];

test.each(CASES)(
  '$format with maxLength $maxLength allows $valid.0 and the like',
  async ({ valid, invalid, ...keywords }) => {
    const compiled = await compileEbnf(printEbnf(compileSchema({ type: 'string', ...keywords })));
    expect(valid.filter((text) => !compiled.accepts(JSON.stringify(text)))).toEqual([]);
    expect(invalid.filter((text) => compiled.accepts(JSON.stringify(text)))).toEqual([]);
    compiled.dispose();
  },
);

const JUDGED_BY_AJV = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'uri',
  'uri-reference',
  'uri-template',
  'json-pointer',
  'relative-json-pointer',
  'regex',
];

test.each(JUDGED_BY_AJV)('each string of the format %s is valid for Ajv, with a length and without', async (format) => {
  for (const lengths of [{}, { maxLength: 60 }]) {
    const schema = { type: 'string', format, ...lengths };
    const { refused, violations } = await proveSchema(schema, validator(schema)!, { samples: 60, written: 2, seed: 3 });
    expect({ refused, violations }).toEqual({ refused: null, violations: [] });
  }
});
