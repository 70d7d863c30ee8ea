import './web-awesome.css';
import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js';
import '@awesome.me/webawesome/dist/components/dialog/dialog.js';
import '@awesome.me/webawesome/dist/components/drawer/drawer.js';
import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js';
import '@awesome.me/webawesome/dist/translations/de.js';
import { isComposing } from '../browser/is-composing.ts';

// Importing this file defines the `wa-…` elements. It is large, so import it lazily.

// Web Awesome's own icons are `data:` URLs, which the page's Content-Security-Policy forbids to fetch. These icons are
// in a file of the site instead.
registerIconLibrary('system', {
  resolver: (name) => `icons/controls.svg#${name}`,
  spriteSheet: true,
});

// Web Awesome closes a dialog or menu at any Escape, also at one with which an input method dismisses a suggestion. What
// was typed in the dialog would be lost.
addEventListener('keydown', (event) => event.key === 'Escape' && isComposing(event) && event.stopPropagation(), true);
