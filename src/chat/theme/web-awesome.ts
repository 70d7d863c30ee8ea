import './web-awesome.css';
import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js';
import '@awesome.me/webawesome/dist/components/dialog/dialog.js';
import '@awesome.me/webawesome/dist/components/drawer/drawer.js';
import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js';

// Importing this file defines the `wa-…` elements. It is large, so import it lazily.

// The built-in icons are data: URLs, which the page's CSP forbids to fetch. This one is a file.
registerIconLibrary('system', {
  resolver: (name) => `icons/controls.svg#${name}`,
  spriteSheet: true,
});
