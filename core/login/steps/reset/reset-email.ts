import { type AuthenticationStep, Authenticator, type Message, type ProviderDefinition, provide } from '@keyhost/spi';
import { type LinkMails, unsentMessage } from '../../../action-tokens/link-mails.js';
import type { Events } from '../../../registry/events/events.js';
import type { HostSession } from '../../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../../registry/sessions/session-factory.js';
import type { Users } from '../../../users/users.js';
import { RESET_EMAIL } from '../../flows/reset-flow.js';
import { RESET_CREDENTIALS_MAIL } from '../../links/reset-credentials.js';
import { hasFollowedLink } from './followed-link.js';

export interface ResetEmailServices {
  readonly users: Users;
  readonly mails: LinkMails;
  readonly events: Events;
  readonly sessions: SessionFactory;
  readonly background: { run(work: () => Promise<void>): void };
}

/** The request to mail a link. If no user matches, no mail is sent. */
interface ResetMailRequest {
  readonly userId: string | undefined;
  readonly username: string | undefined;
  readonly clientId: string;
  readonly login: string;
  readonly locale: string;
  /** The typed username, and the name of the counter that was increased for it. */
  readonly typedName: string;
  readonly counter: string;
}

/**
 * Keycloak's ResetCredentialEmail: mails a link that continues the flow. The answer is the same for every username, and
 * waits neither for the lookup nor for the mail.
 */
export function resetEmail(services: ResetEmailServices): ProviderDefinition {
  return provide(Authenticator, {
    id: RESET_EMAIL,
    describe: {
      displayName: 'Send Reset Email',
      helpText: 'Send email to user and wait for response.',
      proves: true,
      requirements: ['REQUIRED'],
    },
    settings: {
      type: 'object',
      properties: {
        'force-login': {
          type: 'string',
          title: 'Force login after reset',
          description:
            'On (true): users sign in anew after the reset. Otherwise they go on with the login that they are in.',
          enum: ['true', 'false', 'only-federated'],
          default: 'only-federated',
        },
      },
    },
    open: () => ({
      create: (session: HostSession) => ({
        async authenticate(context): Promise<AuthenticationStep> {
          const { user, typedUsername: username, client, login, locale } = context;
          if (hasFollowedLink(session, context)) return { outcome: 'success' };
          if (login === undefined) return { outcome: 'attempted' };
          const typedName = username ?? user?.username ?? '';
          let counter: string;
          try {
            counter = await services.mails.countName(session.compiledRealm, { typedName, ip: session.remoteAddress });
          } catch (error) {
            return { outcome: 'fork', message: { ...unsentMessage(error), severity: 'warning' } as Message };
          }
          const request = { userId: user?.id, username, clientId: client.clientId, login, locale, typedName, counter };
          // The request's own lease on the providers (which holds their plugins in memory) ends with its response, so
          // take another one for the mail.
          const { providers } = session.caller;
          providers.lease();
          services.background.run(() => sendMail(services, session, request).finally(() => providers.release()));
          return { outcome: 'fork', message: { key: 'emailSentMessage' } };
        },
      }),
    }),
  });
}

async function sendMail(
  { users, mails, events, sessions }: ResetEmailServices,
  { compiledRealm: realm, caller }: HostSession,
  { userId, username, clientId, login, locale, typedName, counter }: ResetMailRequest,
): Promise<void> {
  const lookup = userId === undefined ? username && (await users.byLogin(realm, username)) : users.byId(realm, userId);
  const user = (await lookup) || undefined;
  const refuse = async (error: string) => {
    await mails.uncountUnknownName(realm, counter);
    return events.emit(
      realm,
      {
        type: 'RESET_PASSWORD',
        error,
        clientId,
        userId: user?.id,
        ipAddress: caller.ip,
        details: { auth_method: 'openid-connect', ...(username !== undefined && { username }) },
      },
      () => sessions.create(realm, caller, 'keyhost'),
    );
  };
  if (user === undefined) return refuse('user_not_found');
  if (user.isServiceAccount) return refuse('invalid_user');
  if (!user.enabled) return refuse('user_disabled');
  if (!user.view.email) return refuse('invalid_email');
  const session = sessions.create(realm, caller, 'keyhost');
  try {
    await mails.send(session, user, {
      kind: RESET_CREDENTIALS_MAIL,
      clientId,
      login,
      locale,
      requestSource: { typedName, ip: caller.ip },
      nameCounters: [counter],
    });
  } finally {
    await session.close();
  }
}
