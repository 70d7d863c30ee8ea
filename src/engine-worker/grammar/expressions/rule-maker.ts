import { NOTHING, type Expression } from './grammar.ts';

/** Where the rules of a grammar are collected. */
export interface RuleMaker {
  /** Returns the name of a rule that {@link define} gets later. */
  reserve(): string;
  define(name: string, expression: Expression): void;
}

/** Collects rules under names that begin alike. */
export class NumberedRules implements RuleMaker {
  readonly rules = new Map<string, Expression>();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  reserve(): string {
    const name = `${this.#prefix}${this.rules.size}`;
    this.rules.set(name, NOTHING);
    return name;
  }

  define(name: string, expression: Expression): void {
    this.rules.set(name, expression);
  }

  /** Adds a rule and returns its name. @param make Gets the name first, so that the rule may refer to itself. */
  add(make: (name: string) => Expression): string {
    const name = this.reserve();
    this.define(name, make(name));
    return name;
  }
}
