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
/** Seconds for which it is known that a code has expired and how many were tried: longer than a login takes. */
const REMEMBERED = 24 * 60 * 60;
/** What the page that waits for a code keeps: the name was typed. */
const ASKED = 'asked';
/** Why a mail may not be sent: no fault of the login's. */
const UNSENT: readonly unknown[] = ['mail_too_many', 'mail_queue_full', 'mail_server_missing', 'mail_no_address'];

/**
 * The newest code of a login. It outlives its page: a page that is loaded again sends no other one, and no other page, code or
 * name of the same login gives more tries.
 */
type Kept = {
  /** Whose code it is. Null where nobody has one, as for a name that nobody has: tries are counted there, too. */
  readonly userId: string | null;
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

const { text: _claim, ...withoutClaim } = asksCode.page;
/** The page where no code could be sent: it does not say that one was. The code of before, if there is one, still counts. */
const unsent = {
  ...asksCode,
  page: { ...withoutClaim, title: PAGE.unsent },
  message: PAGE.notSent,
} satisfies AuthenticationStep;

/** Nobody goes on with a login in which too many codes were tried. */
const over = { outcome: 'failure', error: 'access_denied', message: PAGE.tooMany } satisfies AuthenticationStep;

type Recipient = Pick<ManagedUser, 'id' | 'enabled' | 'email'>;

const keptOf = async ({ store }: Session, login: string) => (await store.get(keyOf(login))) as Kept | undefined;

/** Writes it only where no other request has changed it. @returns whether it did */
const keep = ({ store }: Session, login: string, before: Kept | undefined, kept: Kept) =>
  store.replace(keyOf(login), before, kept, { expiresIn: REMEMBERED });

/** Whether a code of that user is out and valid. */
const isOut = ({ clock }: Session, kept: Kept | undefined, userId: string) =>
  kept?.userId === userId && clock.now() < kept.until;

/**
 * Keeps a code in place of the one before. The tries of the login stay as they are.
 *
 * @returns what was kept before; `over` where no tries are left
 */
async function replaceCode(session: Session, login: string, userId: string | null, code: string) {
  const until = session.clock.now() + LIFETIME * 1000;
  for (;;) {
    const before = await keptOf(session, login);
    const tries = before?.tries ?? TRIES;
    if (tries <= 0) return over;
    if (await keep(session, login, before, { userId, hash: hashOf(login, code), until, tries })) return { before };
  }
}

/** Puts what was kept before in place of a code that was not sent, unless another one is out by now. */
async function takeBack(session: Session, login: string, code: string, before: Omit<Kept, 'tries'>) {
  for (;;) {
    const kept = await keptOf(session, login);
    if (kept === undefined || kept.hash !== hashOf(login, code)) return;
    if (await keep(session, login, kept, { ...before, tries: kept.tries })) return;
  }
}

/** Sends a code, and shows the page that asks for it; for a name that nobody has, the page alone. */
async function send(
  session: Session,
  user: Recipient | undefined,
  { login = '', client, user: known }: AuthenticationContext,
): Promise<AuthenticationStep> {
  const code = newCode();
  const recipient = user?.enabled === true && user.email !== undefined ? user : undefined;
  // Kept before it is sent: of several requests at once, the code of each mail counts until the next one is on its way.
  const replaced = await replaceCode(session, login, recipient?.id ?? null, code);
  if ('outcome' in replaced) return replaced;
  if (recipient === undefined) return asksCode;
  try {
    await session.mail.send(codeMail(recipient.id, nameOf(client), code));
    return asksCode;
  } catch (error) {
    // Whoever typed a name alone may still ask for another code, so it stays known whose it would be.
    const none = { userId: known === undefined ? recipient.id : null, hash: hashOf(login, code), until: 0 };
    const { before } = replaced;
    await takeBack(session, login, code, before?.userId === recipient.id ? before : none);
    if (!UNSENT.includes((error as { readonly code?: unknown }).code)) throw error;
    session.logger.warn('no code was sent', { userId: recipient.id, reason: (error as Error).message });
    // Nor are they told that somebody has that name.
    if (known === undefined) return asksCode;
    return unsent;
  }
}

/** What a typed code comes to. Each one is counted before anything is said of it, however many come at once. */
async function judged(
  session: Session,
  { login = '', user }: AuthenticationContext,
  typed: string,
): Promise<AuthenticationStep> {
  const hash = Buffer.from(hashOf(login, typed.replaceAll(/\s/g, '')));
  for (;;) {
    const kept = await keptOf(session, login);
    const error = { error: 'invalid_user_credentials', ...(kept?.userId && { userId: kept.userId }) };
    if (kept === undefined) return { ...asksCode, ...error, message: PAGE.wrong };
    if (kept.tries <= 0) return over;
    const isRight = kept.userId !== null && timingSafeEqual(hash, Buffer.from(kept.hash));
    const tries = kept.tries - 1;
    const isGood = isRight && session.clock.now() < kept.until;
    if (!(await keep(session, login, kept, { ...kept, ...(isGood && { userId: null }), tries }))) continue;
    if (isGood && kept.userId !== null) {
      await session.store.delete(keyOf(login));
      return { outcome: 'success', userId: kept.userId, credentialType: 'email-otp' };
    }
    if (tries <= 0) return { outcome: 'failure', ...error, message: PAGE.tooMany };
    const shown = user !== undefined && kept.userId === null ? unsent : asksCode;
    return { ...shown, ...error, message: isRight ? PAGE.expired : PAGE.wrong };
  }
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
            const kept = await keptOf(session, login);
            if (kept !== undefined && kept.tries <= 0) return over;
            if (user === undefined) return asksName;
            return isOut(session, kept, user.id) ? asksCode : send(session, user, context);
          },

          async action(context, { username, code = '', resend }) {
            const { state, user, login = '' } = context;
            const kept = await keptOf(session, login);
            if (kept !== undefined && kept.tries <= 0) return over;
            // Of a page that is posted twice, the second post has no state: its code is judged, too, and it sends nothing.
            if (state === undefined && user === undefined && username !== undefined) {
              const named = await session.users.byUsernameOrEmail(username.trim());
              return named !== undefined && isOut(session, kept, named.id) ? asksCode : send(session, named, context);
            }
            if (resend !== 'on') return judged(session, context, code);
            if (state === undefined) return asksCode;
            const recipient = user ?? (kept?.userId ? await session.users.byId(kept.userId) : undefined);
            const step = await send(session, recipient, context);
            return { message: PAGE.sentAgain, ...step } as AuthenticationStep;
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
