import { chosenColourScheme, rememberColourScheme, type ColourScheme } from '../storage/local-storage-values.ts';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Applies the chosen colour scheme. Without a choice, applies that of the system and follows its changes. */
export function followColourScheme(): void {
  dark.addEventListener('change', apply);
  apply();
}

/**
 * Sets the colour scheme of the page.
 * @param scheme Null follows the system.
 */
export function chooseColourScheme(scheme: ColourScheme | null): void {
  rememberColourScheme(scheme);
  apply();
}

function apply(): void {
  const chosen = chosenColourScheme();
  const root = document.documentElement;
  if (chosen === null) delete root.dataset['colourScheme'];
  else root.dataset['colourScheme'] = chosen;
  // The page's colours follow the attribute; Web Awesome follows a class.
  root.classList.toggle('wa-dark', chosen === null ? dark.matches : chosen === 'dark');
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const scheme = meta.dataset['scheme'];
    meta.media = chosen === null ? `(prefers-color-scheme: ${scheme})` : chosen === scheme ? 'all' : 'not all';
  }
}
