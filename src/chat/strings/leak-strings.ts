import { localized } from './page-language.ts';

export const leakStrings = localized('leakStrings', {
  title: 'Try to leak',
  introduction:
    'The page tries every way out that it knows, to hosts that cannot exist, so that nobody gets anything. The table shows what your browser stopped, and what it did not. A request that only failed does not count as stopped. The browser’s console lists each refusal. It takes a few seconds.',
  action: 'Try to leak',
  trying: 'Trying…',
  summary: (stopped: number, absent: number, open: number, unseen: number) =>
    `Stopped: ${stopped}. Not in this page: ${absent}. Open: ${open}. Cannot be seen from a page: ${unseen}.`,
  columns: { way: 'Way out', result: 'Result', basis: 'How that is known' },
  results: { stopped: 'stopped', absent: 'not there', open: 'open', unseen: 'cannot be seen' },
  ways: {
    fetch: 'Request of the page',
    beacon: 'Beacon',
    'web-socket': 'WebSocket',
    'event-source': 'Event stream',
    'web-transport': 'WebTransport',
    'worker-fetch': 'Request of a worker',
    'worker-import': 'Script that a worker loads',
    'script-import': 'Script that the page loads',
    image: 'Picture',
    'css-image': 'Picture in a style',
    'style-sheet': 'Style sheet',
    font: 'Font',
    plugin: 'Embedded object',
    prefetch: 'Prefetch',
    frame: 'Frame',
    'frame-navigation': 'Navigation in a frame',
    form: 'Form',
    stun: 'WebRTC with a STUN server',
    peer: 'WebRTC to an address',
    'frame-webrtc': 'WebRTC of a new frame',
    preconnect: 'Early connection',
    'dns-hint': 'Early lookup of a name',
    'page-navigation': 'Navigation of this page',
    'window-open': 'New window',
  },
  bases: {
    policy: (directive: string) => `The browser reported that the Content-Security-Policy stopped it (${directive}).`,
    exception: (name: string) => `The call was refused at once (${name}).`,
    absent: (name: string) => `This page has no ${name}.`,
    observed: (observation: string) => `The page saw the browser begin it (${observation}).`,
    timed: () => 'The browser lists the request among its resource timings, and no rule reported that it stopped it.',
    'no-report': () => 'No rule reported that it stopped it.',
    allowlist: (allowlist: string) =>
      `No report. By its version, this browser enforces the Connection-Allowlist of the server: it stops what the list does not name, without telling the page. The list: ${allowlist}`,
    hidden: () => 'The browser tells a page nothing about it.',
    untried: () =>
      'Not tried, because it would lead you away. A Content-Security-Policy does not stop it, and no Connection-Allowlist is in force in this browser.',
  },
});
