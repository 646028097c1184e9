import { EventListener, type Plugin, provide } from '@keyhost/spi';

/** Keycloak's `jboss-logging` event listener: logs failures at `warn`, successes at `debug`. */
export const logListener: Plugin = {
  name: 'keyhost-event-log',
  api: 1,
  providers: [
    provide(EventListener, {
      id: 'jboss-logging',
      open: () => ({
        create: (session) => ({
          async onEvent(event) {
            // A log line has a timestamp of its own.
            const { id: _, time: __, details, ...fields } = event;
            const level = event.error === undefined ? 'debug' : 'warn';
            session.logger[level](`event ${event.type}`, { ...fields, details: { ...details } });
          },
          async onAdminEvent({ operationType, resourceType, resourcePath, realmId, realmName, authDetails }) {
            const fields = { resourcePath, realmId, realmName, authDetails: { ...authDetails } };
            session.logger.debug(`admin event ${operationType} ${resourceType}`, fields);
          },
        }),
      }),
    }),
  ],
};
