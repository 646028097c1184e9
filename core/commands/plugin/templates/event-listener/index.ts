import { EventListener, type Plugin, type PluginStore, provide } from '@keyhost/spi';

/** Failures are forgotten after this many seconds. */
const WINDOW = 600;

/** Increments a counter atomically. */
async function addOne(store: PluginStore, key: string): Promise<number> {
  for (;;) {
    const before = (await store.get(key)) as number | undefined;
    const after = (before ?? 0) + 1;
    if (await store.replace(key, before, after, { expiresIn: WINDOW })) return after;
  }
}

/** Logs a warning when logins from one address keep failing. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(EventListener, {
      id: '__id__',
      realmConfig: {
        type: 'object',
        properties: {
          failures: {
            type: 'integer',
            minimum: 1,
            default: 3,
            description: 'Number of failed logins within ten minutes that is reported.',
          },
        },
        additionalProperties: false,
      },
      open: () => ({
        create: (session, config) => ({
          async onEvent({ type, ipAddress }) {
            if (type !== 'LOGIN_ERROR' || ipAddress === undefined) return;
            const key = `failures/${ipAddress}`;
            const failures = await addOne(session.store, key);
            if (failures === config.failures) session.logger.warn('logins keep failing', { ipAddress, failures });
          },

          async onAdminEvent({ operationType, resourcePath, authDetails }) {
            const { userId } = authDetails;
            session.logger.info('an admin changed the realm', { operationType, resourcePath, userId });
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
