/**
 * For each family: the two calls of {@link TOOLS} as its published chat template writes them for an assistant that has
 * called both, or the first one if the family has one call an answer. The arguments are {@link ARGUMENTS} and `{}`.
 */
export const WRITTEN_CALLS: readonly { readonly family: string; readonly written: string }[] = [
  {
    family: 'Hermes',
    written:
      '<tool_call>\n{"name": "weather", "arguments": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}\n</tool_call>\n<tool_call>\n{"name": "ping", "arguments": {}}\n</tool_call>',
  },
  {
    family: 'gpt-oss',
    written:
      '<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}',
  },
  {
    family: 'FunctionGemma',
    written:
      '<start_function_call>call:weather{city:<escape>Rome "A"<escape>,days:3,deep:{a:[1,true,null]}}<end_function_call><start_function_call>call:ping{}<end_function_call>',
  },
  {
    family: 'Gemma 4',
    written:
      '<|tool_call>call:weather{city:<|"|>Rome "A"<|"|>,days:3,deep:{a:[1,true,]}}<tool_call|><|tool_call>call:ping{}<tool_call|>',
  },
  {
    family: 'Mistral with ids',
    written:
      '[TOOL_CALLS]weather[CALL_ID]abcdefghi[ARGS]{"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}[TOOL_CALLS]ping[CALL_ID]abcdefghj[ARGS]{}',
  },
  {
    family: 'Mistral',
    written:
      '[TOOL_CALLS]weather[ARGS]{"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}[TOOL_CALLS]ping[ARGS]{}',
  },
  {
    family: 'Mistral Nemo',
    written:
      '[TOOL_CALLS][{"name": "weather", "arguments": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}, "id": "abcdefghi"}, {"name": "ping", "arguments": {}, "id": "abcdefghj"}]',
  },
  {
    family: 'Kimi K2',
    written:
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}<|tool_call_end|><|tool_call_begin|>functions.ping:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  },
  {
    family: 'DeepSeek R1',
    written:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n{"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>ping\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  {
    family: 'DeepSeek V3.1',
    written:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}<｜tool▁call▁end｜><｜tool▁call▁begin｜>ping<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  },
  {
    family: 'DeepSeek V3.2',
    written:
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="true">Rome "A"</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n<｜DSML｜parameter name="deep" string="false">{"a": [1, true, null]}</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="ping">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  },
  {
    family: 'DeepSeek V4',
    written:
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="weather">\n<｜DSML｜parameter name="city" string="true">Rome "A"</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n<｜DSML｜parameter name="deep" string="false">{"a": [1, true, null]}</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="ping">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  },
  {
    family: 'MiniMax M2',
    written:
      '<minimax:tool_call>\n<invoke name="weather">\n<parameter name="city">Rome "A"</parameter>\n<parameter name="days">3</parameter>\n<parameter name="deep">{"a": [1, true, null]}</parameter>\n</invoke>\n<invoke name="ping">\n</invoke>\n</minimax:tool_call>',
  },
  {
    family: 'LFM2',
    written:
      '<|tool_call_start|>[weather(city=\'Rome "A"\', days=3, deep={"a": [1, true, null]}), ping()]<|tool_call_end|>',
  },
  {
    family: 'Command R7B',
    written:
      '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "weather", "parameters": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}},\n    {"tool_call_id": "1", "tool_name": "ping", "parameters": {}}\n]<|END_ACTION|>',
  },
  {
    family: 'Apertus',
    written:
      '<|tools_prefix|>[{"weather": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}, {"ping": {}}]<|tools_suffix|>',
  },
  {
    family: 'Nemotron Nano v2',
    written:
      '<TOOLCALL>[{"name": "weather", "arguments": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}, {"name": "ping", "arguments": {}}]</TOOLCALL>',
  },
  {
    family: 'Phi-4-mini',
    written:
      '<|tool_call|>[{"name": "weather", "arguments": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}, {"name": "ping", "arguments": {}}]<|/tool_call|>',
  },
  {
    family: 'Granite 3',
    written:
      '<|tool_call|>[{"name": "weather", "arguments": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}, {"name": "ping", "arguments": {}}]',
  },
  {
    family: 'Apriel',
    written:
      '<tool_calls>[{"name": "weather", "arguments": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}, {"name": "ping", "arguments": {}}]</tool_calls>',
  },
  {
    family: 'MiniMax M1',
    written:
      '<tool_calls>\n{"name": "weather", "arguments": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}\n{"name": "ping", "arguments": {}}\n</tool_calls>',
  },
  {
    family: 'Solar Open',
    written:
      '<|tool_calls|><|tool_call:begin|>abcdefghi<|tool_call:name|>weather<|tool_call:args|>{"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}<|tool_call:end|><|tool_call:begin|>abcdefghj<|tool_call:name|>ping<|tool_call:args|>{}<|tool_call:end|>',
  },
  {
    family: 'GigaChat 3.1',
    written:
      '<|function_call|>{"name": "weather", "arguments": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}',
  },
  {
    family: 'Firefunction',
    written:
      ' functools[{"name": "weather", "arguments": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}, {"name": "ping", "arguments": {}}]',
  },
  {
    family: 'Seed',
    written:
      '<seed:tool_call>\n<function=weather>\n<parameter=city>Rome "A"</parameter>\n<parameter=days>3</parameter>\n<parameter=deep>{"a": [1, true, null]}</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=ping>\n</function>\n</seed:tool_call>',
  },
  {
    family: 'Qwen3-Coder',
    written:
      '<tool_call>\n<function=weather>\n<parameter=city>\nRome "A"\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=deep>\n{"a": [1, true, null]}\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=ping>\n</function>\n</tool_call>',
  },
  {
    family: 'Functionary 3.1',
    written:
      '<function=weather>{"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}</function><function=ping>{}</function>',
  },
  {
    family: 'GLM 4.5',
    written:
      '<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Rome "A"</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n<arg_key>deep</arg_key>\n<arg_value>{"a": [1, true, null]}</arg_value>\n</tool_call>\n<tool_call>ping\n</tool_call>',
  },
  {
    family: 'GLM 4.7',
    written:
      '<tool_call>weather<arg_key>city</arg_key><arg_value>Rome "A"</arg_value><arg_key>days</arg_key><arg_value>3</arg_value><arg_key>deep</arg_key><arg_value>{"a": [1, true, null]}</arg_value></tool_call><tool_call>ping</tool_call>',
  },
  {
    family: 'MiniCPM 5',
    written:
      '<function name="weather"><param name="city"><![CDATA[Rome "A"]]></param><param name="days">3</param><param name="deep">{"a": [1, true, null]}</param></function>\n<function name="ping"></function>',
  },
  {
    family: 'Llama 3',
    written: '{"name": "weather", "parameters": {"city": "Rome \\"A\\"", "days": 3, "deep": {"a": [1, true, null]}}}',
  },
];
