import { ApiError } from '../api-error.ts';
import type { EngineCallName, EngineCalls, EngineResultMessage } from '../engine/engine-calls.ts';
import type { EngineConnection } from './engine-connection.ts';
import type { EngineReplyMessage } from './messages.ts';
import { withAbort } from '../timeout.ts';

type CallReply = Extract<EngineReplyMessage, { type: 'result' | 'failure' }>;

/** Sends calls to the engine and matches replies to them. */
export class EngineCallClient {
  readonly #settle = new Map<string, (reply: CallReply) => void>();

  /**
   * Sends a call to the engine and returns its result.
   * @throws ApiError if the call fails, or if the connection ends during the call.
   */
  async send<Name extends EngineCallName>(
    connection: EngineConnection,
    name: Name,
    parameters: EngineCalls[Name]['parameters'],
  ): Promise<EngineCalls[Name]['result']> {
    connection.ended.throwIfAborted();
    const callId = crypto.randomUUID();
    const result = new Promise<EngineCalls[Name]['result']>((resolve, reject) => {
      this.#settle.set(callId, (reply) => {
        if (reply.type === 'failure') reject(ApiError.fromData(reply.error));
        else if (isResultOf(name, reply)) resolve(reply.value);
      });
    });
    connection.post<Name>({ type: 'call', callId, name, parameters });
    try {
      return await withAbort(result, connection.ended);
    } finally {
      this.#settle.delete(callId);
    }
  }

  /** Settles the call that a reply belongs to. A reply to an unknown or ended call is ignored. */
  receive(reply: CallReply): void {
    this.#settle.get(reply.callId)?.(reply);
  }
}

function isResultOf<Name extends EngineCallName>(
  name: Name,
  reply: EngineResultMessage<EngineCallName>,
): reply is EngineResultMessage<Name> {
  return reply.name === name;
}
