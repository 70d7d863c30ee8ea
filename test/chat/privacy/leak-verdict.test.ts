import { expect, test } from 'vitest';
import {
  judgeLeak,
  type AttemptEvidence,
  type AttemptOutcome,
  type LeakVerdict,
} from '../../../src/chat/privacy/leak/leak-verdict.ts';
import { isAtHost, leakHost } from '../../../src/chat/privacy/leak/leak-host.ts';

const NOTHING: AttemptEvidence = { directive: null, isTimed: false, allowlist: null };
const ALLOWLIST = { allowlist: '(response-origin)' };
const POLICY = { directive: 'connect-src' };

const CASES: readonly (readonly [
  title: string,
  outcome: AttemptOutcome,
  evidence: Partial<AttemptEvidence>,
  result: LeakVerdict['result'],
  basis: LeakVerdict['basis'],
])[] = [
  ['a failed request is not stopped', { kind: 'ended' }, {}, 'open', 'no-report'],
  ['a failed request with a resource timing is not stopped', { kind: 'ended' }, { isTimed: true }, 'open', 'timed'],
  [
    'a request that the policy reports is stopped',
    { kind: 'ended' },
    { ...POLICY, isTimed: true },
    'stopped',
    'policy',
  ],
  ['a call that throws is stopped', { kind: 'refused' }, {}, 'stopped', 'exception'],
  ['of an exception and a report, the report counts', { kind: 'refused' }, POLICY, 'stopped', 'policy'],
  ['a function that is missing is not stopped', { kind: 'absent' }, {}, 'absent', 'absent'],
  ['what was seen leaving is open', { kind: 'sent' }, {}, 'open', 'observed'],
  ['what was seen leaving is open, whatever a policy reports', { kind: 'sent' }, POLICY, 'open', 'observed'],
  ['what was seen leaving is open, whatever the allowlist', { kind: 'sent' }, ALLOWLIST, 'open', 'observed'],
  ['an allowlist reports nothing', { kind: 'ended' }, ALLOWLIST, 'unseen', 'allowlist'],
  [
    'a resource timing proves nothing beside an allowlist',
    { kind: 'ended' },
    { ...ALLOWLIST, isTimed: true },
    'unseen',
    'allowlist',
  ],
  [
    'of a policy and an allowlist, the policy’s report counts',
    { kind: 'ended' },
    { ...ALLOWLIST, ...POLICY },
    'stopped',
    'policy',
  ],
  ['a hint is invisible', { kind: 'hidden' }, {}, 'unseen', 'hidden'],
  ['a hint that the policy reports is stopped', { kind: 'hidden' }, POLICY, 'stopped', 'policy'],
  ['a navigation is not tried', { kind: 'untried' }, {}, 'unseen', 'untried'],
  ['a navigation under an allowlist is not tried', { kind: 'untried' }, ALLOWLIST, 'unseen', 'allowlist'],
];

test.each(CASES)('%s', (_title, outcome, evidence, result, basis) => {
  expect(judgeLeak('fetch', outcome, { ...NOTHING, ...evidence })).toMatchObject({ way: 'fetch', result, basis });
});

test.each([
  ['https://fetch.run1.try-to-leak.invalid/', true],
  ['https://fetch.run1.try-to-leak.invalid', true],
  ['wss://fetch.run1.try-to-leak.invalid/', true],
  ['https://beacon.run1.try-to-leak.invalid/', false],
  ['https://fetch.run2.try-to-leak.invalid/', false],
  ['inline', false],
])('the reported address %s belongs to the attempt: %s', (address, isIts) => {
  expect(isAtHost(address, leakHost('fetch', 'run1'))).toBe(isIts);
});
