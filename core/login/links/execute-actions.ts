import { type ActionToken, ActionTokenHandler, type ProviderDefinition, provide } from '@keyhost/spi';
import type { LinkMailType } from '../../action-tokens/link-mails.js';
import { defined } from '../../model/defined.js';
import { redirectUriOf } from '../../oidc/authorization/redirect-uris.js';
import { enabledRequiredAction } from '../../realms/enabled-required-actions.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { actionNameOf, actionProviderOf } from '../required-actions/action-providers.js';
import type { ActionTokenServices } from './built-in-action-tokens.js';
import { markEmailVerified, verifyMailedLink } from './verify-mailed-link.js';

/** The mail with the link. */
export const EXECUTE_ACTIONS_MAIL: LinkMailType = {
  type: 'execute-actions',
  event: 'EXECUTE_ACTIONS',
  messagePrefix: 'executeActions',
};

/**
 * Keycloak's ExecuteActionsActionTokenHandler: a link by which a user completes the required actions that an admin
 * requested.
 */
export function executeActions({ users, links }: ActionTokenServices): ProviderDefinition {
  return provide(ActionTokenHandler, {
    id: EXECUTE_ACTIONS_MAIL.type,
    describe: {
      displayName: 'Required actions',
      helpText: 'Takes a user through the required actions that an admin sent by email.',
    },
    claims: {
      type: 'object',
      properties: {
        eml: { type: 'string' },
        rqac: { type: 'array', items: { type: 'string' } },
        reduri: { type: 'string' },
      },
      required: ['eml', 'rqac'],
      additionalProperties: false,
    },
    eventType: 'EXECUTE_ACTIONS',
    defaultError: 'not_allowed',
    defaultMessage: 'invalidCodeMessage',
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const providers = (token: ActionToken) =>
          actionsOf(token).map((alias) => {
            const action = enabledRequiredAction(realm, alias);
            return action && actionProviderOf(session, action);
          });
        return {
          reusable: async (token) =>
            !providers(token).some((provider) => provider?.registered.declaration.oneTime === true),
          confirm: async (token, { user }) => ({
            title: { key: 'executeActionsSubject' },
            text: { key: 'confirmExecutionOfActions', params: [user.username] },
            items: providers(token).flatMap((provider) => (provider === undefined ? [] : [actionNameOf(provider)])),
          }),
          async verify(token, context) {
            const { client } = context.authenticationSession;
            const uri = redirectUriOfToken(token);
            const requester = client === undefined ? undefined : realm.clients.get(client.clientId);
            if (uri !== undefined && (requester === undefined || redirectUriOf(requester, uri) !== uri)) {
              return { error: 'invalid_redirect_uri', message: 'invalidRedirectUriMessage' };
            }
            const refusal = await verifyMailedLink({ users, links, session }, token, context, 'invalidEmailMessage');
            if (refusal !== undefined) return refusal;
            return providers(token).includes(undefined)
              ? { error: 'resolve_required_actions', message: 'invalidTokenRequiredActions' }
              : undefined;
          },
          async requiredActions(token, { user }) {
            await markEmailVerified(users, session, user.id);
            const uri = redirectUriOfToken(token);
            return { requiredActions: actionsOf(token), ...defined({ redirectUri: uri }) };
          },
        };
      },
    }),
  });
}

function actionsOf({ claims }: ActionToken): readonly string[] {
  return claims.rqac as readonly string[];
}

function redirectUriOfToken({ claims }: ActionToken): string | undefined {
  return claims.reduri as string | undefined;
}
