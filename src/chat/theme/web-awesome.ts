import './web-awesome.css';
import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js';
import '@awesome.me/webawesome/dist/components/dialog/dialog.js';
import '@awesome.me/webawesome/dist/components/drawer/drawer.js';
import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js';

// Importing this file is what makes the `wa-…` elements work. It is large: whoever needs them loads it then.

// The built-in icons are data: addresses read with fetch, which the page's policy forbids; ours is a file.
registerIconLibrary('system', {
  resolver: (name) => `icons/controls.svg#${name}`,
  spriteSheet: true,
});
