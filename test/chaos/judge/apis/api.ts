import type { Manner } from '../../in-page/manner.ts';
import { EventStreamParser, fieldValues } from '../../../../src/shared/http/event-stream-parser.ts';

/** The content of an answer, whichever API and form it had. */
export interface Answer {
  readonly model: string;
  readonly choices: readonly Choice[];
  /** Numbers of prompt and completion tokens; null if the client did not request them. */
  readonly usage: readonly [prompt: number, completion: number] | null;
}

export interface Choice {
  role: string;
  text: string;
  /** Null until the choice has ended. */
  finishReason: string | null;
}

/** A body as its client understands it. */
export interface Reading {
  readonly answer: Answer;
  /** Id of the answer; empty if the API gives none. */
  readonly id: string;
  /** Whether the last event of the API arrived. Always true for a JSON document. */
  readonly ended: boolean;
  /** Code or type of the error in the body. */
  readonly error: string | null;
  /** The first thing that the API's description does not allow, such as text before the role; null if there is none. */
  readonly disorder: string | null;
}

/** One of the APIs that the endpoint serves. */
export interface Api {
  readonly path: string;
  /** Fields of a request for a stream. Null if the API has no streams. */
  readonly streaming: object | null;
  /** How a page gets an answer. Default: `once`. */
  readonly manner?: Manner;
  /** Reads a JSON document. @throws SyntaxError if it is incomplete. */
  readonly readJson: (body: string) => Reading;
  /** Reads Server-Sent Events; ignores an incomplete event. */
  readonly readStream: (body: string) => Reading;
}

/** Returns the data of each complete event. */
export function eventData(body: string): readonly string[] {
  return new EventStreamParser().push(body).flatMap((block) => fieldValues(block, 'data'));
}

/** Collects the first violation of an API's description. */
export class Order {
  disorder: string | null = null;

  /** Notes `violation` unless `allowed` is true or something was noted before. */
  expect(allowed: boolean, violation: string): void {
    if (!allowed) this.disorder ??= violation;
  }
}
