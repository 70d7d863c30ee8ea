import { html, nothing, type TemplateResult } from 'lit';
import type { ConversationStore } from '../../storage/conversation-store.ts';
import { toolStrings } from '../../strings/tool-strings.ts';
import { toolName } from '../../tools/tool-call-text.ts';
import type { ToolDecision } from '../../tools/tool-loop.ts';
import { isToolName, type ToolCall } from '../../types/conversation.ts';

/**
 * Renders the question whether a tool call may run, with the data that the tool reads and the engine that gets its
 * result.
 * @param engine The engine that gets the result, see `engineOf`.
 * @param given The rendered arguments of the call.
 */
export function toolConsent(
  call: ToolCall,
  engine: string,
  given: TemplateResult,
  decide: (decision: ToolDecision) => void,
): TemplateResult {
  const { name } = call;
  // Not at the second click of a double click: the buttons of the next call may be in the place of these by then.
  const press = (decision: ToolDecision) => (click: MouseEvent) => click.detail > 1 || decide(decision);
  const destination = engine === 'local' ? toolStrings.stays : toolStrings.leaves(engine.replace('upstream:', ''));
  return html`<p role="alert">${toolStrings.asks(toolName(call))}</p>
    ${given}
    <p class="consequences">${isToolName(name) ? toolStrings.reads[name] : nothing} ${destination}</p>
    <div class="buttons">
      <button class="primary" @click=${press('once')}>${toolStrings.once}</button>
      <button @click=${press('always')}>${toolStrings.always}</button>
      <button @click=${press('refuse')}>${toolStrings.refuse}</button>
    </div>`;
}

/** Stores in a chat that a tool may run without asking, as long as its results go to `engine`. */
export async function allowAlways(
  store: ConversationStore,
  conversation: string,
  tool: string,
  engine: string,
): Promise<void> {
  if (!isToolName(tool)) return;
  await store.update(conversation, ({ settings }) => ({
    settings: { ...settings, allowedTools: [...(settings.allowedTools ?? []), { tool, engine }] },
  }));
}
