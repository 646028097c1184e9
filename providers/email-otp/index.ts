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
/** The number of codes that may be tried before the login ends. */
const TRIES = 5;
/** How long the state of a code and its number of tries are remembered, in seconds. Longer than any login takes. */
const REMEMBERED = 24 * 60 * 60;
const TOO_MANY = 'mail_too_many';
/** Reasons why no mail can be sent now. */
const UNSENT: readonly unknown[] = [TOO_MANY, 'mail_queue_full', 'mail_server_missing', 'mail_no_address'];

/**
 * The newest code of a login. It outlives its page: loading the page again sends no new code. Further pages, codes and
 * usernames in the same login give no further tries.
 */
type CodeState = {
  /**
   * The user of the code. Null if it belongs to no user, as for an unknown username, for which tries are counted, too.
   */
  readonly userId: string | null;
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly tries: number;
};

const keyOf = (login: string) => `code/${login}`;
const hashOf = (login: string, code: string) => createHash('sha256').update(`${login} ${code}`).digest('base64url');

function newCode(): string {
  // Reject the last of the 2^32 numbers, which would make small codes a little more likely.
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

const codePage = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: PAGE.title,
    text: PAGE.asked,
    fields: [
      { name: 'code', type: 'text', label: PAGE.code, autocomplete: 'one-time-code', inputmode: 'numeric' },
      { name: 'resend', type: 'checkbox', label: PAGE.resend },
    ],
    submit: { key: 'doLogIn' },
  },
} satisfies AuthenticationStep;

/** The state of the page that waits for a code: the typed name. */
type Typed = { readonly typed: string };

/** The page that asks for the code. It claims that a code was sent only to a user whom the login has verified. */
const asksCode = ({ provenBefore }: AuthenticationContext, typed: string) =>
  ({
    ...codePage,
    state: JSON.stringify({ typed } satisfies Typed),
    page: { ...codePage.page, text: provenBefore ? PAGE.text : PAGE.asked },
  }) satisfies AuthenticationStep;

const { text: _claim, ...withoutClaim } = codePage.page;
/** The page for a code that could not be sent: it makes no such claim. An earlier code is still valid. */
const unsent = (typed: string, code?: unknown) =>
  ({
    ...codePage,
    state: JSON.stringify({ typed } satisfies Typed),
    page: { ...withoutClaim, title: PAGE.unsent },
    message: code === TOO_MANY ? PAGE.tooManyMails : PAGE.notSent,
  }) satisfies AuthenticationStep;

/** The name that was typed on the answered page, or in the login. */
function typedOf({ state, typedUsername, user }: AuthenticationContext): string {
  const { typed = '' } = (state === undefined ? {} : JSON.parse(state)) as Partial<Typed>;
  return typed || (typedUsername ?? user?.username ?? '');
}

/** Ends a login in which too many codes were tried. */
const tooManyTries = { outcome: 'failure', error: 'access_denied', message: PAGE.tooMany } satisfies AuthenticationStep;

type Recipient = Pick<ManagedUser, 'id' | 'enabled' | 'email'>;

const readState = async ({ store }: Session, login: string) => (await store.get(keyOf(login))) as CodeState | undefined;

/** Writes the state unless another request has changed it. @returns true if it was written */
const writeState = ({ store }: Session, login: string, before: CodeState | undefined, kept: CodeState) =>
  store.replace(keyOf(login), before, kept, { expiresIn: REMEMBERED });

/** True if a code of that user was sent and is valid. */
const hasValidCode = ({ clock }: Session, kept: CodeState | undefined, userId: string) =>
  kept?.userId === userId && clock.now() < kept.until;

/**
 * Stores a code in place of the previous one. The number of tries of the login is not reset.
 *
 * @returns the previous state; `over` if no tries are left
 */
async function replaceCode(session: Session, login: string, userId: string | null, code: string) {
  const until = session.clock.now() + LIFETIME * 1000;
  for (;;) {
    const before = await readState(session, login);
    const tries = before?.tries ?? TRIES;
    if (tries <= 0) return tooManyTries;
    if (await writeState(session, login, before, { userId, hash: hashOf(login, code), until, tries }))
      return { before };
  }
}

/** Restores the previous code after a code could not be sent, unless a newer one was stored meanwhile. */
async function restorePrevious(session: Session, login: string, code: string, before: Omit<CodeState, 'tries'>) {
  for (;;) {
    const kept = await readState(session, login);
    if (kept === undefined || kept.hash !== hashOf(login, code)) return;
    if (await writeState(session, login, kept, { ...before, tries: kept.tries })) return;
  }
}

