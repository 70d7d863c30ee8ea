import type * as german from './german/german.ts';

/** Every language that the page's own words exist in, by its tag; the first one is that of the tables themselves. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

type German = typeof german;

/**
 * A table of words in another language: the same keys with other texts, and functions of the same parameters. A key that is
 * missing, or that nobody asks for, does not compile.
 */
export type Translation<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translation<Result>
    : { readonly [Key in keyof Words]: Translation<Words[Key]> };

let language: Language = 'en';
let translation: German | null = null;
const tables = new Map<keyof German, object>();

/** The language of the page's own words. */
export function currentLanguage(): Language {
  return language;
}

/**
 * A table of English words that stands in the language of the page: {@link useLanguage} puts the words of another one in its
 * place. A table of a part that is loaded later is translated at once; others must not be read before the page is drawn.
 *
 * @param name The name under which the table is exported, here and in `german/`.
 */
export function localized<Words extends object>(name: keyof German, english: Words): Words {
  if (translation === null) tables.set(name, english);
  else Object.assign(english, translation[name]);
  return english;
}

/** The word for what a browser, an engine or a database calls by a name of its own; undefined where the table has none. */
export function wordFor(name: string, table: Readonly<Record<string, string>>): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The language to speak: what the person chose; else the first of the browser's that the page knows; else English. */
export function preferredLanguage(chosen: string | null, ofBrowser: readonly string[]): Language {
  const wanted = [...(chosen === null ? [] : [chosen]), ...ofBrowser].map((tag) => tag.toLowerCase().split('-')[0]);
  return LANGUAGES.find((known) => known === wanted.find((tag) => LANGUAGES.some((known) => known === tag))) ?? 'en';
}

/**
 * Puts the words of a language in place, before anything of the page is drawn. English is there already; any other is
 * fetched, and where it cannot be, the page stays English rather than empty.
 */
export async function useLanguage(wanted: Language): Promise<void> {
  if (wanted === 'de') {
    translation = await import('./german/german.ts').catch((error: unknown) => {
      console.error('The German words could not be loaded.', error);
      return null;
    });
  }
  if (translation === null) return;
  language = wanted;
  for (const [name, table] of tables) Object.assign(table, translation[name]);
  document.documentElement.lang = language;
}
