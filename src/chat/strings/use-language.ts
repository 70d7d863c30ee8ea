import { translate, type Language } from './page-language.ts';

/**
 * Applies a language before the page is rendered. Languages other than English are fetched; if that fails, the page
 * stays English.
 */
export async function useLanguage(wanted: Language): Promise<void> {
  if (wanted === 'en') return;
  const german = await import('./german/german.ts').catch((error: unknown) => {
    console.error('The German words could not be loaded.', error);
    return null;
  });
  if (german !== null) translate(wanted, german);
}
