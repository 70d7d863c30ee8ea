import { settingsStrings } from '../../strings/dialog-strings.ts';
import { TOOL_NAMES, type ConversationSettings } from '../../types/conversation.ts';
import { schemaTextProblem } from '../../api/schema-text-problem.ts';
import type { Sampling } from './sampling-presets.ts';

export type EditableSettings = Omit<ConversationSettings, 'model' | 'allowedTools'>;

/** An invalid field, with a message for the user. */
export interface FieldProblem {
  readonly field: 'stop' | 'jsonSchema';
  readonly message: string;
}

/** Reads the settings form. The browser validates the numbers; this validates the texts. */
export function readSettings(form: FormData): EditableSettings | FieldProblem {
  const stop = text(form, 'stop')
    .split('\n')
    .filter((line) => line !== '');
  if (stop.length > 4) return { field: 'stop', message: settingsStrings.tooManyStops };
  const jsonSchema = text(form, 'jsonSchema').trim();
  const problem = schemaTextProblem(jsonSchema);
  if (problem !== null) return { field: 'jsonSchema', message: problem };
  return {
    systemPrompt: text(form, 'systemPrompt'),
    ...readSampling(form),
    maxTokens: number(form, 'maxTokens'),
    seed: number(form, 'seed'),
    stop,
    jsonSchema,
    tools: TOOL_NAMES.filter((name) => form.getAll('tools').includes(name)),
  };
}

export function readSampling(form: FormData): Sampling {
  return {
    temperature: number(form, 'temperature'),
    topP: number(form, 'topP'),
    presencePenalty: number(form, 'presencePenalty'),
    frequencyPenalty: number(form, 'frequencyPenalty'),
  };
}

function text(form: FormData, field: string): string {
  const value = form.get(field);
  return typeof value === 'string' ? value.replace(/\r\n/g, '\n') : '';
}

function number(form: FormData, field: string): number | null {
  const value = text(form, field).trim();
  return value === '' ? null : Number(value);
}
