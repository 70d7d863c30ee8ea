import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { privacyStrings } from '../../src/chat/strings/privacy-strings.ts';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { ANSWER_LIMITS } from '../../src/shared/storage/answers-to-evict.ts';
import { MAX_REQUEST_RECORDS } from '../../src/shared/storage/request-record.ts';
import { documentedPlaces } from '../support/documented-storage.ts';

const named = (kind: string) =>
  [
    ...new Set(
      documentedPlaces()
        .filter((place) => place.kind === kind)
        .map(({ name }) => name),
    ),
  ].toSorted();

test('the table of what is stored names the databases that the Privacy screen explains', () => {
  expect(named('IndexedDB')).toEqual(Object.keys(privacyStrings.databases).toSorted());
});

test('the table of what is stored names the caches that the Privacy screen explains, and the precache', () => {
  expect(named('Cache Storage')).toEqual([...Object.keys(privacyStrings.caches), 'workbox-precache…'].toSorted());
});

test.each([
  ['days of an answer', `${ANSWER_LIMITS.days} days`],
  ['number of answers', `${ANSWER_LIMITS.count} answers`],
  ['size of answers', `${ANSWER_LIMITS.characters / 1e6} MB`],
  ['records of the log', `the last ${MAX_REQUEST_RECORDS} are kept`],
])('the table of what is stored has the limit of the code: %s', (_what, limit) => {
  expect(readFileSync(join(PROJECT_FOLDER, 'docs/security-and-privacy.md'), 'utf8')).toContain(limit);
});
