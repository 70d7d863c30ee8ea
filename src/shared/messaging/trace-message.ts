import type { EngineCallMessage, EngineCallName, EngineResultMessage } from '../engine/engine-calls.ts';
import type { EngineReplyMessage, EngineRequestMessage } from './messages.ts';
import { isTracing, trace } from '../trace/trace.ts';

type PortMessage<Name extends EngineCallName> =
  | EngineRequestMessage
  | EngineReplyMessage
  | EngineCallMessage<Name>
  | EngineResultMessage<Name>;

/**
 * Traces a message of an engine port under the id of its request or call. The line contains the message's type and some
 * numbers, but no text of prompts or completions, because developers share traces.
 */
export function traceMessage<Name extends EngineCallName>(
  direction: 'sends' | 'gets',
  message: PortMessage<Name>,
): void {
  // Heartbeats are frequent and say nothing about requests.
  if (!isTracing() || message.type === 'ping' || message.type === 'pong') return;
  trace(subject(message), direction, message.type, ...details(message));
}

function subject<Name extends EngineCallName>(message: PortMessage<Name>): string {
  if ('requestId' in message) return message.requestId;
  if ('callId' in message) return message.callId;
  return message.type === 'hello' ? message.incarnation : 'engine';
}

function details<Name extends EngineCallName>(message: PortMessage<Name>): readonly unknown[] {
  switch (message.type) {
    case 'hello':
      return [`version ${message.version}`, message.site];
    case 'welcome':
      return [`version ${message.version}`, message.lockName, message.gpu ?? 'no graphics device'];
    case 'complete':
      return [message.request.model, `fingerprint ${message.fingerprint.slice(0, 8)}`];
    case 'events':
      return [`${message.sequence}…`, message.events.map(({ type }) => type).join(' ')];
    case 'status':
      return [message.status.state, 'model' in message.status ? message.status.model : ''];
    case 'call':
    case 'result':
      return [message.name];
    case 'failure':
      return [message.error.code];
    default:
      return [];
  }
}
