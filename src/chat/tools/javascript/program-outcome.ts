/** What came of a program, as the model is told: of bounded length, in English. */
export interface ProgramOutcome {
  readonly failed: boolean;
  readonly text: string;
}

/** Seconds that a program may take. */
export const PROGRAM_SECONDS = 5;

/** What is said of a program that was at it longer. */
export const PROGRAM_TOO_SLOW = `The program was stopped: it took more than ${PROGRAM_SECONDS} seconds.`;

/** The beginning of a text that may be of any length. */
export function shorten(text: string, longest = 500): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (cut)`;
}
