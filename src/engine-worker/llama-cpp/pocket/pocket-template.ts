/**
 * Pocket's chat template for llama.cpp. It renders what WebLLM's adapter renders with the template in the package: an empty
 * system message is left out, and the system message ends with the description of the tools.
 */
export const POCKET_TEMPLATE = `{%- macro json(value) -%}{{ value | tojson(separators=(',', ':')) }}{%- endmacro -%}
{%- set ns = namespace(system='') -%}
{%- for message in messages if message.role == 'system' -%}
{%- set ns.system = ns.system + ('\\n\\n' if ns.system else '') + message.content -%}
{%- endfor -%}
{%- if tools -%}
{%- set ns.system = ns.system + ('\\n\\n' if ns.system else '') + '# Tools\\n\\nThese functions can be called, described as JSON between <tools></tools>:\\n<tools>\\n' -%}
{%- for tool in tools -%}{%- set ns.system = ns.system + json(tool) + '\\n' -%}{%- endfor -%}
{%- set ns.system = ns.system + '</tools>\\n\\nTo call a function, write its name and arguments as a JSON object between <tool_call></tool_call>:\\n<tool_call>\\n{"name": <function-name>, "arguments": <args-json-object>}\\n</tool_call>\\n\\nCall a function only if it helps to answer; otherwise answer in plain text.' -%}
{%- endif -%}
{%- if ns.system -%}{{ '<|system|>' + ns.system + '<|end|>' }}{%- endif -%}
{%- for message in messages if message.role != 'system' -%}
{{ '<|' + message.role + '|>' + (message.content or '') }}
{%- for call in message.tool_calls or [] -%}
{{ ('\\n' if message.content or not loop.first else '') + '<tool_call>\\n{"name": ' + json(call.function.name) + ', "arguments": ' + (call.function.arguments if call.function.arguments is string else json(call.function.arguments)) + '}\\n</tool_call>' }}
{%- endfor -%}
{{ '<|end|>' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|assistant|>' }}{%- endif -%}`;
