import { expect, test } from 'vitest';
import {
  matchesFilter,
  type AttributeFilter,
} from '../../../../src/engine-worker/documents/search/attribute-filter.ts';

const FILE = { author: 'Ada', year: 1843, draft: false };

const yes: readonly AttributeFilter[] = [
  { type: 'eq', key: 'author', value: 'Ada' },
  { type: 'eq', key: 'draft', value: false },
  { type: 'ne', key: 'year', value: 1844 },
  { type: 'ne', key: 'missing', value: 'Ada' },
  { type: 'gt', key: 'year', value: 1842 },
  { type: 'gte', key: 'year', value: 1843 },
  { type: 'lt', key: 'author', value: 'Adb' },
  { type: 'lte', key: 'year', value: 1843 },
  { type: 'in', key: 'author', value: ['Bob', 'Ada'] },
  { type: 'nin', key: 'author', value: ['Bob'] },
  { type: 'nin', key: 'missing', value: ['Bob'] },
  { type: 'and', filters: [] },
  {
    type: 'and',
    filters: [
      { type: 'gt', key: 'year', value: 1 },
      { type: 'eq', key: 'author', value: 'Ada' },
    ],
  },
  {
    type: 'or',
    filters: [
      { type: 'gt', key: 'year', value: 9999 },
      { type: 'or', filters: [{ type: 'eq', key: 'author', value: 'Ada' }] },
    ],
  },
];

const no: readonly AttributeFilter[] = [
  { type: 'eq', key: 'author', value: 'ada' },
  { type: 'eq', key: 'year', value: '1843' },
  { type: 'eq', key: 'missing', value: 'Ada' },
  { type: 'eq', key: 'toString', value: 'Ada' },
  { type: 'ne', key: 'year', value: 1843 },
  { type: 'gt', key: 'year', value: 1843 },
  { type: 'gt', key: 'year', value: '1' },
  { type: 'lt', key: 'missing', value: 1 },
  { type: 'lte', key: 'constructor', value: 'z' },
  { type: 'in', key: 'missing', value: ['Ada'] },
  { type: 'in', key: 'author', value: [] },
  { type: 'nin', key: 'author', value: ['Ada'] },
  { type: 'or', filters: [] },
  {
    type: 'and',
    filters: [
      { type: 'gt', key: 'year', value: 1 },
      { type: 'or', filters: [] },
    ],
  },
];

test.each(yes)('a file matches %j', (filter) => {
  expect(matchesFilter(filter, FILE)).toBe(true);
});

test.each(no)('a file does not match %j', (filter) => {
  expect(matchesFilter(filter, FILE)).toBe(false);
});
