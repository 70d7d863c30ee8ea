import { createLlamaCppEngine } from '../../src/engine-worker/llama-cpp/create-llama-cpp-engine.ts';
import type { WllamaModule } from '../../src/shared/models/create-wllama.ts';
import type { CompletionRequest } from '../../src/shared/engine/completion-request.ts';
import type { ModelEntry } from '../../src/shared/models/model-entry.ts';
import { readSiteModels } from '../../src/shared/models/site-models.ts';
import { completionRequest } from '../support/fakes/completion-request.ts';
import { memoryGpuChecks } from '../support/fakes/memory-gpu-checks.ts';
import { fakePageWorker } from '../support/fakes/page-worker.ts';
import { BareWllama } from '../support/fakes/bare-wllama.ts';
import { ggufFile } from '../support/samples/gguf-file.ts';
import { tinyMmproj } from '../support/samples/tiny-vision-model.ts';

const SITE = 'https://site.test/';
function modelOf(seesImages: boolean): ModelEntry {
  const mmproj = seesImages ? { mmproj: 'mmproj.gguf' } : {};
  const models = [{ id: 'family', gguf: 'family.gguf', ...mmproj, contextWindow: 8192 }];
  return readSiteModels({ models, builtInModels: [] }, SITE).entries[0]!;
}

/** What a model of a family was asked, and what came of its answer. */
export interface Asked {
  /** Null if llama.cpp renders the messages itself. */
  readonly prompt: string | null;
  /** What llama.cpp's server gets if it renders the messages. */
  readonly rendering: {
    readonly messages: readonly ServerMessage[];
    readonly chat_template_kwargs?: object;
  } | null;
  /** The texts of the tokens that the answer must not contain. */
  readonly forbidden: readonly string[];
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** A message for llama.cpp's server. */
interface ServerMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: 'text' | 'image'; readonly text?: string }[];
}

/** Matches the control tokens that a template writes. */
const MARKS = /<[|/｜]?[\w▁ :~]+[|｜]?>|\[\/?[A-Z_]+\]/g;

/** Stand for an image and its drawing, which Node has not. */
const NO_PIXELS = { width: 1, height: 1, close: () => {} };
class NoCanvas {
  getContext = () => ({ fillRect: () => {}, drawImage: () => {} });
  convertToBlob = async () => new Blob([]);
}

/** Tokens that end an answer in llama.cpp. Source: `special_eog_ids` in `llama-vocab.cpp`. */
const ENDS =
  /^(?:<\/s>|<\|(?:im_end|eot_id|eom_id|end_of_text|return|call|user|observation|endoftext)\|>|<end_of_turn>|<turn\|>|<｜end▁of▁sentence｜>)$/;

export interface Family {
  /** @throws ApiError if the request is refused. */
  ask(request: Partial<CompletionRequest>, answer?: string): Promise<Asked>;
  /** The control tokens of the template. */
  readonly marks: readonly string[];
}

/**
 * Loads a model with a chat template, in place of which a script answers, one character after the other.
 * @param further Control tokens beside those that look like marks.
 * @param seesImages Whether it has an image encoder.
 * @param letters Marks in the template that are no tokens.
 */
export async function loadFamily(
  template: string,
  further: readonly string[] = [],
  seesImages = false,
  letters: readonly string[] = [],
): Promise<Family> {
  const found = new Set(['<s>', '</s>', ...further, ...(template.match(MARKS) ?? [])]);
  const marks = [...found].filter((mark) => !letters.includes(mark));
  let asked: Record<string, unknown> = {};
  let answer = '';
  class ScriptedWllama extends BareWllama {
    supportInputModality = () => true;
    override getBOS = () => marks.indexOf('<s>');
    override getEOS = () => marks.indexOf('</s>');
    override isTokenEOG = (token: number) => ENDS.test(marks[token] ?? '');
    override getChatTemplate = () => template;
    createChatCompletion = (options: Record<string, unknown>) => this.#answer(options);
    createCompletion = (options: Record<string, unknown>) => this.#answer(options);
    async #answer(options: Record<string, unknown>) {
      asked = options;
      const { prompt, preserved_tokens: visible } = options as {
        prompt?: string;
        preserved_tokens?: readonly string[];
      };
      // llama.cpp leaves out of the text what is a control token and not asked for.
      const hidden = prompt === undefined ? [] : marks.filter((mark) => visible?.includes(mark) === false);
      const written = hidden.reduce((text, mark) => text.replaceAll(mark, ''), answer);
      return (async function* () {
        for (const text of written) yield { choices: [{ text, finish_reason: null }] };
        yield { choices: [{ text: '', finish_reason: 'stop' }] };
      })();
    }
  }
  Object.assign(globalThis, { Worker: undefined, createImageBitmap: async () => NO_PIXELS, OffscreenCanvas: NoCanvas });
  const file = ggufFile({
    'tokenizer.ggml.tokens': marks,
    'tokenizer.ggml.token_type': marks.map(() => 3),
    'tokenizer.chat_template': template,
  });
  const engine = createLlamaCppEngine({
    folder: () => `${SITE}llama-cpp/`,
    isCompat: false,
    openFiles: async () => (seesImages ? [new Blob([file]), tinyMmproj()] : [new Blob([file])]),
    keepFiles: async () => {},
    gpuChecks: memoryGpuChecks(),
    importWllama: async () => ({ Wllama: ScriptedWllama }) as unknown as WllamaModule,
    startWorker: async () => fakePageWorker(),
  });
  const signal = new AbortController().signal;
  await engine.load(modelOf(seesImages), () => {}, signal);
  return {
    marks,
    async ask(request, scripted = '') {
      answer = scripted;
      const told = { content: '', reasoning: '' };
      const calls = new Map<number, { name: string; arguments: string }>();
      for await (const event of engine.generate({ ...completionRequest('', 'family'), ...request }, signal)) {
        if (event.type !== 'delta') continue;
        told.content += event.content ?? '';
        told.reasoning += event.reasoning ?? '';
        for (const { index, name, arguments: text } of event.toolCalls ?? []) {
          const call = calls.get(index) ?? { name: name ?? '', arguments: '' };
          calls.set(index, { ...call, arguments: call.arguments + text });
        }
      }
      const bias = (asked['logit_bias'] ?? []) as readonly (readonly [number, number | false])[];
      return {
        prompt: typeof asked['prompt'] === 'string' ? asked['prompt'] : null,
        rendering: typeof asked['prompt'] === 'string' ? null : (asked as unknown as Asked['rendering']),
        forbidden: bias.filter(([, value]) => value === false).map(([id]) => marks[id]!),
        ...told,
        calls: [...calls.values()],
      };
    },
  };
}
