import { EventListener, type Plugin, provide } from '@keyhost/spi';

/** Keycloak's log listener under its own name: failures at warn, successes at debug. */
export const logListener: Plugin = {
  name: 'keyhost-event-log',
  api: 1,
  providers: [
    provide(EventListener, {
      id: 'jboss-logging',
      open: () => ({
        create: (session) => ({
          async onEvent(event) {
            // The log line has its own time.
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
