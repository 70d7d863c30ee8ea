import { INDEX, SHORT_ID, type CallSyntax } from './call-syntax.ts';
import { gemmaArguments } from './notations/gemma-arguments.ts';
import { PYTHONIC_ARGUMENTS } from './notations/pythonic-arguments.ts';
import { taggedArguments, type Tags } from './notations/tagged-arguments.ts';

/**
 * The syntax of the Hermes and Qwen families. Many small models are trained on it, and it is simple enough for models
 * whose template writes no calls.
 */
export const HERMES: CallSyntax = {
  family: 'Hermes',
  mark: '<tool_call>',
  before: ['<tool_call>\n{"name": '],
  name: 'json',
  after: [', "arguments": '],
  end: ['}\n</tool_call>'],
  separator: '\n',
  // Plain text, because small models make errors in JSON escapes.
  plainInput: { after: '}\n', end: '\n</tool_call>' },
};

/** A list of calls in JSON, with a mark before it. */
function jsonList(family: string, mark: string, close: string, lastMember: CallSyntax['end'] = ['}']): CallSyntax {
  return {
    family,
    mark,
    open: `${mark}[`,
    before: ['{"name": '],
    name: 'json',
    after: [', "arguments": '],
    end: lastMember,
    separator: ', ',
    close: `]${close}`,
  };
}

/** One call after a mark, in JSON. */
function jsonCall(family: string, mark: string): CallSyntax {
  const names = { before: [`${mark}{"name": `], after: [', "arguments": '] };
  return { family, mark, ...names, name: 'json', end: ['}'], separator: null };
}

/** Calls whose names and parameters are XML tags. */
function xml(
  family: string,
  around: Pick<CallSyntax, 'mark' | 'open' | 'before' | 'after' | 'end'>,
  tags: Tags,
  rest: Pick<CallSyntax, 'separator' | 'close'>,
): CallSyntax {
  return { family, ...around, ...rest, name: 'plain', notation: taggedArguments(tags) };
}

/** Calls in XML with an attribute for each name. @param prefix Stands before the name of each tag. */
function invocations(family: string, section: string, prefix: string, isTyped: boolean): CallSyntax {
  const [text, json] = isTyped ? ['" string="true">', '" string="false">'] : ['">', '">'];
  return xml(
    family,
    {
      mark: `<${section}>`,
      open: `<${section}>\n`,
      before: [`<${prefix}invoke name="`],
      after: ['">\n'],
      end: [`</${prefix}invoke>`],
    },
    { before: `<${prefix}parameter name="`, beforeText: text!, beforeJson: json!, end: `</${prefix}parameter>\n` },
    { separator: '\n', close: `\n</${section}>` },
  );
}

/** Calls with each parameter's name and value in a tag of its own. @param gap What stands between two tags. */
function keysAndValues(family: string, gap: '\n' | ''): CallSyntax {
  return xml(
    family,
    { mark: '<tool_call>', before: ['<tool_call>'], after: [gap], end: ['</tool_call>'] },
    { before: '<arg_key>', beforeText: `</arg_key>${gap}<arg_value>`, end: `</arg_value>${gap}` },
    { separator: gap },
  );
}

/**
 * The table of syntaxes: each with what the chat templates of its family contain, and those of the families before it in
 * the table lack.
 */
