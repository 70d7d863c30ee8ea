import type { ChatMessage } from '../../shared/engine/completion-request.ts';
import { hermesCalls } from '../tools/tool-syntax.ts';
import { layOut, type LaidOutMessage } from './lay-out.ts';

/**
 * Writes a conversation for a model whose template is not in Jinja, so that it cannot be tried what the template accepts:
 * at most one system message, which is the first one, then turns. Tool calls are text of the assistant in the syntax of
 * Hermes.
 *
 * @param hasToolRole Whether the template can render a tool's turn. If not, results become turns of the user.
 * @param instructions Text that is added to the system message, such as the description of tools. Default: none.
 */
export function simpleTurns(
  messages: readonly ChatMessage[],
  hasToolRole: boolean,
  instructions = '',
): readonly LaidOutMessage[] {
  const tools = hasToolRole ? 'spelled' : 'text';
  const layout = { tools, system: 'before-user', turns: 'as-sent', args: 'object', ids: 'as-sent' } as const;
  return layOut(messages, layout, instructions, hermesCalls);
}