/** Sends a code and shows the page that asks for it; for an unknown name, only shows the page. */
async function send(
  session: Session,
  user: Recipient | undefined,
  context: AuthenticationContext,
  typed: string,
): Promise<AuthenticationStep> {
  const { login = '', client, user: known, provenBefore } = context;
  const code = newCode();
  const recipient = user?.enabled === true && user.email !== undefined ? user : undefined;
  // Store it before sending: with concurrent requests, the code of each mail is valid until the next one is sent.
  const replaced = await replaceCode(session, login, recipient?.id ?? null, code);
  if ('outcome' in replaced) return replaced;
  try {
    // Before the user is verified, the host counts the typed name, so that unknown names are answered alike.
    const named = { typedName: typed, ...(recipient && { userId: recipient.id }) };
    await session.mail.send(
      codeMail(provenBefore && recipient ? { userId: recipient.id } : named, nameOf(client), code),
    );
    return asksCode(context, typed);
  } catch (error) {
    // A user who typed only a name may request another code, so the user of that code must stay known.
    const userId = recipient !== undefined && known === undefined ? recipient.id : null;
    const none = { userId, hash: hashOf(login, code), until: 0 };
    const { before } = replaced;
    await restorePrevious(session, login, code, before && before.userId === recipient?.id ? before : none);
    const { code: reason } = error as { readonly code?: unknown };
    if (!UNSENT.includes(reason)) throw error;
    session.logger.warn('no code was sent', { userId: recipient?.id ?? '', reason: (error as Error).message });
    return unsent(typed, reason);
  }
}

/** Checks a typed code. Each try is counted before the result is revealed, also with concurrent requests. */
async function checkCode(session: Session, context: AuthenticationContext, code: string): Promise<AuthenticationStep> {
  const { login = '', user } = context;
  const typed = typedOf(context);
  const hash = Buffer.from(hashOf(login, code.replaceAll(/\s/g, '')));
  for (;;) {
    const kept = await readState(session, login);
    const error = { error: 'invalid_user_credentials', ...(kept?.userId && { userId: kept.userId }) };
    if (kept === undefined) return { ...asksCode(context, typed), ...error, message: PAGE.wrong };
    if (kept.tries <= 0) return tooManyTries;
    const isRight = kept.userId !== null && timingSafeEqual(hash, Buffer.from(kept.hash));
    const tries = kept.tries - 1;
    const isGood = isRight && session.clock.now() < kept.until;
    if (!(await writeState(session, login, kept, { ...kept, ...(isGood && { userId: null }), tries }))) continue;
    if (isGood && kept.userId !== null) {
      await session.store.delete(keyOf(login));
      return { outcome: 'success', userId: kept.userId, credentialType: 'email-otp' };
    }
    if (tries <= 0) return { outcome: 'failure', ...error, message: PAGE.tooMany };
    const shown = user !== undefined && kept.userId === null ? unsent(typed) : asksCode(context, typed);
    return { ...shown, ...error, message: isRight ? PAGE.expired : PAGE.wrong };
  }
}

/**
 * A code by email as the only or the second factor (p2-inc/keycloak-magic-link,
 * mesutpiskin/keycloak-2fa-email-authenticator).
 */
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
            const kept = await readState(session, login);
            if (kept !== undefined && kept.tries <= 0) return tooManyTries;
            if (user === undefined) return asksName;
            const typed = typedOf(context);
            return hasValidCode(session, kept, user.id)
              ? asksCode(context, typed)
              : send(session, user, context, typed);
          },

          async action(context, { username, code = '', resend }) {
            const { state, user, login = '' } = context;
            const kept = await readState(session, login);
            if (kept !== undefined && kept.tries <= 0) return tooManyTries;
            // If a page is posted twice, the second post has no state: its code is checked, too, and it sends nothing.
            if (state === undefined && user === undefined && username !== undefined) {
              const typed = username.trim();
              const named = await session.users.byUsernameOrEmail(typed);
              const isSent = named !== undefined && hasValidCode(session, kept, named.id);
              return isSent ? asksCode(context, typed) : send(session, named, context, typed);
            }
            if (resend !== 'on') return checkCode(session, context, code);
            const typed = typedOf(context);
            if (state === undefined) return asksCode(context, typed);
            const recipient = user ?? (kept?.userId ? await session.users.byId(kept.userId) : undefined);
            const step = await send(session, recipient, context, typed);
            return { message: PAGE.sentAgain, ...step } as AuthenticationStep;
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
