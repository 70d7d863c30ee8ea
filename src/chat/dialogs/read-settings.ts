import { settingsStrings } from '../strings/dialogs.ts';
import type { ConversationSettings } from '../storage/conversation.ts';

export type EditableSettings = Omit<ConversationSettings, 'model'>;

/** What is wrong with a field, in words for the person who filled it in. */
export interface FieldProblem {
  readonly field: 'stop' | 'jsonSchema';
  readonly message: string;
}

/** Reads the settings form. The browser has checked the numbers; the texts are checked here. */
export function readSettings(form: FormData): EditableSettings | FieldProblem {
  const stop = text(form, 'stop').split('\n').filter((line) => line !== '');
  if (stop.length > 4) return { field: 'stop', message: settingsStrings.tooManyStops };
  const jsonSchema = text(form, 'jsonSchema').trim();
  const problem = schemaProblem(jsonSchema);
  if (problem !== null) return { field: 'jsonSchema', message: problem };
  return {
    systemPrompt: text(form, 'systemPrompt'),
    temperature: number(form, 'temperature'),
    topP: number(form, 'topP'),
    maxTokens: number(form, 'maxTokens'),
    seed: number(form, 'seed'),
    presencePenalty: number(form, 'presencePenalty'),
    frequencyPenalty: number(form, 'frequencyPenalty'),
    stop,
    jsonSchema,
  };
}

/** Why a text is no JSON Schema; null if it may be one, or is empty. The endpoint judges its keywords. */
export function schemaProblem(schema: string): string | null {
  if (schema === '') return null;
  try {
    const parsed: unknown = JSON.parse(schema);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? null : settingsStrings.jsonSchemaNoObject;
  } catch (error) {
    return settingsStrings.jsonSchemaBroken(error instanceof Error ? error.message : '');
  }
}

function text(form: FormData, field: string): string {
  const value = form.get(field);
  return typeof value === 'string' ? value.replace(/\r\n/g, '\n') : '';
}

function number(form: FormData, field: string): number | null {
  const value = text(form, field).trim();
  return value === '' ? null : Number(value);
}
