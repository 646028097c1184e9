import { type ActionToken, ActionTokenHandler, type ProviderDefinition, provide } from '@keyhost/spi';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import { emailIsVerified, verifyMailedLink } from '../../login/links/link-verifiers.js';
import { enabledIdentityProvider } from '../../model/identity-provider.js';
import type { HostSession } from '../../registry/sessions/session.js';
import type { Users } from '../../users/users.js';
import { VERIFY_ACCOUNT, type VerifiedAccounts } from './verified-accounts.js';

const TEXT = { type: 'string' } as const;

/**
 * Keycloak's IdpVerifyAccountLinkActionTokenHandler: the user confirms that an account at an identity provider is theirs.
 * In the browser that asked for it the authentication session goes on; in another one they are asked, and told to
 * go back.
 */
export function verifyAccount({
  users,
  links,
  verified,
}: {
  users: Users;
  links: MailedLinks;
  verified: VerifiedAccounts;
}): ProviderDefinition {
  return provide(ActionTokenHandler, {
    id: VERIFY_ACCOUNT,
    describe: {
      displayName: 'Account verification',
      helpText: 'Links an account at an identity provider to the user whose address it has.',
    },
    claims: {
      type: 'object',
      // `idpi` is the account's id: Keycloak finds it in the authentication session that asked, which this browser may not
      // have.
      properties: { eml: TEXT, idpa: TEXT, idpu: TEXT, idpi: TEXT },
      required: ['eml', 'idpa', 'idpu', 'idpi'],
      additionalProperties: false,
    },
    eventType: 'IDENTITY_PROVIDER_LINK_ACCOUNT',
    defaultError: 'invalid_token',
    defaultMessage: 'staleCodeMessage',
    open: () => ({
      create: (session: HostSession) => {
        const realm = session.compiledRealm;
        const nameOf = (alias: string) => enabledIdentityProvider(realm, alias)?.displayName ?? alias;
        const confirm = async (token: ActionToken) => {
          const { idpa, idpi } = claimsOf(token);
          await emailIsVerified(users, session, token.subject);
          const account = { identityProvider: idpa, id: idpi };
          await verified.confirm(realm, { id: token.subject }, account, token.expiresAt * 1000);
        };
        return {
          confirm: async (token, { user, authenticationSession }) => {
            const { idpa, idpu } = claimsOf(token);
            const provider = nameOf(idpa);
            return (
              !authenticationSession.joined && {
                title: { key: 'emailLinkIdpTitle', params: [provider] },
                text: { key: 'confirmAccountLinking', params: [idpu, provider, user.username] },
              }
            );
          },
          async verify(token, context) {
            if (enabledIdentityProvider(realm, claimsOf(token).idpa) === undefined) {
              return { error: 'unknown_identity_provider', message: 'identityProviderNotFoundMessage' };
            }
            return verifyMailedLink({ users, links, session }, token, context, 'invalidEmailMessage');
          },
          async requiredActions(token, { authenticationSession }) {
            if (!authenticationSession.joined) return undefined;
            await confirm(token);
            return { requiredActions: [] };
          },
          async handle(token) {
            await confirm(token);
            const title = { key: 'emailLinkIdpTitle', params: [nameOf(claimsOf(token).idpa)] };
            return { info: { title, text: { key: 'identityProviderLinkSuccess' } } };
          },
        };
      },
    }),
  });
}

function claimsOf({ claims }: ActionToken): Readonly<Record<'idpa' | 'idpu' | 'idpi', string>> {
  return claims as Readonly<Record<'idpa' | 'idpu' | 'idpi', string>>;
}
