import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type ManagedUser,
  type Plugin,
  provide,
  type Session,
} from '@keyhost/spi';
import { codeMail, LIFETIME, nameOf, PAGE } from './texts.js';

const DIGITS = 6;
/** Codes that may be tried before the login is over. */
const TRIES = 5;
/** Seconds for which it is known that a code has expired. */
const REMEMBERED = LIFETIME + 600;
/** What the page that waits for a code keeps: the name was typed. */
const ASKED = 'asked';
/** Why a mail may not be sent: no fault of the login's. */
const UNSENT: readonly unknown[] = ['mail_too_many', 'mail_queue_full', 'mail_server_missing', 'mail_no_address'];

/** The newest code of a login. It outlives its page, so that a page that is loaded again sends no other one. */
type Kept = {
  readonly userId: string;
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly tries: number;
};

const keyOf = (login: string) => `code/${login}`;
const hashOf = (login: string, code: string) => createHash('sha256').update(`${login} ${code}`).digest('base64url');

function newCode(): string {
  // Of 2^32 numbers, the last ones would make small codes a little more likely.
  for (;;) {
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (number < 4_294_000_000) return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
  }
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

const asksCode = {
  outcome: 'challenge',
  state: ASKED,
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
} satisfies AuthenticationStep;

type Recipient = Pick<ManagedUser, 'id' | 'enabled' | 'email'>;

/** Sends a code, and shows the page that asks for it; for a name that nobody has, the page alone. */
async function send(
  session: Session,
  user: Recipient | undefined,
  { login = '', client, user: known }: AuthenticationContext,
  tries = TRIES,
): Promise<AuthenticationStep> {
  if (user === undefined || !user.enabled || user.email === undefined) return asksCode;
  const code = newCode();
  try {
    await session.mail.send(codeMail(user.id, nameOf(client), code));
  } catch (error) {
    if (!UNSENT.includes((error as { readonly code?: unknown }).code)) throw error;
    session.logger.warn('no code was sent', { userId: user.id, reason: (error as Error).message });
    // Who only typed a name is not told that somebody has it.
    return known === undefined ? asksCode : { ...asksCode, message: PAGE.notSent };
  }
  const until = session.clock.now() + LIFETIME * 1000;
  const kept: Kept = { userId: user.id, hash: hashOf(login, code), until, tries };
  await session.store.put(keyOf(login), kept, { expiresIn: REMEMBERED });
  return asksCode;
}

/** What a typed code comes to. */
async function judged(session: Session, login: string, typed: string): Promise<AuthenticationStep> {
  const kept = (await session.store.get(keyOf(login))) as Kept | undefined;
  const hash = Buffer.from(hashOf(login, typed.replaceAll(/\s/g, '')));
  const isRight = kept !== undefined && timingSafeEqual(hash, Buffer.from(kept.hash));
  const error = { error: 'invalid_user_credentials', ...(kept && { userId: kept.userId }) };
  if (kept === undefined) return { ...asksCode, ...error, message: PAGE.wrong };
  if (isRight && session.clock.now() < kept.until) {
    await session.store.delete(keyOf(login));
    return { outcome: 'success', userId: kept.userId, credentialType: 'email-otp' };
  }
  const tries = kept.tries - 1;
  await session.store.put(keyOf(login), { ...kept, tries }, { expiresIn: REMEMBERED });
  if (tries <= 0) return { outcome: 'failure', error: error.error, message: PAGE.tooMany };
  return { ...asksCode, ...error, message: isRight ? PAGE.expired : PAGE.wrong };
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
        create: (session) => ({
          configuredFor: async ({ email }) => email !== undefined,

          async authenticate(context) {
            const { user, form, login = '' } = context;
            // A token request has no page to ask with.
            if (form !== undefined) return { outcome: 'attempted' };
            if (user === undefined) return asksName;
            const kept = (await session.store.get(keyOf(login))) as Kept | undefined;
            const isOut = kept?.userId === user.id && kept.tries > 0 && session.clock.now() < kept.until;
            return isOut ? asksCode : send(session, user, context);
          },

          async action(context, { username = '', code = '', resend }) {
            const { state, user, login = '' } = context;
            if (state === undefined) {
              return send(session, user ?? (await session.users.byUsernameOrEmail(username.trim())), context);
            }
            if (resend !== 'on') return judged(session, login, code);
            const kept = (await session.store.get(keyOf(login))) as Kept | undefined;
            const recipient = user ?? (kept && (await session.users.byId(kept.userId)));
            const step = await send(session, recipient, context, kept?.tries);
            return { message: PAGE.sentAgain, ...step } as AuthenticationStep;
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
