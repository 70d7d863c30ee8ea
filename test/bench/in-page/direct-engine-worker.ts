// The worker of WebLLM alone, bundled for the bench's pages.
import '../../../src/engine-worker/webllm/direct-webllm-worker.ts';
