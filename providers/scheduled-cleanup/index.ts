import { EventListener, type Plugin, provide } from '@keyhost/spi';
import { Cleanup, cancelDeletion } from './cleanup.js';
import { MESSAGES } from './messages.js';
import { SETTINGS, type Settings, settingsOf } from './settings.js';

/**
 * Users who have not signed in for a long time are warned by email, then disabled, and, if the realm is configured so,
 * deleted.
 */
export default {
  name: '@keyhost/scheduled-cleanup',
  api: 1,
  messages: MESSAGES,
  needs: {
    'view-users': 'It looks for users who have not signed in for a long time.',
    'manage-users': 'It disables them, and deletes them if the realm says so.',
    'send-mail': 'It warns them before.',
  },
  metrics: {
    users_total: { kind: 'counter', help: 'Users that the cleanup has acted on, by outcome', labels: ['outcome'] },
  },
  providers: [
    provide(EventListener, {
      id: 'scheduled-cleanup',
      realmConfig: SETTINGS,
      schedule: { cron: '30 2 * * *', setting: 'cron' },
      open: () => ({
        create: (session, config) => ({
          scheduled: ({ scheduledFor, from }) =>
            new Cleanup(session, settingsOf(config as Partial<Settings>), scheduledFor).runPart(from),

          // Events of others only: a listener does not receive events of its own plugin.
          async onAdminEvent({ operationType, resourceType, resourcePath, error }) {
            const userId = /^users\/([^/]+)$/.exec(resourcePath)?.[1];
            if (operationType !== 'UPDATE' || resourceType !== 'USER' || error !== undefined) return;
            if (userId !== undefined) await cancelDeletion(session, userId);
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
