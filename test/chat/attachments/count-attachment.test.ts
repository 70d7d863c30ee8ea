import { expect, test } from 'vitest';
import { estimateTokens } from '../../../src/chat/attachments/count-attachment.ts';

/** Tokens for each character, as the tokenizers of models that know the language count them: from the fewest to the most. */
test.each([
  ['English', 'The lighthouse keeper counts the ships that pass in the night. ', 0.2, 0.5],
  ['Chinese', '灯塔看守人数着夜里经过的船只。', 0.6, 1.2],
  ['Japanese', '灯台守は夜に通る船を数えています。', 0.6, 1.2],
  ['Korean', '등대지기는 밤에 지나가는 배를 셉니다. ', 0.5, 1.2],
  ['Thai', 'คนเฝ้าประภาคารนับเรือที่แล่นผ่านในยามค่ำคืน', 0.5, 1.2],
  ['Russian', 'Смотритель маяка считает корабли, проходящие ночью. ', 0.25, 0.8],
  ['Arabic', 'يعد حارس المنارة السفن التي تمر في الليل. ', 0.25, 0.8],
])('a file in %s that no model has counted is not taken for much shorter or longer', (_, sentence, fewest, most) => {
  const text = sentence.repeat(1000);
  const { count, isExact } = estimateTokens({ id: 'f', name: 'f.txt', size: 1, kind: 'text', part: 'whole', text });
  expect(isExact).toBe(false);
  expect(count).toBeGreaterThanOrEqual(fewest * text.length);
  expect(count).toBeLessThanOrEqual(most * text.length);
});
