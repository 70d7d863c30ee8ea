/** Matches the line by which llama.cpp explains an assertion that ended it. It is not marked as an error. */
const ASSERTION = /GGML_(?:ASSERT|ABORT)/;

/**
 * Collects llama.cpp's error messages. A message can have several lines, of which only the first is marked as an error:
 * the others arrive as plain output.
 */
export class Complaints {
  #all: string[] = [];
  #assertion: string | null = null;
  #isOpen = false;

  /** The messages, in order. */
  get all(): readonly string[] {
    return this.#all;
  }

  /** Why llama.cpp ended itself: the assertion that failed; null if none did. */
  get assertion(): string | null {
    return this.#assertion;
  }

  /** Takes a line that is marked as an error. */
  error(line: string): void {
    this.#all.push(line);
    this.#isOpen = true;
  }

  /** Takes a line without a mark, which continues the error before it. */
  plain(line: string): void {
    if (ASSERTION.test(line)) this.#assertion = line;
    else if (this.#isOpen) this.#all.push(`${this.#all.pop()}\n${line}`);
  }

  /** Takes a line with another mark. It ends the last error message. */
  other(): void {
    this.#isOpen = false;
  }

  /** Forgets all messages, so that a later failure is not explained by an earlier one. */
  clear(): void {
    this.#all = [];
    this.#assertion = null;
    this.#isOpen = false;
  }
}

/** What llama.cpp writes before the message of an exception that a chat template has caused. */
const TEMPLATE_PREFIX = 'Unable to generate parser for this template. Automatic parser generation failed: ';

/**
 * Returns the sentence of an error message that names the fault, in one line of at most 300 characters: for a chat
 * template the last `Error:`, below the place in the template; for others the first line.
 */
export function sentenceOf(message: string): string {
  const [, ofTemplate] = /^While executing .*^Error: (.*)/ms.exec(message) ?? [];
  if (ofTemplate !== undefined) return oneLine(`chat template: ${ofTemplate}`);
  return oneLine(message.trim().split('\n', 1)[0]!.replace(TEMPLATE_PREFIX, ''));
}

/** Returns what a chat template says to refuse a request, by `raise_exception`; null for another error message. */
export function raisedByTemplate(message: string): string | null {
  const [, raised] = /^Error: Jinja Exception: (.*)/ms.exec(message) ?? [];
  return raised === undefined ? null : oneLine(raised);
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 300);
}
