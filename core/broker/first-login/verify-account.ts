import {
  type ActionToken,
  type ActionTokenContext,
  ActionTokenHandler,
  type ActionTokenProvider,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';
import type { LinkMailType } from '../../action-tokens/link-mails.js';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import { markEmailVerified, verifyMailedLink } from '../../login/links/verify-mailed-link.js';
import { enabledIdentityProvider } from '../../model/identity-provider.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { Users } from '../../users/users.js';
import type { ConfirmedLinks } from './confirmed-links.js';

const STRING = { type: 'string' } as const;

/** The mail with the link. */
export const VERIFY_ACCOUNT_MAIL: LinkMailType = {
  type: 'idp-verify-account-via-email',
  event: 'SEND_IDENTITY_PROVIDER_LINK',
  messagePrefix: 'identityProviderLink',
};

interface Services {
  readonly users: Users;
  readonly links: MailedLinks;
  readonly confirmedLinks: ConfirmedLinks;
}

/**
 * Keycloak's IdpVerifyAccountLinkActionTokenHandler: the user confirms that an account at an identity provider is
 * theirs. In the browser that requested the link, the login continues. In another browser the user must confirm, and
 * then return to the first one.
 */
export function verifyAccountHandler(services: Services): ProviderDefinition {
  return provide(ActionTokenHandler, {
    id: VERIFY_ACCOUNT_MAIL.type,
    describe: {
      displayName: 'Account verification',
      helpText: 'Links an account of an identity provider to the user with the same email address.',
    },
    claims: {
      type: 'object',
      // `idpi` is the account's ID. Keycloak reads it from the authentication session, which this browser may not have.
      properties: { eml: STRING, idpa: STRING, idpu: STRING, idpi: STRING },
      required: ['eml', 'idpa', 'idpu', 'idpi'],
      additionalProperties: false,
    },
    eventType: 'IDENTITY_PROVIDER_LINK_ACCOUNT',
    defaultError: 'invalid_token',
    defaultMessage: 'staleCodeMessage',
    open: () => ({ create: (session: HostSession) => new AccountVerification(session, services) }),
  });
}

class AccountVerification implements ActionTokenProvider {
  readonly #session: HostSession;
  readonly #services: Services;

  constructor(session: HostSession, services: Services) {
    this.#session = session;
    this.#services = services;
  }

  async confirm(token: ActionToken, { user, authenticationSession }: ActionTokenContext) {
    if (authenticationSession.joined) return false;
    const { idpa, idpu } = claimsOf(token);
    const provider = this.#displayNameOf(idpa);
    return {
      title: { key: 'emailLinkIdpTitle', params: [provider] },
      text: { key: 'confirmAccountLinking', params: [idpu, provider, user.username] },
    };
  }

  async verify(token: ActionToken, context: ActionTokenContext) {
    const { users, links } = this.#services;
    if (enabledIdentityProvider(this.#session.compiledRealm, claimsOf(token).idpa) === undefined) {
      return { error: 'unknown_identity_provider', message: 'identityProviderNotFoundMessage' };
    }
    return verifyMailedLink({ users, links, session: this.#session }, token, context, 'invalidEmailMessage');
  }

  async requiredActions(token: ActionToken, { authenticationSession }: ActionTokenContext) {
    if (!authenticationSession.joined) return undefined;
    await this.#markVerified(token);
    return { requiredActions: [] };
  }

  async handle(token: ActionToken) {
    await this.#markVerified(token);
    const title = { key: 'emailLinkIdpTitle', params: [this.#displayNameOf(claimsOf(token).idpa)] };
    return { info: { title, text: { key: 'identityProviderLinkSuccess' } } };
  }

  /** Records that the user has proven access to the mailbox and confirmed the account. */
  async #markVerified(token: ActionToken): Promise<void> {
    const { users, confirmedLinks } = this.#services;
    const { idpa, idpi } = claimsOf(token);
    await markEmailVerified(users, this.#session, token.subject);
    const account = { identityProvider: idpa, id: idpi };
    await confirmedLinks.confirm(this.#session.compiledRealm, { id: token.subject }, account, token.expiresAt * 1000);
  }

  #displayNameOf(alias: string): string {
    return enabledIdentityProvider(this.#session.compiledRealm, alias)?.displayName ?? alias;
  }
}

function claimsOf({ claims }: ActionToken): Readonly<Record<'idpa' | 'idpu' | 'idpi', string>> {
  return claims as Readonly<Record<'idpa' | 'idpu' | 'idpi', string>>;
}
