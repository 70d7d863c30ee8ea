import type { RequestRecord } from '../../../src/shared/storage/request-record.ts';
import type { StoredKey } from '../../../src/shared/storage/stored-key.ts';

/** A fixed time (noon of 2 January 2026), so that screenshots of different days are equal. */
export const SAMPLE_TIME = Date.UTC(2026, 0, 2, 12);

export const SAMPLE_KEYS: readonly StoredKey[] = [
  { hash: 'a', name: 'notebook', prefix: 'ts-1a2b', models: null, created: SAMPLE_TIME },
  { hash: 'b', name: 'a key for one model only', prefix: 'ts-3c4d', models: ['pocket'], created: SAMPLE_TIME + 1 },
  {
    hash: 'c',
    name: 'x'.repeat(80),
    prefix: 'ts-5e6f',
    models: ['pocket', 'Sample-present'],
    created: SAMPLE_TIME + 2,
  },
];

function sampleRecord(changes: Partial<RequestRecord>): RequestRecord {
  return {
    requestId: 'req_1',
    time: SAMPLE_TIME,
    method: 'POST',
    path: '/v1/chat/completions',
    key: 'local',
    model: 'pocket',
    status: 200,
    streamed: true,
    duration: 1234,
    promptTokens: 12,
    completionTokens: 34,
    tokensPerSecond: 45.6,
    outcome: 'complete',
    content: null,
    ...changes,
  };
}

export const SAMPLE_RECORDS: readonly RequestRecord[] = [
  sampleRecord({ requestId: 'req_1' }),
  sampleRecord({ requestId: 'req_2', method: 'GET', path: '/v1/models', model: null, streamed: false }),
  sampleRecord({ requestId: 'req_3', status: 401, key: null, outcome: 'invalid_api_key', tokensPerSecond: null }),
  sampleRecord({ requestId: 'req_4', outcome: 'cancelled', promptTokens: null, completionTokens: null }),
  sampleRecord({
    requestId: 'req_5',
    content: { request: JSON.stringify({ model: 'pocket', messages: 'x'.repeat(300) }, null, 2), response: 'Because.' },
  }),
  sampleRecord({ requestId: 'req_6', model: 'large', upstream: 'desk' }),
];
