import { joinTrace } from '../../shared/trace/trace.ts';
import { readUpstreams } from '../../shared/upstreams/upstream.ts';
import { createUpstreams } from './create-upstreams.ts';

// The entry of a separate script, which ready-made service workers import if their site names upstreams. The script
// contains its own copy of the trace module, so it must call joinTrace, too.
joinTrace('service-worker');
Object.assign(self, { tabserveUpstreams: (upstreams: unknown) => createUpstreams(readUpstreams(upstreams)) });
