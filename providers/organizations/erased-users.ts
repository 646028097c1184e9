import { EventListener, provide } from '@keyhost/spi';
import { Members } from './members.js';
import { Organizations } from './organizations.js';

/** Removes deleted users from their organizations. */
export const erasedUsers = provide(EventListener, {
  id: 'organizations',
  open: () => ({
    create(session) {
      const removeUser = (userId: string) => new Members(session, new Organizations(session)).removeEverywhere(userId);
      return {
        async onEvent({ type, userId }) {
          if (type === 'DELETE_ACCOUNT' && userId !== undefined) await removeUser(userId);
        },

        async onAdminEvent({ operationType, resourceType, resourcePath, error }) {
          const userId = /^users\/([^/]+)$/.exec(resourcePath)?.[1];
          if (operationType !== 'DELETE' || resourceType !== 'USER' || error !== undefined) return;
          if (userId !== undefined) await removeUser(userId);
        },
      };
    },
  }),
});
