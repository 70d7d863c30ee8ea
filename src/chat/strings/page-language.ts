/** Tags of the page's languages. The tables in this folder are in the first one. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language, for users who cannot read the current one. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/**
 * Type of a translated table: the same keys with other texts, and functions with the same parameters. Missing or
 * additional keys are type errors.
 */
export type Translation<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translation<Result>
    : { readonly [Key in keyof Words]: Translation<Words[Key]> };

/** All tables of a language, by the export names of the English ones. */
export type Translations = Readonly<Record<string, object>>;

let language: Language = 'en';
let translation: Translations | null = null;
const tables = new Map<string, object>();

export function currentLanguage(): Language {
  return language;
}

/**
 * Registers an English table, whose texts {@link translate} replaces in place. Tables in lazily loaded code are
 * translated immediately; the others must not be read before the page is rendered.
 * @param name The export name of the table, here and in `german/`.
 */
export function localized<Words extends object>(name: string, english: Words): Words {
  if (translation === null) tables.set(name, english);
  else Object.assign(english, translation[name]);
  return english;
}

/** Translates a name that the browser, the engine or a database uses; undefined if the table lacks it. */
export function wordFor(name: string, table: Readonly<Record<string, string>>): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns the language to use: the chosen one, otherwise the browser's first supported one, otherwise English. */
export function preferredLanguage(chosen: string | null, ofBrowser: readonly string[]): Language {
  const wanted = [...(chosen === null ? [] : [chosen]), ...ofBrowser].map((tag) => tag.toLowerCase().split('-')[0]);
  return LANGUAGES.find((known) => known === wanted.find((tag) => LANGUAGES.some((known) => known === tag))) ?? 'en';
}

/** Replaces the texts of all tables, before the page is rendered. */
export function translate(into: Language, translations: Translations): void {
  language = into;
  translation = translations;
  for (const [name, table] of tables) Object.assign(table, translations[name]);
  document.documentElement.lang = into;
}
