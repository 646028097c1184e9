import type { Plugin } from '@keyhost/spi';
import { listener } from './listener.js';
import { MESSAGES } from './messages.js';
import { routes } from './routes.js';

export default {
  name: '@keyhost/webhooks',
  api: 1,
  messages: MESSAGES,
  providers: [listener, routes],
} satisfies Plugin;
