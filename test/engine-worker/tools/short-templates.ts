const NAME = '{{ call.name }}';
const JSON_OF = '{{ call.arguments | tojson }}';
const EACH = '{% for key, value in call.arguments | items %}';

/** Short templates that write a call as those of each family do. */
export const SHORT_TEMPLATES: Readonly<Record<string, string>> = {
  'gpt-oss': `<|start|>assistant<|channel|>commentary to=functions.${NAME} <|constrain|>json<|message|>${JSON_OF}<|call|>`,
  FunctionGemma: `<start_function_call>call:${NAME}{city:<escape>{{ city }}<escape>}<end_function_call>`,
  'Gemma 4': `<|tool_call>call:${NAME}{city:<|"|>{{ city }}<|"|>}<tool_call|>`,
  'Mistral with ids': `{{ '[TOOL_CALLS]' + call.name + '[CALL_ID]' + call.id + '[ARGS]' }}${JSON_OF}`,
  Mistral: `{{ '[TOOL_CALLS]' + call.name + '[ARGS]' }}${JSON_OF}`,
  'Mistral Nemo': `[TOOL_CALLS][{"name": "${NAME}", "arguments": ${JSON_OF}, "id": "{{ call.id }}"}]`,
  'Kimi K2': `<|tool_calls_section_begin|><|tool_call_begin|>functions.${NAME}:0<|tool_call_argument_begin|>${JSON_OF}`,
  'DeepSeek R1': `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${NAME}\n\`\`\`json\n${JSON_OF}\n\`\`\``,
  'DeepSeek V3.1': `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${NAME}<｜tool▁sep｜>${JSON_OF}<｜tool▁call▁end｜>`,
  'DeepSeek V3.2': `{% set dsml = '｜DSML｜' %}<{{ dsml }}function_calls><{{ dsml }}invoke name="${NAME}">`,
  'DeepSeek V4': `{% set dsml = '｜DSML｜' %}<{{ dsml }}tool_calls><{{ dsml }}invoke name="${NAME}">`,
  'MiniMax M2': `<minimax:tool_call><invoke name="${NAME}">${EACH}<parameter name="{{ key }}">{{ value }}</parameter>`,
  LFM2: `<|tool_call_start|>[${NAME}({{ call.arguments | join(", ") }})]<|tool_call_end|>`,
  'Command R7B': `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "${NAME}", "parameters": ${JSON_OF}}]<|END_ACTION|>`,
  Apertus: `<|tools_prefix|>[{"${NAME}": ${JSON_OF}}]<|tools_suffix|>`,
  'Nemotron Nano v2': `<TOOLCALL>[{"name": "${NAME}", "arguments": ${JSON_OF}}]</TOOLCALL>`,
  'Phi-4-mini': `<|tool_call|>[{"name": "${NAME}", "arguments": ${JSON_OF}}]<|/tool_call|>`,
  'Granite 3': `respond only with <|tool_call|> followed by a list`,
  Apriel: `<tool_calls>[{"name": "${NAME}", "arguments": ${JSON_OF}}]</tool_calls>`,
  'MiniMax M1': `{{ '<tool_calls>\\n{"name": "' + call.name + '", "arguments": ' }}${JSON_OF}`,
  'Solar Open': `<|tool_calls|><|tool_call:begin|>{{ id }}<|tool_call:name|>${NAME}<|tool_call:args|>${JSON_OF}`,
  'GigaChat 3.1': `<|function_call|>{"name": "${NAME}", "arguments": ${JSON_OF}}`,
  Firefunction: ` functools[{"name": "${NAME}", "arguments": ${JSON_OF}}]`,
  Seed: `<seed:tool_call>\n<function=${NAME}>\n${EACH}<parameter={{ key }}>{{ value }}</parameter>\n`,
  'Qwen3-Coder': `<tool_call>\n<function=${NAME}>\n${EACH}<parameter={{ key }}>\n{{ value }}\n</parameter>\n`,
  'Functionary 3.1': `<function=${NAME}>${JSON_OF}</function>`,
  'GLM 4.5': `<tool_call>${NAME}\n${EACH}<arg_key>{{ key }}</arg_key>\n<arg_value>{{ value }}</arg_value>\n`,
  'GLM 4.7': `<tool_call>${NAME}${EACH}<arg_key>{{ key }}</arg_key><arg_value>{{ value }}</arg_value>`,
  'MiniCPM 5': `<function name="${NAME}">${EACH}<param name="{{ key }}">{{ value }}</param>{% endfor %}</function>`,
  Hermes: `{{ '<tool_call>\\n{"name": "' + call.name + '", "arguments": ' }}${JSON_OF}{{ '}\\n</tool_call>' }}`,
  'Llama 3': `<|start_header_id|>assistant<|end_header_id|>{{ '{"name": "' + call.name + '", "parameters": ' }}${JSON_OF}`,
};
