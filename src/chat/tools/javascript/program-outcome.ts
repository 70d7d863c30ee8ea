/** The outcome of a program for the model: English, with bounded length. */
export interface ProgramOutcome {
  readonly failed: boolean;
  readonly text: string;
}

export const PROGRAM_SECONDS = 5;

export const PROGRAM_TOO_SLOW = `The program was stopped: it took more than ${PROGRAM_SECONDS} seconds.`;

export function shorten(text: string, longest = 500): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (cut)`;
}
