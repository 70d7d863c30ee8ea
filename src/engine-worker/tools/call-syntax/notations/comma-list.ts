import { choice, sequence, text, type Expression } from '../../../grammar/expressions/grammar.ts';
import type { RuleSet } from '../../../grammar/expressions/rule-set.ts';

/** Returns the expression of a list: its members in order, some of which may be missing, with separators between them. */
export function commaList(
  members: readonly { readonly written: Expression; readonly required: boolean }[],
  separator: string,
  rules: RuleSet,
): Expression {
  /** What follows from a member on, after no other member or after some. */
  let [first, later]: readonly Expression[] = [text(''), text('')];
  for (const { written, required } of members.toReversed()) {
    const [without, after] = [first!, later!];
    const rest = rules.add(() => after);
    const [alone, further] = [sequence(written, rest), sequence(text(separator), written, rest)];
    first = rules.add(() => (required ? alone : choice(alone, without)));
    later = required ? further : choice(further, rest);
  }
  return first!;
}
