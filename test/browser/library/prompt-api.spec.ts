import { expect } from '@playwright/test';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import type * as promptApi from '../in-page/prompt-api.ts';

type Case = Parameters<typeof promptApi.run>[0];

// The cases are those of the web platform tests (github.com/web-platform-tests/wpt, `ai/language-model`), written anew.
const EXPECTED: Readonly<Record<Case, unknown>> = {
  shape: {
    functions: true,
    isInstance: true,
    isTarget: true,
    window: true,
    usage: [0, 0],
    handlers: [null, null],
  },
  availability: [
    'available',
    'available',
    'unavailable',
    'available',
    'unavailable',
    'unavailable',
    'available',
    'unavailable',
    'unavailable',
    'TypeError',
    'RangeError',
  ],
  answer: { isText: true, same: [true, true], pieces: true, sum: 0 },
  tools: { asked: [{ city: 'Paris' }, { city: 'Paris' }], said: true, same: true, counted: true },
  'a tool that fails': 'RangeError',
  'wrong tools': Array(11).fill('TypeError'),
  prefix: {
    goesOn: true,
    usage: 0,
    tools: expect.stringMatching(/^(?!\w+Error$)/),
    initial: 'number',
  },
  'a prefix with a constraint': { inRange: true, pattern: 'bye', whole: '', other: 'NotSupportedError' },
  'sampling modes': [
    'most-predictable',
    'predictable',
    'slightly-predictable',
    'balanced',
    'slightly-creative',
    'creative',
    'most-creative',
  ],
  'empty inputs': [0, undefined, undefined, undefined, undefined, undefined, undefined],
  remembers: { initial: true, grows: true, copyGoesOnAlone: true },
  constraint: {
    inRange: true,
    choice: true,
    flags: 'NotSupportedError',
    omitted: 'TypeError',
    circular: 'NotSupportedError',
    unknown: 'NotSupportedError',
  },
  progress: { first: 0, last: 1, failing: 'RangeError' },
  abort: { reasons: ['left'], usage: 0, next: true },
  'abort while creating': ['stopped', 'stopped', 'later'],
  destroy: ['InvalidStateError', 'InvalidStateError', 'number', 'number'],
  order: [true, true],
  overflow: {
    events: ['contextoverflow', 'quotaoverflow'],
    name: 'QuotaExceededError',
    isOwnClass: true,
    quota: true,
    initial: 'QuotaExceededError',
  },
  install: { kept: true, replaced: true },
  'an empty list': expect.any(String),
  'an object': expect.stringMatching(/^(?!\w+Error$)/),
  'an unknown role': 'TypeError',
  'an unknown type': 'TypeError',
  'an image that is not expected': 'NotSupportedError',
  'audio that is not expected': 'NotSupportedError',
  'an image of the assistant': 'NotSupportedError',
  'a text that is not a string': 'TypeError',
  'a prefix of the user': 'SyntaxError',
  'a prefix of the assistant': expect.stringMatching(/^(?!\w+Error$)/),
  'a system message after initial prompts': 'TypeError',
  'a late system message': 'TypeError',
  'images for a model that accepts none': 'NotSupportedError',
  'audio, which no model accepts': 'NotSupportedError',
  'an unknown sampling mode': 'TypeError',
};

for (const [name, expected] of Object.entries(EXPECTED)) {
  test(`Prompt API: ${name}`, async ({ site }) => {
    expect(await inPage<typeof promptApi>(site, 'prompt-api').run(name as Case)).toEqual(expected);
  });
}
