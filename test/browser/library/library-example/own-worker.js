import { install } from './service-worker.js';

install({
  keys: [{ key: 'my-key', name: 'my page', models: ['pocket'] }],
  aliases: { 'gpt-4o-mini': 'pocket' },
});
