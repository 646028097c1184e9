import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type FollowedLink,
  type ManagedUser,
  type Plugin,
  provide,
  type Session,
} from '@keyhost/spi';
import { MESSAGES } from './messages.js';
import { linkMail, nameOf, PAGE } from './texts.js';

/** The interval at which the waiting page polls for the result, in seconds. */
const POLL_INTERVAL_S = 3;
const CREATE_USERS = 'ext-magic-create-nonexistent-user';
const EMAIL = /^[^\s@]+@[^\s@]+$/;

const TOO_MANY = 'mail_too_many';
/** Other reasons why no mail can be sent now. They do not depend on the user, except for a missing address. */
const UNSENT_CODES: readonly unknown[] = ['mail_queue_full', 'mail_server_missing', 'mail_no_address'];

type Recipient = Pick<ManagedUser, 'id' | 'enabled' | 'email'>;

/** Returns the user with this name or address. If the step allows it, creates a user for an unknown address. */
async function findOrCreateUser(
  { users }: Session,
  typed: string,
  mayCreate: boolean,
): Promise<ManagedUser | undefined> {
  const found = await users.byUsernameOrEmail(typed);
  if (found !== undefined || !mayCreate || !EMAIL.test(typed)) return found;
  return (await users.read(await users.create({ username: typed, email: typed })))?.user;
}

/**
 * Marks the address of the link as verified if it is still the user's. An address that changed meanwhile must be
 * verified again.
 */
async function markVerified({ users }: Session, userId: string, email: string | undefined): Promise<void> {
  for (;;) {
    const read = await users.read(userId);
    if (read === undefined || read.user.emailVerified || email === undefined) return;
    if (read.user.email?.toLowerCase() !== email) return;
    try {
      return await users.update(userId, { emailVerified: true }, { version: read.version });
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'version_conflict') throw error;
    }
  }
}

const usernameStep = (value = '') =>
  ({
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'loginAccountTitle' },
      fields: [
        {
          name: 'username',
          type: 'text',
          label: { key: 'usernameOrEmail' },
          autocomplete: 'username',
          required: true,
          value,
        },
      ],
      submit: { key: 'doContinue' },
    },
  }) satisfies AuthenticationStep;

/** Returns the waiting page. It also has a number for an unknown name, for which no mail was sent. */
const waitingStep = (typed: string, number: string) =>
  ({
    outcome: 'challenge',
    state: JSON.stringify([typed, number]),
    poll: { interval: POLL_INTERVAL_S },
    page: {
      page: 'form',
      title: PAGE.title,
      text: { ...PAGE.text, params: [typed, number] },
      fields: [{ name: 'again', type: 'checkbox', label: PAGE.again }],
      submit: { key: 'doContinue' },
    },
  }) satisfies AuthenticationStep;

const randomNumber = () => String(10 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 90));

/** A link by email in place of the password (p2-inc/keycloak-magic-link). */
export default {
  name: '@keyhost/magic-link',
  api: 1,
  messages: MESSAGES,
  needs: {
    'issue-login-links': 'Its links sign users in.',
    'send-mail': 'It mails the links to the users.',
    'view-users': 'It finds users by their email address.',
    'manage-users':
      'It creates users for new addresses if a flow says so, and marks the address of a link as verified.',
  },
  providers: [
    provide(Authenticator, {
      id: 'ext-magic-form',
      describe: { displayName: 'Magic Link', helpText: 'Mails users a link that signs them in.', proves: true },
      settings: {
        type: 'object',
        properties: {
          [CREATE_USERS]: {
            type: 'boolean',
            guarded: false,
            title: 'Force create user',
            description: 'Create a user for an email address that nobody has.',
            default: false,
          },
        },
      },
      open: () => ({
        create: (session) => {
          const finish = async ({ userId, email }: FollowedLink): Promise<AuthenticationStep> => {
            await markVerified(session, userId, email);
            return { outcome: 'success', userId };
          };
          /**
           * Mails a link.
           * @returns the number on the page that waits for it
           */
          const mailLink = async (user: Recipient | undefined, typed: string, context: AuthenticationContext) => {
            const { login, client, provenBefore } = context;
            const getsMail = user?.enabled === true && user.email !== undefined;
            const issued =
              getsMail && login !== undefined ? await session.loginLinks.issue({ userId: user.id, login }) : undefined;
            // Before the user is verified, the host counts mails by the typed name, so that unknown names get the same
            // answers.
            const known = issued && user ? { userId: user.id } : {};
            const to = provenBefore && user !== undefined ? { userId: user.id } : { typedName: typed, ...known };
            const { link = session.realm.issuer, number = randomNumber(), expiresIn = 1 } = issued ?? {};
            await session.mail.send(linkMail(to, nameOf(client), link, expiresIn));
            return number;
          };
          /**
           * Sends a link and shows the page that waits for it.
           * @param before the number on the current page
           */
          const sendLink = async (
            typed: string,
            context: AuthenticationContext,
            before?: string,
          ): Promise<AuthenticationStep> => {
            // Send only to a known user of this login: a link of another user would end it.
            const { user: known } = context;
            const user = known ?? (await findOrCreateUser(session, typed, context.config[CREATE_USERS] === 'true'));
            try {
              const step = waitingStep(typed, await mailLink(user, typed, context));
              return before === undefined ? step : { ...step, message: PAGE.sentAgain };
            } catch (error) {
              const { code, message: reason } = error as { readonly code?: unknown; readonly message?: string };
              if (code === TOO_MANY) return { ...waitingStep(typed, before ?? randomNumber()), message: PAGE.tooMany };
              if (!UNSENT_CODES.includes(code)) throw error;
              session.logger.warn('no link was sent', { userId: user?.id ?? '', reason: reason ?? '' });
              return { ...waitingStep(typed, before ?? randomNumber()), message: PAGE.notSent };
            }
          };
          return {
            async authenticate(context) {
              if (context.followedLink !== undefined) return finish(context.followedLink);
              if (context.form !== undefined) return { outcome: 'attempted' };
              return usernameStep(context.user?.username ?? context.loginHint);
            },

            async action(context, { username = '', again }) {
              if (context.followedLink !== undefined) return finish(context.followedLink);
              if (context.state !== undefined) {
                const [typed, number] = JSON.parse(context.state) as [string, string];
                if (again === 'on') return sendLink(typed, context, number);
                return { ...waitingStep(typed, number), message: PAGE.notYet };
              }
              const typed = context.user?.username ?? username.trim();
              if (typed !== '') return sendLink(typed, context);
              return { ...usernameStep(), error: 'user_not_found', message: { key: 'missingUsernameMessage' } };
            },

            poll: async ({ followedLink }) => ({ ready: followedLink !== undefined }),
          };
        },
      }),
    }),
  ],
} satisfies Plugin;
