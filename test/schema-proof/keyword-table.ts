import {
  FORMAT_PATTERNS,
  FORMATS_OF_ANY_TEXT,
  NUMBER_FORMATS,
} from '../../src/engine-worker/grammar/json-schema/formats.ts';
import { KEYWORD_SUPPORT } from '../../src/engine-worker/grammar/json-schema/keyword-support.ts';

/** The table in the documentation of the supported keywords and formats. */
export function keywordTable(): string {
  const rows = Object.entries(KEYWORD_SUPPORT).map(
    ([keyword, { followed, note }]) => `| \`${keyword}\` | ${followed ? 'followed' : 'refused'} | ${note} |`,
  );
  const formats = [...Object.keys(FORMAT_PATTERNS), ...FORMATS_OF_ANY_TEXT, ...Object.keys(NUMBER_FORMATS)];
  return `| keyword | | |\n| --- | --- | --- |\n${rows.join('\n')}\n\nFormats: ${formats.map((format) => `\`${format}\``).join(', ')}.`;
}
