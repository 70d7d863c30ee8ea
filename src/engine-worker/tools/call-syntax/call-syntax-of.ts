import type { CallSyntax } from './call-syntax.ts';
import { CALL_SYNTAXES, HERMES } from './call-syntaxes.ts';

/**
 * Returns the syntax in which a model's chat template writes tool calls, or tells the model to write them. Models whose
 * template does neither are asked to write those of Hermes.
 * @param template Source of the template, in Jinja.
 */
export function callSyntaxOf(template: string): CallSyntax {
  return CALL_SYNTAXES.find(({ inTemplate }) => inTemplate.test(template))?.syntax ?? HERMES;
}
