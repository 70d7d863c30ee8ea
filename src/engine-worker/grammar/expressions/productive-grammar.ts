import { choice, isNothing, NOTHING, partsOf, repeat, sequence, type Expression, type Grammar } from './grammar.ts';

/**
 * Removes what can never end: rules that contain themselves in every option, and options that need such a rule. In such
 * a rule a model would write until its token limit.
 * @returns null if the root can never end.
 */
export function productiveGrammar({ root, rules }: Grammar): Grammar | null {
  const productive = productiveRules(rules);
  if (!productive.has(root)) return null;
  const kept = new Map<string, Expression>();
  const queue = [root];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (kept.has(name)) continue;
    const given = rules.get(name)!;
    const expression = productive.size === rules.size ? given : pruned(given, productive);
    kept.set(name, expression);
    queue.push(...references(expression));
  }
  return { root, rules: kept };
}

function productiveRules(rules: ReadonlyMap<string, Expression>): ReadonlySet<string> {
  const productive = new Set<string>();
  const users = new Map<string, string[]>();
  for (const [name, expression] of rules) {
    for (const used of references(expression)) {
      const known = users.get(used);
      if (known === undefined) users.set(used, [name]);
      else known.push(name);
    }
  }
  const queue = [...rules.keys()];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (productive.has(name) || !ends(rules.get(name)!, productive)) continue;
    productive.add(name);
    queue.push(...(users.get(name) ?? []));
  }
  return productive;
}

function ends(expression: Expression, productive: ReadonlySet<string>): boolean {
  switch (expression.kind) {
    case 'sequence':
      return expression.parts.every((part) => ends(part, productive));
    case 'choice':
      return expression.options.some((option) => ends(option, productive));
    case 'repeat':
      return expression.min === 0 || ends(expression.part, productive);
    case 'rule':
      return productive.has(expression.name);
    default:
      return true;
  }
}

function pruned(expression: Expression, productive: ReadonlySet<string>): Expression {
  switch (expression.kind) {
    case 'sequence':
      return sequence(...expression.parts.map((part) => pruned(part, productive)));
    case 'choice':
      return choice(
        ...expression.options.map((option) => pruned(option, productive)).filter((option) => !isNothing(option)),
      );
    case 'repeat':
      return repeat(pruned(expression.part, productive), expression.min, expression.max);
    case 'rule':
      return productive.has(expression.name) ? expression : NOTHING;
    default:
      return expression;
  }
}

/** Returns the names of the rules that an expression uses. */
export function references(expression: Expression): readonly string[] {
  return partsOf(expression).flatMap((part) => (part.kind === 'rule' ? [part.name] : []));
}
