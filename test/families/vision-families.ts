/** A family whose models see images. */
export interface VisionFamily {
  readonly name: string;
  /** The file of the published template, or a short form of it in Jinja. */
  readonly template: { readonly file: string } | { readonly short: string };
  /** What the template writes for an image. llama.cpp puts the same tokens around the image that it inserts. */
  readonly mark: string;
}

/** Turns of ChatML, in which an image is written as `mark`. */
const chatml = (mark: string, defaultSystem: string) =>
  `{% for m in messages %}{% if loop.first and m.role != 'system' and ${defaultSystem !== ''} %}<|im_start|>system\n${defaultSystem}<|im_end|>\n{% endif %}` +
  `<|im_start|>{{ m.role }}\n{% if m.content is string %}{{ m.content }}{% else %}{% for part in m.content %}` +
  `{% if part.type == 'image' %}${mark}{% elif 'text' in part %}{{ part.text }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n` +
  `{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`;

/** User and assistant alternate, and the system message is the beginning of the first turn. */
const GEMMA_3 = `{{ bos_token }}
{%- set first = '' -%}
{%- set turns = messages -%}
{%- if messages[0].role == 'system' -%}
  {%- set content = messages[0].content -%}
  {%- set first = (content if content is string else content[0].text) + '\\n\\n' -%}
  {%- set turns = messages[1:] -%}
{%- endif -%}
{%- for m in turns -%}
  {%- if (m.role == 'user') != (loop.index0 % 2 == 0) -%}
    {{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}
  {%- endif -%}
  {{ '<start_of_turn>' + ('model' if m.role == 'assistant' else m.role) + '\\n' + (first if loop.first else '') }}
  {%- if m.content is string -%}{{ m.content | trim }}
  {%- else -%}
    {%- for part in m.content -%}
      {%- if part.type == 'image' -%}<start_of_image>{%- elif part.type == 'text' -%}{{ part.text | trim }}{%- endif -%}
    {%- endfor -%}
  {%- endif -%}
  {{ '<end_of_turn>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<start_of_turn>model\\n' }}{%- endif -%}`;

/** The content is always a list of parts. */
const SMOLVLM =
  `<|im_start|>{% for m in messages %}{{ m.role | capitalize }}{% if m.content[0].type == 'image' %}:{% else %}{{ ': ' }}{% endif %}` +
  `{% for part in m.content %}{% if part.type == 'text' %}{{ part.text }}{% elif part.type == 'image' %}<image>{% endif %}{% endfor %}` +
  `<end_of_utterance>\n{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}`;

const QWEN = '<|vision_start|><|image_pad|><|vision_end|>';

/** The families of the table about images. Pixtral has the template of Mistral Small. */
export const VISION_FAMILIES: readonly VisionFamily[] = [
  { name: 'Gemma 3', template: { short: GEMMA_3 }, mark: '<start_of_image>' },
  { name: 'Gemma 4', template: { file: 'google-gemma-4-31B-it' }, mark: '<|image|>' },
  { name: 'Qwen 2.5 VL', template: { short: chatml(QWEN, 'You are a helpful assistant.') }, mark: QWEN },
  { name: 'Qwen 3 VL', template: { short: chatml(QWEN, '') }, mark: QWEN },
  { name: 'Qwen 3.5', template: { file: 'Qwen3.5-4B' }, mark: QWEN },
  { name: 'Mistral Small 3.2', template: { file: 'Mistral-Small-3.2-24B-Instruct-2506' }, mark: '[IMG]' },
  { name: 'Ministral 3', template: { file: 'mistralai-Ministral-3-14B-Reasoning-2512' }, mark: '[IMG]' },
  { name: 'Devstral', template: { file: 'unsloth-mistral-Devstral-Small-2507' }, mark: '[IMG]' },
  { name: 'Apriel 1.5', template: { file: 'unsloth-Apriel-1.5' }, mark: '[IMG]' },
  { name: 'LFM2 VL', template: { short: `{{ bos_token }}${chatml('<image>', '')}` }, mark: '<image>' },
  { name: 'SmolVLM', template: { short: SMOLVLM }, mark: '<image>' },
];
