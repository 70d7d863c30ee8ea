import * as v from 'valibot';
import { ApiError } from '../../shared/api-error.ts';
import type { EngineCallName, EngineCalls } from '../../shared/engine/engine-calls.ts';

export interface CallHandler<Parameters, Result> {
  /** Validates the parameters, which come from a script on a page. */
  readonly parameters: v.GenericSchema<unknown, Parameters>;
  /**
   * @param site Root address of the calling page's site, with a trailing slash.
   * @throws ApiError, which is sent to the caller, if the call fails. Any other error is a defect.
   */
  run(parameters: Parameters, site: string): Promise<Result>;
}

/** A handler for each call of {@link EngineCalls}. */
export type CallHandlers = {
  readonly [Name in EngineCallName]: CallHandler<EngineCalls[Name]['parameters'], EngineCalls[Name]['result']>;
};

/**
 * Runs the handler of a call.
 * @throws ApiError `invalid_type` if a parameter is invalid; `param` names it; any error of the handler.
 */
export async function handleCall<Name extends EngineCallName>(
  handlers: Partial<CallHandlers>,
  name: Name,
  parameters: unknown,
  site: string,
): Promise<EngineCalls[Name]['result']> {
  const handler: CallHandlers[Name] | undefined = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (!handler) throw new ApiError('internal_error', `The engine knows no call named ${JSON.stringify(name)}.`);
  return handler.run(readParameters(name, handler.parameters, parameters), site);
}

function readParameters<Parameters>(
  name: string,
  schema: v.GenericSchema<unknown, Parameters>,
  value: unknown,
): Parameters {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const param = v.getDotPath(issue);
  const subject = param === null ? `The parameters of ${name}` : `\`${param}\` of ${name}`;
  const sentence =
    param !== null && issue.received === 'undefined'
      ? `${subject} is missing.`
      : `${subject} must be of type ${issue.expected}, not ${issue.received}.`;
  throw new ApiError('invalid_type', sentence, { param });
}
