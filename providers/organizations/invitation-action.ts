import { provide, RequiredAction, type UserView } from '@keyhost/spi';
import { Joining, type OpenInvitation } from './joining.js';
import { readPart } from './paging.js';
import { PAGE } from './texts.js';

/** The number of invitations on a page: the next login shows the others. */
const MAX_SHOWN = 50;

/** A required action: a page with the user's invitations (keycloak-orgs' InvitationRequiredAction). */
export const invitationAction = provide(RequiredAction, {
  id: 'invitation-required-action',
  displayText: 'Invitation',
  initiable: true,
  open: () => ({
    create(session) {
      const joining = new Joining(session);
      const openFor = (user: UserView) => readPart(joining.of(user), { first: 0, max: MAX_SHOWN });
      const page = (open: readonly OpenInvitation[]) =>
        ({
          page: 'form',
          title: PAGE.title,
          text: PAGE.text,
          fields: [
            {
              name: 'orgs',
              type: 'choice',
              multiple: true,
              label: PAGE.field,
              options: open.map(({ organization: { id, name, displayName } }) => ({
                value: id,
                label: { key: 'organizationName', params: [displayName ?? name], texts: { en: '{0}' } },
              })),
            },
          ],
          submit: { key: 'doContinue' },
        }) as const;
      return {
        async triggered(user) {
          for await (const _ of joining.of(user)) return true;
          return false;
        },

        async challenge({ user }) {
          const open = await openFor(user);
          if (open.length === 0) return { outcome: 'success' };
          const shown = open.map(({ invitation }) => invitation.id);
          return { outcome: 'challenge', state: JSON.stringify(shown), page: page(open) };
        },

        async action({ user, client, state }, { orgs = '' }) {
          // An invitation that is newer than the page is neither accepted nor declined.
          const shown = new Set(state === undefined ? [] : (JSON.parse(state) as string[]));
          const chosen = new Set(orgs.split(/\r?\n/));
          const actor = { userId: user.id, clientId: client.clientId };
          for (const open of await openFor(user)) {
            if (!shown.has(open.invitation.id)) continue;
            if (chosen.has(open.organization.id)) await joining.accept(open, actor);
            else await joining.end(open.invitation, actor);
          }
          return { outcome: 'success' };
        },
      };
    },
  }),
});
