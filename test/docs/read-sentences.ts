import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { sourceSentences } from './source-sentences.ts';

/** Where a sentence ends: before a capital letter, after a full stop that may be followed by a quotation mark. */
const SENTENCE_END = /(?<=[.!?]["”)]?) (?=[A-Z“"(])/;

/** Where a paragraph, a list item, a heading, a quotation or a table's row begins. */
const BLOCK_START = /\n\s*\n|\n(?=\s*[-|#>] |\s*\d+\. |\|)/;

/**
 * Returns the sentences of a document or of a table of strings, without markup and links.
 * @param path Path of a Markdown or TypeScript file in the repository.
 * @param beginning Text of the document at which to begin. Default: its start.
 */
export function readSentences(path: string, beginning = ''): readonly string[] {
  const file = join(PROJECT_FOLDER, path);
  const texts = path.endsWith('.md')
    ? documentTexts(textFrom(readFileSync(file, 'utf8'), beginning))
    : sourceSentences(file).map(({ text }) => text);
  return texts.flatMap((text) => text.split(SENTENCE_END));
}

function textFrom(document: string, beginning: string): string {
  const start = document.indexOf(beginning);
  if (start < 0) throw new Error(`The document lacks ${beginning}.`);
  return document.slice(start);
}

/** Returns the text of each block, or cell of a table, without code blocks, comments and markup. */
function documentTexts(document: string): readonly string[] {
  const text = document.replace(/^```.*?^```/gms, '').replace(/<!--.*?-->/gs, '');
  return text
    .split(BLOCK_START)
    .flatMap((block) => (block.trim().startsWith('|') ? block.split('|') : [block]))
    .map((block) =>
      block
        .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[*`]/g, '')
        .replaceAll(/\s+/g, ' ')
        .replace(/^ ?(?:[-#>]+|\d+\.) /, '')
        .trim(),
    )
    .filter((block) => block !== '');
}
