import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { Tool } from '../../shared/engine/completion-request.ts';

/**
 * Refuses tools of one name that differ: nobody could say which one a call means, and so which schema its arguments
 * satisfy. A tool that is there twice is no problem; some clients collect their tools from several places.
 * @throws ApiError `invalid_value` if two tools of one name differ.
 */
export function refuseAmbiguousTools(tools: readonly Tool[]): void {
  const known = new Map<string, string>();
  for (const tool of tools) {
    // Of many tools some are bound less closely, so that twins may differ in that.
    const { bound: _, ...given } = tool;
    const { name } = given;
    const whole = JSON.stringify(given);
    if ((known.get(name) ?? whole) !== whole) {
      const sentence = `\`tools\` has two different tools of the name ${quote(name)}. Give each a name of its own.`;
      throw new ApiError('invalid_value', sentence, { param: 'tools' });
    }
    known.set(name, whole);
  }
}
