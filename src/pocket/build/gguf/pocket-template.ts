/** Pocket's chat template for llama.cpp. It renders the same prompt as `conv_template` in the package. */
export const POCKET_TEMPLATE = `{%- set roles = ['system', 'user', 'assistant', 'tool'] -%}
{%- for message in messages if message.role in roles and (message.role != 'system' or message.content) -%}
{{ '<|' + message.role + '|>' + message.content + '<|end|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|assistant|>' }}{%- endif -%}`;
