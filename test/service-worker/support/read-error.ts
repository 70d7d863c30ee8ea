import { expect } from 'vitest';
import { expectForm } from './reply-schemas.ts';

export interface ReadError {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly type: string;
  readonly message: string;
}

/** Reads the error of a response and checks its form and headers. */
export async function readError(response: Response): Promise<ReadError> {
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body = (await response.json()) as { error: Omit<ReadError, 'status'> };
  expectForm('error', body);
  return { status: response.status, ...body.error };
}
