import { joinTrace } from '../../shared/trace/trace.ts';
import { readUpstreams } from '../../shared/upstreams/upstream.ts';
import { createUpstreamRouter } from './upstream-router.ts';

// The entry of a separate script, which ready-made service workers import if their site names upstreams. The script
// contains its own copy of the trace module, so it must call joinTrace, too.
joinTrace('service-worker');
Object.assign(self, { tabserveUpstreams: (upstreams: unknown) => createUpstreamRouter(readUpstreams(upstreams)) });
