import { joinTrace } from '../../shared/trace/trace.ts';
import { readUpstreams } from '../../shared/upstreams/upstream.ts';
import { createUpstreams } from './create-upstreams.ts';

// A script of its own, which ready-made service workers import where their site names upstreams; its trace is its own, too.
joinTrace('service-worker');
Object.assign(self, { tabserveUpstreams: (upstreams: unknown) => createUpstreams(readUpstreams(upstreams)) });
