import { timingSafeEqual } from 'node:crypto';
import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type ManagedUser,
  type Plugin,
  provide,
  type Session,
} from '@keyhost/spi';
import { codeMail, LIFETIME, PAGE } from './texts.js';

const DIGITS = 6;
/** Codes that may be tried before the login is over. */
const TRIES = 5;

/** What the page that waits for a code keeps. `code` is undefined for a name that nobody has. */
interface Asked {
  readonly userId?: string | undefined;
  readonly code?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly tries: number;
}

function newCode(): string {
  // Of 2^32 numbers, the last ones would make small codes a little more likely.
  for (;;) {
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (number < 4_294_000_000) return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
  }
}

function isSame(typed: string, code: string): boolean {
  const [a, b] = [Buffer.from(typed), Buffer.from(code)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const asksName = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: { key: 'loginAccountTitle' },
    fields: [
      { name: 'username', type: 'text', label: { key: 'usernameOrEmail' }, autocomplete: 'username', required: true },
    ],
    submit: { key: 'doContinue' },
  },
} satisfies AuthenticationStep;

const asksCode = (asked: Asked) =>
  ({
    outcome: 'challenge',
    state: JSON.stringify(asked),
    page: {
      page: 'form',
      title: PAGE.title,
      text: PAGE.text,
      fields: [
        { name: 'code', type: 'text', label: PAGE.code, autocomplete: 'one-time-code', inputmode: 'numeric' },
        { name: 'resend', type: 'checkbox', label: PAGE.resend },
      ],
      submit: { key: 'doLogIn' },
    },
  }) satisfies AuthenticationStep;

async function userOf({ users }: Session, typed: string): Promise<ManagedUser | undefined> {
  const named = await users.byUsername(typed);
  return named === undefined ? users.byEmail(typed) : (await users.read(named.id))?.user;
}

/** A code by email as the only or the second factor (p2-inc/keycloak-magic-link, mesutpiskin/keycloak-2fa-email-authenticator). */
export default {
  name: '@keyhost/email-otp',
  api: 1,
  needs: {
    'send-mail': 'It mails the codes to the users.',
    'view-users': 'It finds users by their email address.',
  },
  providers: [
    provide(Authenticator, {
      id: 'ext-email-otp',
      describe: { displayName: 'Email OTP', helpText: 'Mails users a code, and asks for it.', proves: true },
      open: () => ({
        create: (session) => {
          /** The page that asks for a code; without a user there is none, and the page is the same. */
          const send = async (
            user: Pick<ManagedUser, 'id' | 'enabled' | 'email'> | undefined,
            { client }: AuthenticationContext,
            tries: number,
          ) => {
            const asked = { userId: user?.id, until: session.clock.now() + LIFETIME * 1000, tries };
            if (user === undefined || !user.enabled || user.email === undefined) return asksCode(asked);
            const code = newCode();
            await session.mail.send(codeMail(user.id, client.clientId, code));
            return asksCode({ ...asked, code });
          };
          return {
            configuredFor: async ({ email }) => email !== undefined,

            async authenticate(context) {
              // A token request has no page to ask with.
              if (context.form !== undefined) return { outcome: 'attempted' };
              return context.user === undefined ? asksName : send(context.user, context, TRIES);
            },

            async action(context, { username = '', code: typed = '', resend }) {
              if (context.state === undefined) {
                const user = context.user ?? (await userOf(session, username.trim()));
                return send(user, context, TRIES);
              }
              const asked = JSON.parse(context.state) as Asked;
              const user = asked.userId === undefined ? undefined : await session.users.byId(asked.userId);
              if (resend === 'on') return { ...(await send(user, context, asked.tries)), message: PAGE.sentAgain };
              const isValid = asked.code !== undefined && isSame(typed.replaceAll(/\s/g, ''), asked.code);
              if (isValid && session.clock.now() < asked.until) {
                return { outcome: 'success', userId: asked.userId, credentialType: 'email-otp' } as AuthenticationStep;
              }
              const error = { error: 'invalid_user_credentials', ...(asked.userId && { userId: asked.userId }) };
              if (asked.tries <= 1) return { outcome: 'failure', error: error.error, message: PAGE.tooMany };
              return {
                ...asksCode({ ...asked, tries: asked.tries - 1 }),
                ...error,
                message: isValid ? PAGE.expired : PAGE.wrong,
              };
            },
          };
        },
      }),
    }),
  ],
} satisfies Plugin;
