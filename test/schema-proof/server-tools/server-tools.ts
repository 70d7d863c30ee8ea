import { DEVELOPER_TOOLS } from './developer-tools.ts';
import { SERVICE_TOOLS } from './service-tools.ts';

/** A tool as a server of the Model Context Protocol describes it. */
export interface ServerTool {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** Arguments that a model would write. */
  readonly call: Readonly<Record<string, unknown>>;
}

/** Tools in the manner of public servers, with the keywords that those use. */
export const SERVER_TOOLS: readonly ServerTool[] = [...DEVELOPER_TOOLS, ...SERVICE_TOOLS]
  .flatMap((server) => Object.entries(server as Readonly<Record<string, readonly [object, object]>>))
  .map(([name, [schema, call]]) => ({
    name,
    schema: schema as ServerTool['schema'],
    call: call as ServerTool['call'],
  }));
