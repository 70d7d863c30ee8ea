/** A failure the user can put right; its message is the whole report, one sentence that says what to do. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure' as const;
}
