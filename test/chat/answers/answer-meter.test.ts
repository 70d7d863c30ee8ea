import { expect, test } from 'vitest';
import { AnswerMeter } from '../../../src/chat/answers/answer-meter.ts';

test('speed counts the tokens after the first, and needs at least two', () => {
  const meter = new AnswerMeter(1000);
  expect(meter.timeToFirstToken).toBeNull();
  meter.piece(1250);
  expect(meter.timeToFirstToken).toBe(250);
  expect(meter.tokensPerSecond(1)).toBeNull();
  meter.piece(2250);
  expect(meter.tokensPerSecond(11)).toBe(10);
});
