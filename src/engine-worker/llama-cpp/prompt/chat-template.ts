import { Template } from '@huggingface/jinja';
import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import type { TemplateMessage } from '../../prompt/template-message.ts';
import { makeFiltersLenient } from './lenient-filters.ts';

makeFiltersLenient();

export interface TemplateTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description?: string; readonly parameters: JsonSchema };
}

export interface TemplateInput {
  readonly messages: readonly TemplateMessage[];
  readonly tools: readonly TemplateTool[];
  /** Whether the model shall think; null leaves it to the template. */
  readonly thinking: boolean | null;
  /** Whether the prompt ends with the beginning of the assistant's turn. Default: true. */
  readonly opensAnswer?: boolean;
}

/** Texts of the tokens that templates write by name; empty if the model has no such token. */
export interface TemplateTokens {
  readonly begin: string;
  readonly end: string;
  /** Whether llama.cpp itself puts the first token before each prompt. */
  readonly addsBegin: boolean;
}

/**
 * The template of models without one: ChatML, which most models have seen in their training, and whose marks are plain
 * text to the others.
 */
export const CHATML = `{%- for message in messages -%}
{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}`;

/**
 * A model's chat template in Jinja, with the settings of the library transformers (`trim_blocks`, `lstrip_blocks`,
 * `raise_exception`, `strftime_now`).
 */
export class ChatTemplate {
  readonly source: string;
  readonly #template: Template;
  readonly #tokens: TemplateTokens;
  /**
   * What the template gets as `tools` if there are none. Some templates go through the list without asking whether it is
   * there, which Jinja allows and the library does not.
   */
  readonly #noTools: { readonly tools?: readonly [] };

  /** @throws Error for a template that the Jinja library cannot parse. */
  constructor(source: string, tokens: TemplateTokens) {
    this.source = source;
    this.#template = new Template(source);
    this.#tokens = tokens;
    this.#noTools = this.#rendersQuestion({}) || !this.#rendersQuestion({ tools: [] }) ? {} : { tools: [] };
  }

  /** Whether the library can render a plain question. All templates of chat models do; what may fail is the library. */
  get works(): boolean {
    return this.#rendersQuestion(this.#noTools);
  }

  #rendersQuestion(more: object): boolean {
    try {
      const messages = [{ role: 'user', content: 'Hello' }];
      const fixed = { messages, bos_token: '', eos_token: '', add_generation_prompt: true };
      return this.#template.render({ ...fixed, ...more }).includes('Hello');
    } catch {
      return false;
    }
  }

  /** @throws Error with the template's own sentence if it refuses the conversation. */
  render({ messages, tools, thinking, opensAnswer = true }: TemplateInput): string {
    const { begin, end, addsBegin } = this.#tokens;
    const text = this.#template.render({
      messages,
      bos_token: begin,
      eos_token: end,
      add_generation_prompt: opensAnswer,
      // SmolLM3 reads the tools under the second name.
      ...(tools.length > 0 ? { tools, xml_tools: tools } : this.#noTools),
      // DeepSeek and Granite read the second name.
      ...(thinking !== null && { enable_thinking: thinking, thinking }),
    });
    return addsBegin && begin !== '' && text.startsWith(begin) ? text.slice(begin.length) : text;
  }
}
