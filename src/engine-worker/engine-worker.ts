import * as webllm from '@mlc-ai/web-llm';
console.log(webllm.MLCEngine);
