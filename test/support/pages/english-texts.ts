import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { engineSentences } from '../../../src/engine-worker/strings/say.ts';
import * as german from '../../../src/chat/strings/german/german.ts';
import { GAP, sentencesOf } from '../samples/sentences.ts';

const STRINGS = new URL('../../../src/chat/strings/', import.meta.url);

/** Matches a sentence whose own words could be in any English text, such as that of a sample. */
const UNSPECIFIC = /^Xyzzy is not Xyzzy\.$/;

/**
 * Returns the English texts that have a German translation: `whole` texts must not be shown, and no text may contain
 * all words of an element of `parts` in their order.
 */
async function readEnglish(): Promise<{
  readonly whole: ReadonlySet<string>;
  readonly parts: readonly (readonly string[])[];
}> {
  const files = readdirSync(STRINGS).filter((file) => !/^(format|page-language|german)/.test(file));
  const tables = await Promise.all(files.map((file) => import(new URL(file, STRINGS).href) as Promise<object>));
  const inGerman = new Set(Object.values(german).flatMap((table) => Object.values(sentencesOf(table))));
  const ofEngine = Object.values(sentencesOf(engineSentences)).filter((text) => !UNSPECIFIC.test(text));
  const texts = tables
    .flatMap((module) => Object.values(module).filter((table) => typeof table === 'object'))
    .flatMap((table) => Object.values(sentencesOf(table)))
    .concat(ofEngine)
    .filter((text) => text !== '' && !inGerman.has(text));
  const sentences = texts.filter((text) => (text.replaceAll(GAP, '').match(/\p{L}+/gu) ?? []).length > 2);
  if (sentences.length < 150) throw new Error(`Only ${sentences.length} sentences were found in ${STRINGS.pathname}.`);
  return {
    // Texts in lower case are left out, because they may be words of a sample.
    whole: new Set(texts.filter((text) => /^\p{Lu}/u.test(text))),
    parts: sentences.map((text) => text.split(/Xyzzy|[\d.,]+/)),
  };
}

/** Returns all texts of a page, and the accessible names of other elements. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [document.title];
    const collect = (node: Node): void => {
      if (node instanceof Text) found.push(node.data.trim());
      if (node instanceof HTMLStyleElement) return;
      if (node instanceof Element) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'label'])
          found.push(node.getAttribute(name) ?? '');
        node.shadowRoot?.childNodes.forEach(collect);
      }
      node.childNodes.forEach(collect);
    };
    collect(document.body);
    return [...new Set(found)].filter((text) => text !== '');
  });
}

let english: ReturnType<typeof readEnglish> | undefined;

/** Returns the texts of a German page that are English or contain an English sentence. */
export async function englishTexts(page: Page): Promise<string[]> {
  const { whole, parts } = await (english ??= readEnglish());
  const texts = await textsOf(page);
  return texts.filter((text) => whole.has(text) || parts.some((words) => hasInOrder(text, words)));
}

/** Not a regular expression, which would take minutes for a text of some thousand characters. */
function hasInOrder(text: string, words: readonly string[]): boolean {
  let from = 0;
  return words.every((part) => {
    const place = text.indexOf(part, from);
    from = place + part.length;
    return place !== -1;
  });
}
