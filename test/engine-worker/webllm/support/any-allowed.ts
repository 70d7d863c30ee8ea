import type { Sampler } from './scripted-pipeline.ts';
import type { TestTokenizer } from './test-tokenizer.ts';

/**
 * A model that generates random printable characters that the grammar allows. It prefers closing brackets and quotes,
 * so that it comes to an end.
 * @param opening Text that it generates first if allowed.
 */
export function anyAllowed(seed: number, opening = ''): (tokenizer: TestTokenizer, endOfTurn: number) => Sampler {
  return (tokenizer, endOfTurn) => {
    let state = seed;
    const random = (below: number) => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    const printable = Array.from({ length: 95 }, (_, index) => index + 32);
    const opened = [...tokenizer.encode(opening)];
    return ({ position, allows }) => {
      const wanted = opened[position];
      if (wanted !== undefined && allows(wanted)) return wanted;
      const closing = [endOfTurn, ...tokenizer.encode('"}]')].filter(allows);
      if (closing.length > 0 && random(3) === 0) return closing[0] ?? endOfTurn;
      const candidates = [...printable, 10, endOfTurn].filter(allows);
      return candidates[random(candidates.length)] ?? endOfTurn;
    };
  };
}
