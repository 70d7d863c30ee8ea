/**
 * Renders conversations with WebLLM's own `Conversation` class, and compares them byte for byte with the texts in the
 * logits fixtures, which `template.py` rendered.
 *
 *     npx tsx training/compare-template.ts
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Rendered {
  appendMessage(role: number, text: string): void;
  appendReplyHeader(role: number): void;
  override_system_message?: string;
  getPromptArray(): string[];
}

const require = createRequire(import.meta.url);
const library = readFileSync(require.resolve('@mlc-ai/web-llm'), 'utf8');
const root = new URL('../', import.meta.url);
const config = JSON.parse(readFileSync(new URL('public/models/pocket/mlc-chat-config.json', root), 'utf8'));
const fixtures = JSON.parse(readFileSync(new URL('test/pocket/fixtures/reference-logits.json', root), 'utf8'));

// WebLLM does not export the class, so its source text is evaluated, together with the two enumerations that it uses.
const enumeration = (name: string) =>
  library.match(new RegExp(`var ${name};\\n\\(function[\\s\\S]*?\\n\\}\\)\\([^\\n]*\\n`))?.[0] ?? '';
const classText = library.match(/\nclass Conversation \{[\s\S]*?\n\}\n/)?.[0] ?? '';
const source = `${enumeration('Role')}${enumeration('MessagePlaceholders')}${classText}return { Conversation, Role };`;
// oxlint-disable-next-line no-implied-eval -- the text is WebLLM's own, from the installed package
const { Conversation, Role } = new Function(source)() as {
  Conversation: new (template: unknown) => Rendered;
  Role: Record<string, number>;
};

let failures = 0;
for (const { text } of fixtures.prompts as { text: string }[]) {
  const conversation = new Conversation(config.conv_template);
  for (const [, role = '', content = ''] of text.matchAll(/<\|(\w+)\|>([\s\S]*?)<\|end\|>/g)) {
    if (role === 'system') conversation.override_system_message = content;
    else conversation.appendMessage(Role[role] ?? 0, content);
  }
  conversation.appendReplyHeader(Role.assistant ?? 0);
  const rendered = conversation.getPromptArray().join('');
  if (rendered !== text) {
    failures++;
    console.log(`differs:\n  ${JSON.stringify(text)}\n  ${JSON.stringify(rendered)}`);
  }
}
console.log(`${fixtures.prompts.length} conversations, ${failures} differ`);
process.exitCode = failures ? 1 : 0;
