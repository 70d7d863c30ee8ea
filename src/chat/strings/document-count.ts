import { formatNumber } from './format.ts';

export function documentCount(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'file' : 'files'}`;
}