export const CALL_SYNTAXES: readonly { readonly syntax: CallSyntax; readonly inTemplate: RegExp }[] = [
  {
    inTemplate: /<\|channel\|>commentary/,
    syntax: {
      family: 'gpt-oss',
      mark: '<|channel|>commentary to=functions.',
      before: ['<|channel|>commentary to=functions.'],
      name: 'plain',
      after: [' <|constrain|>json<|message|>'],
      // The token <|call|> ends the answer, so it is not part of its text.
      end: [],
      separator: null,
    },
  },
  {
    inTemplate: /<start_function_call>/,
    syntax: gemma('FunctionGemma', '<start_function_call>', '<end_function_call>', '<escape>'),
  },
  { inTemplate: /<\|tool_call>/, syntax: gemma('Gemma 4', '<|tool_call>', '<tool_call|>', '<|"|>') },
  {
    inTemplate: /\[CALL_ID\]/,
    syntax: {
      family: 'Mistral with ids',
      mark: '[TOOL_CALLS]',
      before: ['[TOOL_CALLS]'],
      name: 'plain',
      after: ['[CALL_ID]', SHORT_ID, '[ARGS]'],
      end: [],
      separator: '',
    },
  },
  {
    inTemplate: /\[ARGS\]/,
    syntax: {
      family: 'Mistral',
      mark: '[TOOL_CALLS]',
      before: ['[TOOL_CALLS]'],
      name: 'plain',
      after: ['[ARGS]'],
      end: [],
      separator: '',
    },
  },
  { inTemplate: /\[TOOL_CALLS\]/, syntax: jsonList('Mistral Nemo', '[TOOL_CALLS]', '', [', "id": "', SHORT_ID, '"}']) },
  {
    inTemplate: /<\|tool_calls_section_begin\|>/,
    syntax: {
      family: 'Kimi K2',
      mark: '<|tool_calls_section_begin|>',
      open: '<|tool_calls_section_begin|>',
      before: ['<|tool_call_begin|>functions.'],
      name: 'plain',
      after: [':', INDEX, '<|tool_call_argument_begin|>'],
      end: ['<|tool_call_end|>'],
      separator: '',
      close: '<|tool_calls_section_end|>',
    },
  },
  {
    inTemplate: /<｜tool▁calls▁begin｜>[^]*```json/,
    syntax: deepSeek('DeepSeek R1', 'function<｜tool▁sep｜>', '\n```json\n', '\n```', '\n'),
  },
  { inTemplate: /<｜tool▁calls▁begin｜>/, syntax: deepSeek('DeepSeek V3.1', '', '<｜tool▁sep｜>', '', '') },
  {
    inTemplate: /DSML[^]*function_calls/,
    syntax: invocations('DeepSeek V3.2', '｜DSML｜function_calls', '｜DSML｜', true),
  },
  { inTemplate: /DSML/, syntax: invocations('DeepSeek V4', '｜DSML｜tool_calls', '｜DSML｜', true) },
  { inTemplate: /<minimax:tool_call>/, syntax: invocations('MiniMax M2', 'minimax:tool_call', '', false) },
  {
    inTemplate: /<\|tool_call_start\|>|<\|tool_list_start\|>|List of tools: \[/,
    syntax: {
      family: 'LFM2',
      mark: '<|tool_call_start|>',
      open: '<|tool_call_start|>[',
      before: [],
      name: 'plain',
      after: ['('],
      notation: PYTHONIC_ARGUMENTS,
      end: [')'],
      separator: ', ',
      close: ']<|tool_call_end|>',
    },
  },
  {
    inTemplate: /<\|START_ACTION\|>/,
    syntax: {
      family: 'Command R7B',
      mark: '<|START_ACTION|>',
      open: '<|START_ACTION|>[\n    ',
      before: ['{"tool_call_id": "', INDEX, '", "tool_name": '],
      name: 'json',
      after: [', "parameters": '],
      end: ['}'],
      separator: ',\n    ',
      close: '\n]<|END_ACTION|>',
    },
  },
  {
    inTemplate: /<\|tools_prefix\|>/,
    syntax: {
      family: 'Apertus',
      mark: '<|tools_prefix|>',
      open: '<|tools_prefix|>[',
      before: ['{'],
      name: 'json',
      after: [': '],
      end: ['}'],
      separator: ', ',
      close: ']<|tools_suffix|>',
    },
  },
  { inTemplate: /<TOOLCALL>/, syntax: jsonList('Nemotron Nano v2', '<TOOLCALL>', '</TOOLCALL>') },
  { inTemplate: /<\|\/tool_call\|>/, syntax: jsonList('Phi-4-mini', '<|tool_call|>', '<|/tool_call|>') },
  { inTemplate: /<\|tool_call\|>/, syntax: jsonList('Granite 3', '<|tool_call|>', '') },
  { inTemplate: /<tool_calls>\[/, syntax: jsonList('Apriel', '<tool_calls>', '</tool_calls>') },
  {
    inTemplate: /<tool_calls>\\n/,
    syntax: {
      family: 'MiniMax M1',
      mark: '<tool_calls>',
      open: '<tool_calls>\n',
      before: ['{"name": '],
      name: 'json',
      after: [', "arguments": '],
      end: ['}'],
      separator: '\n',
      close: '\n</tool_calls>',
    },
  },
  {
    inTemplate: /<\|tool_call:begin\|>/,
    syntax: {
      family: 'Solar Open',
      mark: '<|tool_calls|>',
      open: '<|tool_calls|>',
      before: ['<|tool_call:begin|>', SHORT_ID, '<|tool_call:name|>'],
      name: 'plain',
      after: ['<|tool_call:args|>'],
      end: ['<|tool_call:end|>'],
      separator: '',
    },
  },
  { inTemplate: /<\|function_call\|>/, syntax: jsonCall('GigaChat 3.1', '<|function_call|>') },
  { inTemplate: / functools\[/, syntax: jsonList('Firefunction', ' functools', '') },
  {
    inTemplate: /<seed:tool_call>/,
    syntax: functions('Seed', 'seed:tool_call', { beforeText: '>', end: '</parameter>\n' }),
  },
  {
    inTemplate: /<function=[^]*<parameter=/,
    syntax: functions('Qwen3-Coder', 'tool_call', { beforeText: '>\n', end: '\n</parameter>\n' }),
  },
  {
    inTemplate: /<function=/,
    syntax: {
      family: 'Functionary 3.1',
      mark: '<function=',
      before: ['<function='],
      name: 'plain',
      after: ['>'],
      end: ['</function>'],
      separator: '',
    },
  },
  { inTemplate: /<\/arg_key>(?:\\n|\n)/, syntax: keysAndValues('GLM 4.5', '\n') },
  { inTemplate: /<arg_key>/, syntax: keysAndValues('GLM 4.7', '') },
  {
    inTemplate: /<param name=/,
    syntax: xml(
      'MiniCPM 5',
      { mark: '<function name="', before: ['<function name="'], after: ['">'], end: ['</function>'] },
      { before: '<param name="', beforeText: '">', end: '</param>', quotes: ['<![CDATA[', ']]>'] },
      { separator: '\n' },
    ),
  },
  { inTemplate: /<tool_call>/, syntax: HERMES },
  {
    inTemplate: /<\|start_header_id\|>[^]*"parameters": /,
    syntax: {
      family: 'Llama 3',
      mark: '{"name": "',
      isWholeAnswer: true,
      mayBegin: '<|python_tag|>',
      before: ['{"name": '],
      name: 'json',
      after: [', "parameters": '],
      end: ['}'],
      separator: null,
    },
  },
];

function gemma(family: string, mark: string, end: string, quote: string): CallSyntax {
  const call = { before: [`${mark}call:`], after: [], end: [end], separator: '' };
  return { family, mark, ...call, name: 'plain', notation: gemmaArguments(quote) };
}

function deepSeek(family: string, before: string, after: string, end: string, separator: string): CallSyntax {
  const mark = '<｜tool▁calls▁begin｜>';
  return {
    family,
    mark,
    open: mark,
    before: [`<｜tool▁call▁begin｜>${before}`],
    name: 'plain',
    after: [after],
    end: [`${end}<｜tool▁call▁end｜>`],
    separator,
    close: '<｜tool▁calls▁end｜>',
  };
}

function functions(family: string, section: string, tags: Pick<Tags, 'beforeText' | 'end'>): CallSyntax {
  return xml(
    family,
    { mark: `<${section}>`, before: [`<${section}>\n<function=`], after: ['>\n'], end: [`</function>\n</${section}>`] },
    { before: '<parameter=', ...tags },
    { separator: '\n' },
  );
}
