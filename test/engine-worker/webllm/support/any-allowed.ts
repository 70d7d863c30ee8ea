import type { Sampler } from './scripted-pipeline.ts';
import type { TestTokenizer } from './test-tokenizer.ts';

/**
 * A model that writes nonsense, as far as the grammar lets it: any allowed printable character or the end
 * of the turn, closing brackets and quotes rather than opening more, so that it comes to an end.
 *
 * @param opening Text it writes first where it may.
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
