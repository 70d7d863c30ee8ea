import './web-awesome.css';
import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js';
import '@awesome.me/webawesome/dist/components/dialog/dialog.js';
import '@awesome.me/webawesome/dist/components/drawer/drawer.js';
import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js';
import '@awesome.me/webawesome/dist/translations/de.js';

// Importing this file defines the `wa-…` elements. It is large, so import it lazily.

// Web Awesome's own icons are `data:` URLs, which the page's Content-Security-Policy forbids to fetch. These icons are
// in a file of the site instead.
registerIconLibrary('system', {
  resolver: (name) => `icons/controls.svg#${name}`,
  spriteSheet: true,
});
